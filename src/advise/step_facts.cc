#include "advise/step_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <unordered_map>

#include "base/checked.h"

namespace tfprof::advise {

// A figure at the end of the range is as good as the true one here.
int64_t Sum(int64_t a, int64_t b) { return SaturatingAdd(a, b); }

int64_t Difference(int64_t end, int64_t begin) {
  int64_t difference;
  if (!__builtin_sub_overflow(end, begin, &difference)) return difference;
  return end < begin ? std::numeric_limits<int64_t>::min() : std::numeric_limits<int64_t>::max();
}

int64_t MicrosOf(const StepRow& row) { return Sum(AcceleratorMicros(row), CpuMicros(row)); }

int64_t MicrosOf(const Step& step) { return MicrosOfPicos(step.sums.picos); }

bool IsGradient(const Profile& profile, NodeId node) {
  const std::string_view name = profile.Name(node);
  const size_t at = name.find("gradient");  // gradients/, gradients_1/, gradient_tape/
  return at != std::string_view::npos && (at == 0 || name[at - 1] == '/');
}

void SortByWeight(const Profile& profile, std::vector<Weighted>* nodes) {
  std::sort(nodes->begin(), nodes->end(), [&](const Weighted& a, const Weighted& b) {
    return a.second != b.second ? a.second > b.second : profile.Name(a.first) < profile.Name(b.first);
  });
}

std::vector<Weighted> NodesOfWork(const Profile& profile, const Step& step, WorkKind kind) {
  std::vector<Weighted> out;
  for (size_t r = 0; r < step.rows.size(); ++r) {
    const NodeId node = step.node_of_row[r];
    if (WorkKindOf(profile, node) == kind) out.emplace_back(node, MicrosOf(step.rows[r]));
  }
  SortByWeight(profile, &out);
  return out;
}

std::string ListNodes(const Profile& profile, std::span<const Weighted> nodes, size_t limit,
                      std::string (*format)(int64_t)) {
  std::string out;
  for (size_t i = 0; i < std::min(limit, nodes.size()); ++i) {
    out +=
        fmt::format("{}{} ({})", i == 0 ? "" : ", ", profile.Name(nodes[i].first), format(nodes[i].second));
  }
  if (nodes.size() > limit) out += fmt::format(" and {} more", nodes.size() - limit);
  return out;
}

std::string Count(int64_t n, std::string_view what) {
  if (n == 1) return fmt::format("1 {}", what);
  const bool y = what.ends_with('y');
  return fmt::format("{} {}{}", n, y ? what.substr(0, what.size() - 1) : what, y ? "ies" : "s");
}

std::string Percent(int64_t part, int64_t whole) { return fmt::format("{:.1f}%", 100 * Share(part, whole)); }

std::vector<Interval> Merged(std::vector<Interval> intervals) {
  std::sort(intervals.begin(), intervals.end(),
            [](const Interval& a, const Interval& b) { return a.begin < b.begin; });
  std::vector<Interval> out;
  for (const Interval& i : intervals) {
    if (i.end <= i.begin) continue;
    if (!out.empty() && i.begin <= out.back().end) {
      out.back().end = std::max(out.back().end, i.end);
    } else {
      out.push_back(i);
    }
  }
  return out;
}

int64_t TotalLength(std::span<const Interval> intervals) {
  int64_t sum = 0;
  for (const Interval& i : intervals) sum = Sum(sum, i.length());
  return sum;
}

std::vector<PeakMemory> PeaksOf(const Profile& profile, const Step& step) {
  std::vector<PeakMemory> out;
  for (DeviceMemory& memory : BuildMemoryTimeline(profile, step)) {
    // Measured memory says nothing of nodes, derived memory supposes the lives that the checkers ask about.
    if (memory.evidence != MemoryEvidence::kRecorded) continue;
    const MemoryCurve curve = CurveOf(memory);
    if (curve.changes.empty()) continue;
    PeakMemory& peak = out.emplace_back();
    peak.peak = curve.peak;
    peak.span = {MicrosOfNanos(curve.changes.front().nanos), MicrosOfNanos(curve.changes.back().nanos)};
    peak.live = LiveAt(memory, peak.peak.nanos);
    peak.memory = std::move(memory);
  }
  return out;
}

bool IsWorthAChange(const MemoryBlock& block, const PeakMemory& at_peak) {
  constexpr int64_t kMinBytes = 100000;
  constexpr double kMinShare = 0.05;
  return block.bytes >= kMinBytes && Share(block.bytes, at_peak.peak.bytes) >= kMinShare;
}

std::vector<NodeId> LastReaders(const Profile& profile, const Step& step, std::span<const NodeId> nodes) {
  std::vector<NodeId> readers(nodes.size());
  std::unordered_map<uint32_t, std::vector<size_t>> wanted;
  for (size_t i = 0; i < nodes.size(); ++i) wanted[nodes[i].value].push_back(i);
  if (wanted.empty()) return readers;
  for (size_t n = 0; n < profile.size(); ++n) {
    const StepRow* row = step.Find(NodeId(n));
    if (!row || row->first_start <= 0) continue;
    for (const Input& input : profile.Inputs(NodeId(n))) {
      const auto found = input.node ? wanted.find(input.node.value) : wanted.end();
      if (found == wanted.end()) continue;
      for (size_t i : found->second) {
        const StepRow* last = readers[i] ? step.Find(readers[i]) : nullptr;
        if (!last || last->first_start < row->first_start) readers[i] = NodeId(n);
      }
    }
  }
  return readers;
}

}  // namespace tfprof::advise
