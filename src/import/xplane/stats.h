// The stats that mean something to the importer, by name, and the values of one event's.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace tfprof::xplane {

enum class Stat : uint8_t {
  kOther,
  // what ran
  kHloOp,
  kHloModule,
  kProgramId,
  kTfOp,
  kName,
  kPrefix,
  kFlops,
  kModelFlops,
  kSource,
  kSourceStack,
  // GPU work
  kCorrelationId,
  kScopeRangeId,
  kCudaGraphId,
  kCudaGraphNodeId,
  kKernelDetails,
  kMemcpyDetails,
  kMemsetDetails,
  // TPU work
  kDeviceOffset,
  kDeviceDuration,
  // steps
  kRoot,
  kStepNumber,
  // memory
  kAllocatorName,
  kIndexOnHost,
  kDeviceOrdinal,
  kBytesReserved,
  kBytesAllocated,
  kBytesAvailable,
  kPeakBytesInUse,
  kRequestedBytes,
  kAllocationBytes,
  kAddress,
  kFragmentation,
  kRegionType,
  kDataType,
  kTensorShape,
  // programs
  kHloProto,
  // devices and the capture itself
  kProfileStart,
  kProfileStop,
  kGpuName,
  kDeviceVendor,
  kDeviceType,
  kComputeMajor,
  kComputeMinor,
  kCoreCount,
  kClockRate,
  kMemoryBandwidth,
  kMemorySize,
  kPeakTeraflops,
  kPeakHbmBandwidth,
  kDroppedTraces,
  kCount,
};

Stat StatOf(std::string_view name);

// A row of a plane's table of names.
struct StatMetadata {
  std::string_view name;  // also the text that a reference means
  Stat stat = Stat::kOther;
};

// One value. Writers put one stat into several slots (a double that is whole arrives as an integer, a text as
// a reference to a name), so every reader here takes what it can.
struct StatValue {
  enum class Kind : uint8_t { kInteger, kReal, kText, kReference };

  Stat stat = Stat::kOther;
  Kind kind = Kind::kInteger;
  uint64_t number = 0;    // integers; reals by their bits; references: row of the stat metadata
  std::string_view text;  // texts alone

  std::optional<uint64_t> integer() const {
    if (kind == Kind::kInteger) return number;
    return std::nullopt;
  }
  std::optional<double> real() const {
    if (kind == Kind::kReal) return std::bit_cast<double>(number);
    if (kind == Kind::kInteger) return static_cast<double>(static_cast<int64_t>(number));
    return std::nullopt;
  }
  bool is_text() const { return kind == Kind::kText || kind == Kind::kReference; }
};

// The known stats of one event, its metadata's below its own. Reused from event to event.
class StatSet {
 public:
  void Clear() { present_ = 0; }
  bool empty() const { return present_ == 0; }
  // To be filled in by the caller; what it holds is of an event before.
  StatValue& Put(Stat stat) {
    present_ |= uint64_t{1} << static_cast<int>(stat);
    StatValue& value = values_[static_cast<size_t>(stat)];
    value.stat = stat;
    return value;
  }
  void Set(const StatValue& value) { Put(value.stat) = value; }
  void Merge(const StatSet& other) {  // what both have is the other's then
    for (uint64_t left = other.present_; left != 0; left &= left - 1) {
      Set(other.values_[static_cast<size_t>(std::countr_zero(left))]);
    }
  }
  bool Has(Stat stat) const { return (present_ >> static_cast<int>(stat) & 1) != 0; }
  const StatValue* Find(Stat stat) const { return Has(stat) ? &values_[static_cast<size_t>(stat)] : nullptr; }
  std::optional<uint64_t> Integer(Stat stat) const {
    return Has(stat) ? values_[static_cast<size_t>(stat)].integer() : std::nullopt;
  }
  int64_t Signed(Stat stat, int64_t missing = 0) const {
    return static_cast<int64_t>(Integer(stat).value_or(static_cast<uint64_t>(missing)));
  }
  // "" when missing or no text.
  std::string_view Text(Stat stat) const {
    const StatValue* value = Find(stat);
    if (value == nullptr || !value->is_text()) return {};
    if (value->kind == StatValue::Kind::kText) return value->text;
    return value->number < names_.size() ? names_[value->number].name : std::string_view();
  }

  // What references mean: the plane's table of names.
  void SetNames(std::span<const StatMetadata> names) { names_ = names; }

 private:
  std::span<const StatMetadata> names_;
  uint64_t present_ = 0;
  std::array<StatValue, static_cast<size_t>(Stat::kCount)> values_;
};

static_assert(static_cast<int>(Stat::kCount) <= 64, "StatSet keeps a bit per stat");

}  // namespace tfprof::xplane
