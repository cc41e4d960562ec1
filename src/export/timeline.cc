#include "tfprof/timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/atomic_file.h"
#include "base/checked.h"
#include "base/units.h"
#include "export/timeline_args.h"
#include "export/timeline_model.h"
#include "export/timeline_writer.h"
#include "model/recording.h"

namespace tfprof {
namespace {

std::string LaneName(uint32_t lane) { return fmt::format("lane {}", lane + 1); }

// Draws into one file. Process and arrow numbers run on over the steps of a file.
class Drawer {
 public:
  Drawer(const Profile& profile, const std::vector<bool>& shown, bool one_file, TimelineWriter& writer)
      : profile_(profile), shown_(shown), one_file_(one_file), writer_(writer), args_(profile) {}

  void Draw(const Step& step) {
    const StepTimeline timeline = BuildStepTimeline(profile_, step, shown_, one_file_);
    writer_.Origin(one_file_ ? 0 : timeline.origin);
    step_suffix_ = one_file_ ? fmt::format(" (step {})", step.number) : "";
    step_label_ = one_file_ ? fmt::format("time 0 is {} us since 1970", timeline.origin) : std::string();
    DrawEvents(step, timeline);
    for (const DeviceMemory& memory : BuildMemoryTimeline(profile_, step)) {
      DrawMemory(step, memory, timeline);
    }
    const auto events = static_cast<int64_t>(timeline.events.size());
    const auto flows = static_cast<int64_t>(timeline.flows.size());
    summary_.steps.push_back({step.number, timeline.origin, events, flows});
    summary_.events += events;
    next_flow_ += timeline.flows.size();
  }

  TimelineSummary& summary() { return summary_; }

 private:
  void DrawEvents(const Step& step, const StepTimeline& timeline) {
    const uint32_t first_pid = next_pid_;
    for (const TimelineProcess& process : timeline.processes) {
      const char* what = process.is_stream ? "Op execution threads" : "Op scheduling threads";
      const uint32_t pid = next_pid_++;
      writer_.Process(pid, fmt::format("{}: {}{}", what, profile_.strings[process.device], step_suffix_),
                      step_label_);
      for (uint32_t lane = 0; lane < process.lanes; ++lane) writer_.Lane(pid, lane + 1, LaneName(lane));
    }
    std::vector<uint64_t> in, out;
    for (size_t e = 0; e < timeline.events.size(); ++e) {
      const TimelineEvent& event = timeline.events[e];
      in.clear();
      out.clear();
      const auto [first, last] = timeline.flows.Into(e);
      for (uint32_t flow = first; flow < last; ++flow) in.push_back(next_flow_ + flow);
      for (uint32_t flow : timeline.flows.OutOf(e)) out.push_back(next_flow_ + flow);
      writer_.Slice({first_pid + event.process, event.lane + 1, event.start, event.length,
                     profile_.Name(event.node), event.node.value, args_.OfExecution(step, event.node), in,
                     out});
    }
  }

  void DrawMemory(const Step& step, const DeviceMemory& memory, const StepTimeline& timeline) {
    const MemoryCourse course = BuildMemoryCourse(memory, timeline);
    const std::string_view device = profile_.strings[memory.device];
    const std::string_view allocator =
        memory.allocator ? profile_.strings[memory.allocator] : std::string_view();
    const std::string where =
        fmt::format("mem usage on:{}{}{}", device, allocator.empty() ? "" : " ", allocator);
    const char* how = memory.has_in_use ? "rebuilt from allocation records, above a measured base"
                                        : "rebuilt from allocation records";
    const uint32_t pid = next_pid_++;
    writer_.Process(pid, where + step_suffix_, Label(how));
    writer_.Counter(pid, how);
    for (const auto& [time, bytes] : course.held) writer_.Count(pid, time, bytes);
    DrawBlocks(memory, course, fmt::format("{} allocations{}", where, step_suffix_));
    TimelinePeak peak{step.number, std::string(device), std::string(allocator), course.peak.bytes,
                      0,           memory.has_in_use,   memory.baseline,        memory.measured_peak};
    peak.micros = NanosSince(timeline.origin, course.peak.micros) / 1000;
    summary_.peaks.push_back(std::move(peak));
  }

