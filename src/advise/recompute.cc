// RecomputeChecker: activations that wait in memory for the backward pass although making them anew would
// cost little.
#include <fmt/format.h>

#include "advise/checker.h"
#include "advise/step_facts.h"
#include "base/checked.h"
#include "base/units.h"

namespace tfprof::advise {
namespace {

constexpr double kMaxTimeShare = 0.01;  // of the time of all nodes, each

struct Candidate {
  NodeId node, reader;
  int64_t bytes = 0, micros = 0;
};

// Live at the peak, made in the forward pass, read last in the backward pass after the peak.
std::vector<Candidate> CandidatesAt(const Subject& subject, const PeakMemory& at_peak) {
  const Profile& profile = subject.profile;
  const int64_t all = MicrosOf(*subject.step);
  std::vector<Candidate> out;
  std::vector<NodeId> nodes;
  for (uint32_t b : at_peak.live) {
    const MemoryBlock& block = at_peak.memory.blocks[b];
    if (!IsWorthAChange(block, at_peak)) break;  // largest first
    const StepRow* row = subject.step->Find(block.node);
    if (!row || row->run_count == 0 || IsGradient(profile, block.node)) continue;
    const int64_t micros = MicrosOf(*row) / row->run_count;
    if (block.end == kStillLive || Share(micros, all) > kMaxTimeShare) continue;
    out.push_back({block.node, NodeId(), block.bytes, micros});
    nodes.push_back(block.node);
  }
  const std::vector<NodeId> readers = LastReaders(profile, *subject.step, nodes);
  for (size_t i = 0; i < out.size(); ++i) out[i].reader = readers[i];
  std::erase_if(out, [&](const Candidate& c) {
    return !c.reader || !IsGradient(profile, c.reader) ||
           subject.step->Find(c.reader)->first_start <= at_peak.peak.nanos;
  });
  return out;
}

std::string DescribeRecomputation(const Subject& subject, const PeakMemory& at_peak) {
  const std::vector<Candidate> found = CandidatesAt(subject, at_peak);
  if (found.empty()) return "";
  const Profile& profile = subject.profile;
  int64_t bytes = 0, micros = 0;
  for (const Candidate& c : found) {
    bytes = Sum(bytes, c.bytes);
    micros = Sum(micros, c.micros);
  }
  std::string out = fmt::format(
      "{}: {} kept for the backward pass: {}, {} of the peak ({}), which took {} to make ({} of all time). "
      "Recompute there instead (tf.recompute_grad):",
      profile.DeviceName(at_peak.memory.device), Count(static_cast<int64_t>(found.size()), "activation"),
      FormatMemory(bytes), Percent(bytes, at_peak.peak.bytes), FormatMemory(at_peak.peak.bytes),
      FormatTime(micros), Percent(micros, MicrosOf(*subject.step)));
  for (size_t i = 0; i < std::min(found.size(), kNamed); ++i) {
    out += fmt::format("\n  {} ({}): {}, {} to make, read by {}", profile.Name(found[i].node),
                       profile.Op(found[i].node), FormatMemory(found[i].bytes), FormatTime(found[i].micros),
                       profile.Name(found[i].reader));
  }
  if (found.size() > kNamed) out += fmt::format("\n  and {} more", found.size() - kNamed);
  return out;
}

}  // namespace

void CheckRecomputation(const Subject& subject, CheckerAdvice* out) {
  if (!subject.step) {
    out->not_checked = kNoRunMetadata;
    return;
  }
  const std::vector<PeakMemory> peaks = PeaksOf(subject.profile, *subject.step);
  if (peaks.empty()) out->not_checked = "the input has no allocation history";
  for (const PeakMemory& peak : peaks) {
    if (std::string report = DescribeRecomputation(subject, peak); !report.empty())
      out->reports.push_back(std::move(report));
  }
}

}  // namespace tfprof::advise
