// Memory over time as a report: per step and device the peak, what was live then, how it got there and what
// stayed. Plain data, ready to print; `tfprof memory` shows it (docs/memory.md says how to read it).
//
// Every figure rests on one kind of evidence, which is named beside it. Figures of different kinds are never
// added up, with one exception that is shown as a row of its own: memory that an allocator's own counter saw
// before the first allocation record is part of a recorded peak, as "not attributed".
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tfprof/options.h"
#include "tfprof/result.h"

namespace tfprof {

struct Profile;

enum class MemoryEvidence : uint8_t {
  kRecorded,  // allocations and releases, each with its time, as the allocator wrote them down
  kMeasured,  // the allocator's bytes in use at the end of ops; says how much, never whose
  kDerived,   // from output tensors, their consumers and memory statistics: sizes are recorded, times are not
};
inline constexpr std::array<std::string_view, 3> kMemoryEvidenceNames = {"recorded", "measured", "derived"};

struct MemoryMoment {
  int64_t bytes = 0;
  int64_t nanos = 0;         // since the start of the step, or of the capture
  int64_t epoch_micros = 0;  // since 1970
};

// What one op, scope, op type or code line held at the moment.
struct MemoryRow {
  std::string name;
  int64_t bytes = 0;
  int64_t count = 0;   // allocations
  double share = 0;    // of the moment's bytes, 0 to 1
  int64_t folded = 0;  // > 0: this row stands for so many smaller ones
};

// Allocations of one node that are still held, or temporary.
struct MemoryTensor {
  uint32_t node = 0;  // index into the Profile
  std::string name, type;
  int64_t bytes = 0;  // still held: of all; temporaries: of the largest
  int64_t count = 0;
  int64_t begin = 0;  // of the first, micros since the start of the step
  int64_t end = -1;   // of the last; -1: not released
};

struct MemoryTensors {
  int64_t bytes = 0, count = 0;       // of all
  std::vector<MemoryTensor> largest;  // at most `top`
};

struct MemoryPoint {
  int64_t nanos = 0, bytes = 0;  // from this moment to the next point
};

// One allocator of one device in one step.
struct DeviceMemoryReport {
  std::string device;
  std::string allocator;  // empty: not recorded
  MemoryEvidence evidence = MemoryEvidence::kRecorded;
  MemoryMoment peak;
  MemoryMoment moment;              // what the rows are about: the peak, or the moment of -at
  std::vector<MemoryRow> rows;      // largest first
  MemoryRow not_attributed;         // rows + this = moment.bytes, to the byte
  double attributed_share = 0;      // of the moment's bytes
  std::optional<int64_t> baseline;  // measured: held before the first record; part of not_attributed
  std::optional<MemoryMoment> measured_peak;  // the allocator's own largest figure
  // Captures alone: what the allocator could hand out in all, and the most it ever had handed out.
  std::optional<int64_t> capacity, lifetime_peak;
  std::vector<MemoryPoint> series;  // of the whole step
  bool series_is_exact = true;  // false: thinned out; each point is the largest value of its stretch of time
  MemoryTensors still_held;     // at the end of the records: leak candidates
  MemoryTensors temporaries;    // released by the end of the op that made them
  std::vector<std::string> notes;  // what the figures rest on, what is missing
};

struct StepMemoryReport {
  std::optional<int64_t> step;     // none: a whole capture
  int64_t start_epoch_micros = 0;  // the first record of the step
  int64_t span_nanos = 0;          // to the last
  std::vector<DeviceMemoryReport> devices;
};

struct MemoryGrowthStep {
  int64_t step = 0;
  int64_t peak_bytes = 0;
  int64_t still_held_bytes = 0;
  std::optional<int64_t> baseline;
  std::optional<int64_t> grew;  // peak less the peak of the step before; none: the first
};

struct MemoryGrowth {
  std::string device, allocator;
  MemoryEvidence evidence = MemoryEvidence::kRecorded;
  std::vector<MemoryGrowthStep> steps;
};

// What a program takes before it runs, by its compiler's buffer assignment.
struct ProgramMemoryReport {
  std::string name;
  uint64_t id = 0;
  int64_t argument_bytes = 0, output_bytes = 0, constant_bytes = 0, temp_bytes = 0, peak_bytes = 0;
  std::vector<MemoryRow> temp_rows;  // what is live in its temporary memory at the peak, largest first
};

// Live memory of a memory profile, which has one moment and no time axis.
struct LiveMemorySum {
  std::string name;              // of a kind or a device
  std::optional<int64_t> bytes;  // none: the file does not tell the size of any
  std::optional<int64_t> count;  // blocks
};

struct LiveDeviceReport {
  LiveMemorySum sum;
  std::vector<MemoryRow> rows;  // by code line or kind, largest first; blocks without a size are in none
  MemoryRow not_attributed;     // blocks without a call stack; rows + this = sum.bytes
};

struct LiveMemoryReport {
  std::string source, sample_type;      // "JAX device memory profile", "space"
  std::optional<int64_t> epoch_micros;  // when it was written; none: not told
  LiveMemorySum sum, not_attributed, without_size;
  std::vector<LiveMemorySum> kinds;
  std::vector<LiveDeviceReport> devices;  // by name; what is of no device is the last
};

struct MemoryReport {
  Options options;
  std::vector<StepMemoryReport> steps;
  std::vector<MemoryGrowth> growth;           // with several steps
  bool is_capture = false;                    // one curve per allocator, not one per step
  std::vector<ProgramMemoryReport> programs;  // of a capture: those that ran
  std::optional<LiveMemoryReport> live;       // of a memory profile: this alone, and no steps
  std::vector<std::string> input_files;
  std::vector<std::string> warnings;
};

// A series has at most this many points: ten for each column of the plot in text reports.
inline constexpr size_t kMemorySeriesPoints = 720;

// Uses options.step, by, at, top, max_depth (scopes) and device_regexes. Needs a Profile
// loaded with LoadDetail::kExecutions. Errors: no run metadata, no such step, no memory recorded, no call
// stacks for by = code. Linear in the number of allocations, plus a sort.
Result<MemoryReport> MakeMemoryReport(const Profile& profile, const Options& options);

}  // namespace tfprof