  void DrawBlocks(const DeviceMemory& memory, const MemoryCourse& course, const std::string& process) {
    if (course.largest.empty()) return;
    const uint32_t pid = next_pid_++;
    writer_.Process(pid, process, Label("the largest blocks held at the peak, from allocation to release"));
    for (uint32_t lane = 0; lane < course.lanes; ++lane) writer_.Lane(pid, lane + 1, LaneName(lane));
    for (const TimelineBlock& drawn : course.largest) {
      const MemoryBlock& block = memory.blocks[drawn.block];
      const std::string name = fmt::format("{} {}", FormatMemory(block.bytes), profile_.Name(block.node));
      writer_.Block({pid,
                     drawn.lane + 1,
                     drawn.start,
                     drawn.length,
                     name,
                     kNoIndex,
                     args_.OfBlock(block.node, block.bytes, drawn.released),
                     {},
                     {}},
                    next_block_++);
    }
  }

  std::string Label(std::string_view text) const {
    return step_label_.empty() ? std::string(text) : fmt::format("{}; {}", text, step_label_);
  }

  const Profile& profile_;
  const std::vector<bool>& shown_;
  const bool one_file_;
  TimelineWriter& writer_;
  TimelineArgs args_;
  TimelineSummary summary_;
  std::string step_suffix_, step_label_;
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
    const int64_t micros = report.Total(row)[Figure::kMicros];
    if (micros <= 0) continue;
    int64_t start = 0;
    if (row.parent != kNoIndex) {
      start = next[row.parent];
      next[row.parent] = SaturatingAdd(start, micros, &saturated);
    }
    next[r] = start;
    for (; levels <= row.depth; ++levels) {
      writer.Process(levels + 1, fmt::format("Scope:{}", levels), "");
      writer.Lane(levels + 1, 1, LaneName(0));
    }
    const TraceArg args[] = {{"micros", {}, report.Own(row)[Figure::kMicros]}, {"total_micros", {}, micros}};
    writer.Slice(
        {row.depth + 1, 1, NanosSince(0, start), NanosSince(0, micros), row.name, kNoIndex, args, {}, {}});
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
}

std::vector<bool> ShownNodes(const Profile& profile, const Report& report) {
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
  bool something = false;
  for (const Step& step : profile.steps) {
    if (report.options.step >= 0 && step.number != report.options.step) continue;
    steps.push_back(&step);
    something |= std::any_of(step.executions.begin(), step.executions.end(), [&](const Execution& e) {
      return e.track != Track::kOther && shown[e.node.value];
    });
  }
  if (!something) {
    return Error::Nothing("there is nothing to draw: no node that these options show has run");
  }
  const auto draw = [&](std::span<const Step* const> which) {
    return [&, which](TimelineWriter& writer, TimelineSummary* summary) {
      Drawer drawer(profile, shown, request.one_file, writer);
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

}  // namespace

TimelineFormat TimelineFormatOf(const std::string& path) {
  return path.ends_with(".pftrace") || path.ends_with(".perfetto-trace") ? TimelineFormat::kPerfetto
                                                                         : TimelineFormat::kChrome;
}

Result<TimelineSummary> WriteTimeline(const Profile& profile, const Report& report,
                                      const TimelineRequest& request) {
  if (report.view == ViewKind::kOp) {
    return Error::Usage(
        "the op view has no timeline: its rows lie neither in time nor in one another; use graph, scope or "
        "code");
  }
  if (profile.steps.empty()) {
    return Error::Input(fmt::format("a timeline cannot be drawn: {}", kHowToRecordRunMetadata));
  }
  if (report.view == ViewKind::kGraph) return WriteExecutions(profile, report, request);
  if (report.Total(report.rows[0])[Figure::kMicros] <= 0) {
    return Error::Nothing("there is nothing to draw: what these options show took no time");
  }
  return WriteOneFile(
      request.path, request.format, report,
      [&](TimelineWriter& writer, TimelineSummary* summary) { DrawRegions(report, writer, summary); });
}

}  // namespace tfprof
