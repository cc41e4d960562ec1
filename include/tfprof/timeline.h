// Timelines: what a report shows, drawn over time, as a file that trace viewers open.
//
// A report of the graph view becomes one bar per execution, in lanes per device, with arrows between devices
// and the memory of every device; needs a Profile loaded with LoadDetail::kExecutions. A report of the scope
// or code view becomes nested regions that last as long as their total time. The file is written event by
// event: memory grows with the number of executions (about 50 bytes each), not with the text.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "tfprof/memory.h"
#include "tfprof/report.h"
#include "tfprof/result.h"

namespace tfprof {

struct Profile;

enum class TimelineFormat : uint8_t {
  kChrome,    // trace event JSON: chrome://tracing, Perfetto, speedscope
  kPerfetto,  // Perfetto's protobuf: a quarter of the size
};

// By the ending of the name: .pftrace and .perfetto-trace are Perfetto, all else is JSON.
TimelineFormat TimelineFormatOf(const std::string& path);

struct TimelineRequest {
  std::string path;
  TimelineFormat format = TimelineFormat::kChrome;
  // true: all chosen steps in one file, each from time 0, its processes labelled with the step, and with
  // nanoseconds where they were recorded. false, as TensorFlow has it: microseconds since the epoch; a file
  // for each step, path_STEP, when several steps are drawn.
  bool one_file = false;
  int64_t min_micros = 0;  // graph view: leave out executions that took less
};

struct TimelineFile {
  std::string path;
  int64_t bytes = 0;
};

struct TimelineStep {
  int64_t number = 0;
  int64_t start_micros = 0;  // of its first execution, since the epoch
  int64_t events = 0;        // executions drawn
  int64_t flows = 0;         // arrows between devices
};

// The most that one allocator of a device held, as far as one kind of evidence tells (memory.h).
struct TimelinePeak {
  int64_t step = 0;
  std::string device, allocator;  // allocator: "" when it was not recorded
  MemoryEvidence evidence = MemoryEvidence::kRecorded;
  int64_t bytes = 0;
  int64_t micros = 0;          // when, from the start of the step
  bool measured = false;       // the allocator's own figures were recorded too:
  int64_t base_bytes = 0;      // held before the first record; part of `bytes`
  int64_t measured_bytes = 0;  // its largest figure
};

struct TimelineSummary {
  std::vector<TimelineFile> files;
  std::vector<TimelineStep> steps;  // graph view only
  std::vector<TimelinePeak> peaks;
  int64_t events = 0;    // bars drawn
  int64_t left_out = 0;  // executions that took less than min_micros
  // Executions drawn, by length: [0] took less than 1 microsecond, [i] less than 2^i but not less than [i -
  // 1].
  std::array<int64_t, 64> by_length{};
};

// The least power of two for which leaving out executions of less microseconds makes the largest file smaller
// than `bytes`, as far as can be told from what was drawn; 0 when nothing has to be left out or it would not
// help, since memory is drawn whatever is left out.
int64_t MinMicrosToFit(const TimelineSummary& summary, int64_t bytes);

// Draws the step that report.options choose, or all; of a graph view's report ReportDetail::kNodes is enough.
// Errors: the op view, no run metadata, nothing to draw, a file that cannot be written; a file is then left
// as it was.
Result<TimelineSummary> WriteTimeline(const Profile& profile, const Report& report,
                                      const TimelineRequest& request);

}  // namespace tfprof
