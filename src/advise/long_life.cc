// LongLifeChecker: tensors that lie in memory through most of the step, and so at the peak, for one late
// reader.
#include <fmt/format.h>

#include "advise/checker.h"
#include "advise/step_facts.h"
#include "base/checked.h"
#include "base/units.h"

namespace tfprof::advise {
namespace {

constexpr double kMinLifeShare = 0.5;  // of the time between the device's first and last change

// An op may hand its input's memory on as its output: then the memory outlives the last reader.
std::string LastRead(const Subject& subject, NodeId reader, const MemoryBlock& block) {
  std::string out = fmt::format(", last read by {}", subject.profile.Name(reader));
  const int64_t later = Difference(TimeOf(block).end, EndMicros(*subject.step->Find(reader)));
  if (later > 0) out += fmt::format(", released {} after that", FormatTime(later));
  return out;
}

std::string DescribeLongLives(const Subject& subject, const PeakMemory& at_peak) {
  const Profile& profile = subject.profile;
  std::vector<uint32_t> found;
  std::vector<NodeId> nodes;
  int64_t bytes = 0;
  for (uint32_t b : at_peak.live) {
    const MemoryBlock& block = at_peak.memory.blocks[b];
    // What the records do not release may be a variable or the result: nothing to advise.
    if (block.end == kStillLive) continue;
    if (!IsWorthAChange(block, at_peak)) break;  // largest first
    if (Share(TimeOf(block).length(), at_peak.span.length()) < kMinLifeShare) continue;
    bytes = Sum(bytes, block.bytes);
    found.push_back(b);
    nodes.push_back(block.node);
  }
  if (found.empty()) return "";
  nodes.resize(std::min(nodes.size(), kNamed));
  const std::vector<NodeId> readers = LastReaders(profile, *subject.step, nodes);
  std::string out = fmt::format(
      "{}: {} with a life of half the step or more: {}, {} of the peak ({}). "
      "Let the last reader run earlier, recompute, or use a smaller type:",
      profile.DeviceName(at_peak.memory.device), Count(static_cast<int64_t>(found.size()), "tensor"),
      FormatMemory(bytes), Percent(bytes, at_peak.peak.bytes), FormatMemory(at_peak.peak.bytes));
  for (size_t i = 0; i < nodes.size(); ++i) {
    const MemoryBlock& block = at_peak.memory.blocks[found[i]];
    out += fmt::format("\n  {}: {} for {} of {}", profile.Name(nodes[i]), FormatMemory(block.bytes),
                       FormatTime(TimeOf(block).length()), FormatTime(at_peak.span.length()));
    if (readers[i]) out += LastRead(subject, readers[i], block);
  }
  if (found.size() > nodes.size()) out += fmt::format("\n  and {} more", found.size() - nodes.size());
  return out;
}

}  // namespace

void CheckLongLives(const Subject& subject, CheckerAdvice* out) {
  if (!subject.step) {
    out->not_checked = kNoRunMetadata;
    return;
  }
  const std::vector<PeakMemory> peaks = PeaksOf(subject.profile, *subject.step);
  if (peaks.empty()) out->not_checked = "the input has no allocation history";
  for (const PeakMemory& peak : peaks) {
    if (std::string report = DescribeLongLives(subject, peak); !report.empty())
      out->reports.push_back(std::move(report));
  }
}

}  // namespace tfprof::advise
