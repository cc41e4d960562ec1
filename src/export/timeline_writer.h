// What a trace format must be able to write. timeline.cc says what to draw; each format says how.
//
// Calls come in this order: Process() before its lanes and counters, Lane() before its slices, slices of a
// lane in time order and without overlap. Times are nanoseconds since the last Origin().
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "base/output.h"
#include "tfprof/report.h"
#include "tfprof/timeline.h"

namespace tfprof {

// A fact shown with a bar: text, or a number where text is null.
struct TraceArg {
  const char* key = "";
  std::string_view text;
  int64_t number = 0;
};

struct TraceSlice {
  uint32_t pid = 0, tid = 0;  // from 1: viewers take 0 for an idle process
  int64_t start = 0, length = 0;
  std::string_view name;
  uint32_t name_id = kNoIndex;  // the same for equal names; none: a name that hardly comes again
  std::span<const TraceArg> args;
  std::span<const uint64_t> flows_in, flows_out;  // ids of arrows that end or begin here
};

// A course of bytes over time, drawn as a curve.
struct TraceCounter {
  uint32_t pid = 0, index = 0;  // index: tells the counters of a process apart
  std::string_view name;
  std::string_view origin;  // where the figures come from
};

class TimelineWriter {
 public:
  virtual ~TimelineWriter() = default;

  virtual void Origin(int64_t micros) = 0;  // since the epoch; 0: times are written from 0
  virtual void Process(uint32_t pid, std::string_view name, std::string_view label) = 0;
  virtual void Lane(uint32_t pid, uint32_t tid, std::string_view name) = 0;
  virtual void Slice(const TraceSlice& slice) = 0;
  // Blocks of memory: bars that some formats draw without lanes.
  virtual void BlockLane(uint32_t pid, uint32_t tid, std::string_view name) = 0;
  virtual void Block(const TraceSlice& slice, uint64_t id) = 0;
  virtual void Counter(const TraceCounter& counter) = 0;  // before its first Count()
  virtual void Count(const TraceCounter& counter, int64_t time, int64_t bytes) = 0;
  // Closes the file; `summary` becomes its metadata where the format has such.
  virtual void Finish(const Report& report, const TimelineSummary& summary) = 0;
};

std::unique_ptr<TimelineWriter> MakeChromeWriter(Output& out);
std::unique_ptr<TimelineWriter> MakePerfettoWriter(Output& out);

}  // namespace tfprof
