#include "tfprof/timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

#include "base/atomic_file.h"
#include "base/checked.h"
#include "base/units.h"
#include "export/timeline_args.h"
#include "export/timeline_writer.h"
#include "model/live_memory.h"
#include "model/recording.h"
#include "model/timeline_model.h"

namespace tfprof {
namespace {

constexpr std::string_view kMeasured = "measured by the allocator at the end of ops";

std::string Numbered(std::string_view what, uint32_t index) {
  return fmt::format("{} {:02}", what, index + 1);
}

// One machine's own name tells nothing and hides the rest in a narrow column.
std::string_view WithoutLocalhost(std::string_view device) {
  constexpr std::string_view kLocal = "/job:localhost/replica:0/task:0";
  return device.starts_with(kLocal) && device.size() > kLocal.size() ? device.substr(kLocal.size()) : device;
}

size_t LengthClass(int64_t micros) {
  return std::bit_width(static_cast<uint64_t>(std::max<int64_t>(0, micros)));
}

// Draws into one file. Process and arrow numbers run on over the steps of a file.
class Drawer {
 public:
  Drawer(const Profile& profile, const std::vector<bool>& shown, const TimelineRequest& request,
         TimelineWriter& writer)
      : profile_(profile),
        shown_(shown),
        one_file_(request.one_file),
        min_micros_(request.min_micros),
        writer_(writer),
        args_(profile) {}

  void Draw(const Step& step) {
    StepTimeline timeline = BuildStepTimeline(profile_, step, shown_, one_file_, min_micros_);
    writer_.Origin(one_file_ ? 0 : MicrosOfNanos(timeline.origin));
    StartProcesses(step, timeline);
    DrawEvents(step, timeline);
    const auto events = static_cast<int64_t>(timeline.events.size());
    const auto flows = static_cast<int64_t>(timeline.flows.size());
    summary_.steps.push_back({step.number, MicrosOfNanos(timeline.origin), events, flows});
    summary_.events += events;
    summary_.left_out += timeline.left_out;
    for (const TimelineEvent& event : timeline.events) ++summary_.by_length[LengthClass(event.length / 1000)];
    next_flow_ += timeline.flows.size();
    std::vector<TimelineEvent>().swap(timeline.events);  // memory takes as much
    timeline.flows = {};
    for (const DeviceMemory& memory : BuildMemoryTimeline(profile_, step)) {
      DrawMemory(step, memory, timeline);
    }
  }

  TimelineSummary& summary() { return summary_; }

 private:
  // The lanes and counters that a process has so far.
  struct Place {
    uint32_t pid = 0, lanes = 0, counters = 0;
  };

  // With steps side by side, a process is a step and a device, with its memory; else it is called as in
  // TensorFlow.
  uint32_t StartProcess(const Step& step, const StepTimeline& timeline, DeviceId device,
                        std::string_view called) {
    const uint32_t pid = next_pid_++;
    if (one_file_) {
      writer_.Process(pid,
                      fmt::format("step {} {}", step.number, WithoutLocalhost(profile_.DeviceName(device))),
                      fmt::format("{}; time 0 is {} us since 1970", called, MicrosOfNanos(timeline.origin)));
    } else {
      writer_.Process(pid, called, "");
    }
    places_[device] = {pid, 0, 0};
    return pid;
  }

  void StartProcesses(const Step& step, const StepTimeline& timeline) {
    places_.clear();
    for (const TimelineProcess& process : timeline.processes) {
      const char* what = process.is_stream ? "Op execution threads" : "Op scheduling threads";
      const uint32_t pid = StartProcess(step, timeline, process.device,
                                        fmt::format("{}: {}", what, profile_.DeviceName(process.device)));
      for (uint32_t lane = 0; lane < process.lanes; ++lane)
        writer_.Lane(pid, lane + 1, Numbered("lane", lane));
      places_[process.device].lanes = process.lanes;
    }
  }

