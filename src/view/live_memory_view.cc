#include "view/live_memory_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>

#include "base/checked.h"
#include "base/name_matcher.h"
#include "model/live_memory.h"
#include "view/memory_groups.h"

namespace tfprof {
namespace {

void AddTo(std::optional<int64_t>* sum, int64_t value) {
  bool ignored = false;
  if (value != kNotRecorded) *sum = SaturatingAdd(sum->value_or(0), value, &ignored);
}

class LiveReporter {
 public:
  LiveReporter(const Profile& profile, const Options& options)
      : profile_(profile), live_(*profile.live_memory), options_(options), groups_(profile, options.by, 1) {}

  LiveMemoryReport Make(const NameMatcher& devices) {
    out_.source = live_.source;
    out_.sample_type = live_.sample_type;
    if (live_.time_nanos > 0) out_.epoch_micros = MicrosOfNanos(live_.time_nanos);
    // By name; what is of no device behind them.
    std::map<std::pair<bool, std::string_view>, std::vector<NodeId>> by_device;
    for (size_t n = 0; n < profile_.size(); ++n) {
      const DeviceId device = profile_.device[NodeId(n)];
      const std::string_view name = device ? profile_.DeviceName(device) : kNoDevice;
      if (devices.Matches(name)) by_device[{!device, name}].push_back(NodeId(n));
    }
    for (const auto& [name, nodes] : by_device) AddDevice(name.second, nodes);
    std::ranges::stable_sort(out_.kinds, [](const LiveMemorySum& a, const LiveMemorySum& b) {
      return a.bytes != b.bytes ? a.bytes > b.bytes : a.name < b.name;
    });
    return std::move(out_);
  }

 private:
  void Count(NodeId node, LiveMemorySum* sum) const {
    AddTo(&sum->bytes, live_.bytes[node.value]);
    AddTo(&sum->count, live_.count[node.value]);
  }

  LiveMemorySum& KindOf(NodeId node) {
    const std::string_view name = profile_.Op(node);
    const auto known = std::ranges::find(out_.kinds, name, &LiveMemorySum::name);
    if (known != out_.kinds.end()) return *known;
    return out_.kinds.emplace_back(LiveMemorySum{std::string(name), {}, {}});
  }

  void AddDevice(std::string_view name, const std::vector<NodeId>& nodes) {
    LiveDeviceReport& device = out_.devices.emplace_back();
    device.sum.name = name;
    LiveMemorySum unknown;
    std::unordered_map<std::string_view, size_t> place;
    for (const NodeId node : nodes) {
      for (LiveMemorySum* sum : {&out_.sum, &device.sum, &KindOf(node)}) Count(node, sum);
      if (live_.bytes[node.value] == kNotRecorded) {
        Count(node, &out_.without_size);
        continue;
      }
      if (options_.by == MemoryBy::kCode && !profile_.stack[node]) {
        Count(node, &unknown);
        Count(node, &out_.not_attributed);
        continue;
      }
      const std::string_view group = groups_.NameOf(node);
      const auto [found, fresh] = place.try_emplace(group, device.rows.size());
      if (fresh) device.rows.emplace_back().name = group;
      MemoryRow& row = device.rows[found->second];
      bool ignored = false;
      row.bytes = SaturatingAdd(row.bytes, live_.bytes[node.value], &ignored);
      row.count = SaturatingAdd(row.count, std::max<int64_t>(0, live_.count[node.value]), &ignored);
    }
    device.not_attributed = {"(no call stack)", unknown.bytes.value_or(0), unknown.count.value_or(0), 0, 0};
    Finish(&device);
  }

  // Largest first, beyond -top one row for all others; shares.
  void Finish(LiveDeviceReport* device) const {
    std::vector<MemoryRow>& rows = device->rows;
    std::ranges::sort(rows, [](const MemoryRow& a, const MemoryRow& b) {
      return a.bytes != b.bytes ? a.bytes > b.bytes : a.name < b.name;
    });
    const size_t top = options_.top <= 0 ? rows.size() : static_cast<size_t>(options_.top);
    if (rows.size() > top) {
      MemoryRow rest;
      bool ignored = false;
      rest.folded = static_cast<int64_t>(rows.size() - top);
      rest.name = fmt::format("({} others)", rest.folded);
      for (size_t r = top; r < rows.size(); ++r) {
        rest.bytes = SaturatingAdd(rest.bytes, rows[r].bytes, &ignored);
        rest.count = SaturatingAdd(rest.count, rows[r].count, &ignored);
      }
      rows.resize(top);
      rows.push_back(std::move(rest));
    }
    const auto whole = static_cast<double>(device->sum.bytes.value_or(0));
    const auto share = [whole](MemoryRow& row) {
      row.share = whole > 0 ? static_cast<double>(row.bytes) / whole : 0;
    };
    std::ranges::for_each(rows, share);
    share(device->not_attributed);
  }

  const Profile& profile_;
  const LiveMemory& live_;
  const Options& options_;
  MemoryGroups groups_;
  LiveMemoryReport out_;
};

Status CheckOptionsOfLive(const Options& options) {
  constexpr std::string_view kMoment = "a memory profile is of one moment, that of its writing";
  if (options.at != -1) return Error::Usage(fmt::format("-at {}: {}", options.at, kMoment));
  if (options.step.by_number())
    return Error::Usage(fmt::format("-step {}: {}; it has no steps", options.step.Text(), kMoment));
  if (options.by == MemoryBy::kScope || options.by == MemoryBy::kClass) {
    return Error::Usage(
        fmt::format("-by {}: a memory profile has no {}; it has -by code and -by type (the kind)",
                    options.by == MemoryBy::kScope ? "scope" : "class",
                    options.by == MemoryBy::kScope ? "scopes" : "classes"));
  }
  if (options.top < 0)
    return Error::Usage(fmt::format("-top {}: give the number of rows, or 0", options.top));
  return {};
}

}  // namespace

Result<MemoryReport> MakeLiveMemoryReport(const Profile& profile, const Options& options) {
  if (Status s = CheckOptionsOfLive(options); !s) return s.error();
  Result<NameMatcher> devices = NameMatcher::Compile(options.device_regexes, "device_regexes");
  if (!devices) return devices.error();
  MemoryReport report;
  report.options = options;
  // There are no ops to add up by.
  if (options.by == MemoryBy::kOp) report.options.by = MemoryBy::kCode;
  report.warnings = profile.warnings;
  for (const InputFile& file : profile.files) report.input_files.push_back(file.path);
  report.live = LiveReporter(profile, report.options).Make(*devices);
  if (report.live->devices.empty() && profile.size() > 0)
    return Error::Nothing("-device_regexes: no device of the memory profile matches");
  return report;
}

}  // namespace tfprof