  void DrawEvents(const Step& step, const StepTimeline& timeline) {
    std::vector<uint32_t> pids;
    for (const TimelineProcess& process : timeline.processes) pids.push_back(places_[process.device].pid);
    std::vector<uint64_t> in, out;
    constexpr size_t kAhead = 8;  // what is drawn follows time, not the graph: all of it is asked for early
    for (size_t e = 0; e < timeline.events.size(); ++e) {
      if (e + 2 * kAhead < timeline.events.size()) args_.AskFor(step, timeline.events[e + 2 * kAhead].node);
      if (e + kAhead < timeline.events.size()) args_.AskMore(step, timeline.events[e + kAhead].node);
      const TimelineEvent& event = timeline.events[e];
      in.clear();
      out.clear();
      const auto [first, last] = timeline.flows.Into(e);
      for (uint32_t flow = first; flow < last; ++flow) in.push_back(next_flow_ + flow);
      for (uint32_t flow : timeline.flows.OutOf(e)) out.push_back(next_flow_ + flow);
      writer_.Slice({pids[event.process], event.lane + 1, event.start, event.length,
                     profile_.Name(event.node), event.node.value, args_.OfExecution(step, event.node), in,
                     out});
    }
  }

  void DrawMemory(const Step& step, const DeviceMemory& memory, const StepTimeline& timeline) {
    const MemoryCourse course = BuildMemoryCourse(memory, timeline);
    const std::string device(profile_.DeviceName(memory.device));
    const std::string allocator(memory.allocator ? profile_.strings[memory.allocator] : std::string_view());
    const std::string suffix = allocator.empty() ? "" : " " + allocator;
    const std::string called = fmt::format("mem usage on:{}{}", device, suffix);
    if (!one_file_ || !places_.contains(memory.device)) StartProcess(step, timeline, memory.device, called);
    DrawCurve(one_file_ ? "Allocated Bytes" + suffix : "Allocated Bytes", EvidenceOf(memory), course.held,
              &places_[memory.device]);
    if (one_file_ && memory.evidence == MemoryEvidence::kRecorded && memory.has_in_use) {
      std::vector<std::pair<int64_t, int64_t>> measured;
      for (const MemorySnapshot& s : memory.snapshots) {
        measured.emplace_back(NanosSince(timeline.origin, s.nanos), s.in_use);
      }
      DrawCurve("Measured Bytes" + suffix, kMeasured, measured, &places_[memory.device]);
    }
    if (!one_file_ && !course.largest.empty()) {
      StartProcess(step, timeline, memory.device, called + " allocations");
    }
    DrawBlocks(memory, course, &places_[memory.device]);
    summary_.peaks.push_back({step.number, device, allocator, memory.evidence, course.peak.bytes,
                              MicrosOfNanos(NanosSince(timeline.origin, course.peak.nanos)),
                              memory.has_in_use, memory.baseline, memory.measured_peak});
  }

  static std::string_view EvidenceOf(const DeviceMemory& memory) {
    if (memory.evidence == MemoryEvidence::kMeasured) return kMeasured;
    if (memory.evidence == MemoryEvidence::kDerived) return "derived from output tensors and their consumers";
    return memory.has_in_use ? "rebuilt from allocation records, above a measured base"
                             : "rebuilt from allocation records";
  }

  void DrawCurve(const std::string& name, std::string_view origin,
                 const std::vector<std::pair<int64_t, int64_t>>& points, Place* place) {
    const TraceCounter counter{place->pid, place->counters++, name, origin};
    writer_.Counter(counter);
    for (const auto& [time, bytes] : points) writer_.Count(counter, time, bytes);
  }

  // The largest blocks at the peak, from allocation to release.
  void DrawBlocks(const DeviceMemory& memory, const MemoryCourse& course, Place* place) {
    for (uint32_t lane = 0; lane < course.lanes; ++lane) {
      writer_.BlockLane(place->pid, place->lanes + lane + 1, Numbered("block", place->lanes + lane));
    }
    for (const TimelineBlock& drawn : course.largest) {
      const MemoryBlock& block = memory.blocks[drawn.block];
      const std::string name = fmt::format("{} {}", FormatMemory(block.bytes), profile_.Name(block.node));
      writer_.Block({place->pid,
                     place->lanes + drawn.lane + 1,
                     drawn.start,
                     drawn.length,
                     name,
                     kNoIndex,
                     args_.OfBlock(block.node, block.bytes, drawn.released),
                     {},
                     {}},
                    next_block_++);
    }
    place->lanes += course.lanes;
  }

  const Profile& profile_;
  const std::vector<bool>& shown_;
  const bool one_file_;
  const int64_t min_micros_;
  TimelineWriter& writer_;
  TimelineArgs args_;
  TimelineSummary summary_;
  std::map<DeviceId, Place> places_;  // of the step at hand
  uint32_t next_pid_ = 1;
  uint64_t next_flow_ = 1, next_block_ = 1;
};

// Scope and code: a region lasts as long as its total; siblings follow one another from where their parent
// starts.
void DrawRegions(const Report& report, TimelineWriter& writer, TimelineSummary* summary) {
  std::vector<int64_t> next(report.rows.size());  // by row: where its next child starts, in microseconds
  uint32_t levels = 0;
  bool saturated = false;
  for (uint32_t r = 0; r < report.rows.size(); ++r) {
    const Row& row = report.rows[r];
    const int64_t micros = report.Total(row)[ColumnId::kMicros];
    if (micros <= 0) continue;
    int64_t start = 0;
    if (row.parent != kNoIndex) {
      start = next[row.parent];
      next[row.parent] = SaturatingAdd(start, micros, &saturated);
    }
    next[r] = start;
    for (; levels <= row.depth; ++levels) {
      writer.Process(levels + 1, fmt::format("Scope:{}", levels), "");
      writer.Lane(levels + 1, 1, Numbered("lane", 0));
    }
    const TraceArg args[] = {{"micros", {}, report.Own(row)[ColumnId::kMicros]},
                             {"total_micros", {}, micros}};
    writer.Slice(
        {row.depth + 1, 1, NanosOfMicros(start), NanosOfMicros(micros), row.name, kNoIndex, args, {}, {}});
    ++summary->events;
  }
}

// Opens the file, lets `draw` fill it through a writer and closes it.
template <class Draw>
Result<TimelineSummary> WriteOneFile(const std::string& path, TimelineFormat format, const Report& report,
                                     Draw draw) {
  Result<AtomicFile> file = AtomicFile::Create(path);
  if (!file) return file.error();
  TimelineSummary summary;
  {
    Output out([&](std::string_view bytes) { file->Write(bytes); });
    const std::unique_ptr<TimelineWriter> writer =
        format == TimelineFormat::kChrome ? MakeChromeWriter(out) : MakePerfettoWriter(out);
    draw(*writer, &summary);
    writer->Finish(report, summary);
  }
  summary.files.push_back({path, static_cast<int64_t>(file->written())});
  if (Status s = file->Commit(); !s) return s.error();
  return summary;
}

void Append(TimelineSummary&& more, TimelineSummary* all) {
  all->files.insert(all->files.end(), more.files.begin(), more.files.end());
  all->steps.insert(all->steps.end(), more.steps.begin(), more.steps.end());
  all->peaks.insert(all->peaks.end(), more.peaks.begin(), more.peaks.end());
  all->events += more.events;
  all->left_out += more.left_out;
  for (size_t i = 0; i < more.by_length.size(); ++i) all->by_length[i] += more.by_length[i];
}

std::vector<bool> ShownNodes(const Profile& profile, const Report& report) {
  if (!report.shown_nodes.empty()) return report.shown_nodes;
  std::vector<bool> shown(profile.size());
  for (const Row& row : report.rows) {
    if (row.node != kNoIndex) shown[row.node] = true;
  }
  return shown;
}

Result<TimelineSummary> WriteExecutions(const Profile& profile, const Report& report,
                                        const TimelineRequest& request) {
  const std::vector<bool> shown = ShownNodes(profile, report);
  std::vector<const Step*> steps;
  int64_t longest = -1;
  for (const Step& step : profile.steps) {
    if (!report.options.step.Has(step.number)) continue;
    steps.push_back(&step);
    for (const Execution& e : step.executions) {
      if (e.track != Track::kOther && shown[e.node.value]) longest = std::max(longest, WholeMicros(e.nanos));
    }
  }
  if (longest < 0) {
    return Error::Nothing("there is nothing to draw: no node that these options show has run");
  }
  if (longest < request.min_micros) {
    return Error::Nothing(
        fmt::format("there is nothing to draw: the longest execution took {} us, less than {}", longest,
                    request.min_micros));
  }
  const auto draw = [&](std::span<const Step* const> which) {
    return [&, which](TimelineWriter& writer, TimelineSummary* summary) {
      Drawer drawer(profile, shown, request, writer);
      for (const Step* step : which) drawer.Draw(*step);
      *summary = std::move(drawer.summary());
    };
  };
  if (request.one_file || steps.size() == 1) {
    return WriteOneFile(request.path, request.format, report, draw(steps));
  }
  TimelineSummary all;
  for (const Step*& step : steps) {
    Result<TimelineSummary> one = WriteOneFile(fmt::format("{}_{}", request.path, step->number),
                                               request.format, report, draw({&step, 1}));
    if (!one) return one;
    Append(std::move(*one), &all);
  }
  return all;
}

Status CheckDrawable(const Profile& profile, const Report& report) {
  if (Status s = NotOfLiveMemory(profile, "timeline"); !s) return s;
  if (report.view == ViewKind::kOp) {
    return Error::Usage(
        "the op view has no timeline: its rows lie neither in time nor in one another; use graph, scope or "
        "code");
  }
  if (profile.steps.empty())
    return Error::Input(fmt::format("a timeline cannot be drawn: {}", kHowToRecordRunMetadata));
  return {};
}

}  // namespace

TimelineFormat TimelineFormatOf(const std::string& path) {
  return path.ends_with(".pftrace") || path.ends_with(".perfetto-trace") ? TimelineFormat::kPerfetto
                                                                         : TimelineFormat::kChrome;
}

int64_t MinMicrosToFit(const TimelineSummary& summary, int64_t bytes) {
  int64_t largest = 0;
  for (const TimelineFile& file : summary.files) largest = std::max(largest, file.bytes);
  if (largest <= bytes || summary.events == 0) return 0;
  constexpr double kMemory = 0.25;  // of a file, at most: curves of memory, which nothing thins out
  const double share = static_cast<double>(bytes) / static_cast<double>(largest);
  int64_t kept = summary.events;
  for (size_t i = 0; i + 2 < summary.by_length.size(); ++i) {
    kept -= summary.by_length[i];
    const double rest = static_cast<double>(kept) / static_cast<double>(summary.events);
    if (kept > 0 && kMemory + (1 - kMemory) * rest <= share) return int64_t{1} << i;
  }
  return 0;
}

Result<TimelineSummary> WriteTimeline(const Profile& profile, const Report& report,
                                      const TimelineRequest& request) {
  if (Status s = CheckDrawable(profile, report); !s) return s.error();
  if (report.view == ViewKind::kGraph) return WriteExecutions(profile, report, request);
  if (report.Total(report.rows[0])[ColumnId::kMicros] <= 0) {
    return Error::Nothing("there is nothing to draw: what these options show took no time");
  }
  return WriteOneFile(
      request.path, request.format, report,
      [&](TimelineWriter& writer, TimelineSummary* summary) { DrawRegions(report, writer, summary); });
}

}  // namespace tfprof
