#include "diff/gate.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>

#include "base/checked.h"
#include "base/units.h"

namespace tfprof {
namespace {

double Growth(const LimitBreak& b) { return static_cast<double>(b.after) - static_cast<double>(b.before); }

class Gate {
 public:
  Gate(const UnionTree& tree, const std::vector<DiffInput>& inputs, const std::vector<ColumnId>& figures,
       StepTotals* steps)
      : tree_(tree), inputs_(inputs), figures_(figures), steps_(steps), last_(inputs.size() - 1) {}

  Result<LimitOutcome> Check(const Limit& limit) {
    LimitOutcome out;
    out.text = limit.text;
    out.figure = limit.figure;
    if (!limit.device.empty()) {
      if (Status s = CheckDevice(limit, &out); !s) return s.error();
    } else {
      CheckRows(limit, &out);
    }
    const auto worse = [](const LimitBreak& a, const LimitBreak& b) { return Growth(a) > Growth(b); };
    std::stable_sort(out.broken_by.begin(), out.broken_by.end(), worse);
    std::stable_sort(out.in_noise.begin(), out.in_noise.end(), worse);
    return out;
  }

 private:
  void CheckRows(const Limit& limit, LimitOutcome* out) {
    const auto figure =
        static_cast<size_t>(std::find(figures_.begin(), figures_.end(), limit.figure) - figures_.begin());
    const size_t end = limit.row ? tree_.size() : 1;
    for (size_t e = limit.row ? 1 : 0; e < end; ++e) {
      const std::string_view name = tree_.name[e];
      if (limit.row && !RE2::FullMatch(re2::StringPiece(name.data(), name.size()), *limit.row)) continue;
      if (!tree_.Present(e, last_) && !tree_.Present(e, 0)) continue;
      ++out->checked;
      LimitBreak row;
      row.before = tree_.Cell(e, figure, 0).total;
      row.after = tree_.Cell(e, figure, last_).total;
      row.was_missing = !tree_.Present(e, 0);
      if (!limit.Breaks(row.before, row.after)) continue;
      row.row = e == 0 ? "_TFProfRoot" : std::string(name);
      const Spread spread = steps_->Of(static_cast<uint32_t>(e), figure);
      const bool chance = limit.of_growth && spread.known && !spread.significant;
      (chance ? out->in_noise : out->broken_by).push_back(std::move(row));
    }
  }

  // The largest peak of the device's allocators: their peaks need not be at the same time, so they are not
  // added up.
  static const DevicePeak* PeakOf(const DiffInput& side, const std::string& device,
                                  std::optional<MemoryEvidence> evidence = std::nullopt) {
    const DevicePeak* best = nullptr;
    for (const DevicePeak& peak : side.peaks) {
      if (evidence && peak.evidence != *evidence) continue;
      if (IsDevice(peak.device, device) && (!best || peak.bytes > best->bytes)) best = &peak;
    }
    return best;
  }

  // Peaks that are known in the same way, the best one that both sides have. A derived peak says nothing
  // about a recorded one.
  Status FindPeaks(const Limit& limit, const DevicePeak** before, const DevicePeak** after) const {
    const DiffInput &first = inputs_.front(), &last = inputs_.back();
    *before = PeakOf(first, limit.device);
    *after = PeakOf(last, limit.device);
    if (!*before || !*after) return {};
    for (const MemoryEvidence evidence :
         {MemoryEvidence::kRecorded, MemoryEvidence::kMeasured, MemoryEvidence::kDerived}) {
      const DevicePeak *there = PeakOf(first, limit.device, evidence),
                       *here = PeakOf(last, limit.device, evidence);
      if (!there || !here) continue;
      *before = there;
      *after = here;
      return {};
    }
    const auto how = [](const DevicePeak& p) {
      return kMemoryEvidenceNames[static_cast<size_t>(p.evidence)];
    };
    return Error::Input(fmt::format(
        "limit '{}': the peak of {} is {} in {}, but {} in {}: these cannot be compared. Save both with "
        "this version of `tfprof save`, or give the runs themselves",
        limit.text, limit.device, how(**before), first.source, how(**after), last.source));
  }

  Status CheckDevice(const Limit& limit, LimitOutcome* out) {
    for (const DiffInput* side : {&inputs_.front(), &inputs_.back()}) {
      if (side->peaks.empty())
        return Error::Input(
            fmt::format("limit '{}': {} has no memory over time; trace the step with FULL_TRACE", limit.text,
                        side->source));
    }
    const DevicePeak *before = nullptr, *after = nullptr;
    if (Status s = FindPeaks(limit, &before, &after); !s) return s;
    if (!before && !after) {
      std::set<std::string> known;
      for (const DiffInput& side : inputs_) {
        for (const DevicePeak& peak : side.peaks) known.insert(peak.device);
      }
      std::string list;
      for (const std::string& device : known) list += (list.empty() ? "" : ", ") + device;
      return Error::Input(fmt::format("limit '{}': no input has the memory of a device '{}'; {}", limit.text,
                                      limit.device, "recorded are " + list));
    }
    ++out->checked;
    LimitBreak row;
    row.before = before ? before->bytes : 0;
    row.after = after ? after->bytes : 0;
    row.was_missing = !before;
    if (!limit.Breaks(row.before, row.after)) return {};
    row.row = after ? after->device : before->device;
    out->broken_by.push_back(std::move(row));
    return {};
  }

  const UnionTree& tree_;
  const std::vector<DiffInput>& inputs_;
  const std::vector<ColumnId>& figures_;
  StepTotals* steps_;
  size_t last_;
};

}  // namespace

std::string DescribeBreak(const LimitOutcome& limit, const LimitBreak& broken) {
  const Unit unit = UnitOf(limit.figure);
  std::string out = fmt::format("{}: {} ", broken.row, ColumnName(limit.figure));
  if (broken.was_missing) return out + fmt::format("{}, and it is new", FormatBrief(unit, broken.after));
  out += fmt::format("{} -> {}", FormatBrief(unit, broken.before), FormatBrief(unit, broken.after));
  bool saturated = false;
  const auto before = static_cast<double>(broken.before), after = static_cast<double>(broken.after);
  out += fmt::format(" ({}", FormatBriefSigned(unit, SaturatingSub(broken.after, broken.before, &saturated)));
  if (broken.before > 0) out += fmt::format(", {:+.1f}%", 100 * (after - before) / before);
  return out + ")";
}

Result<std::vector<LimitOutcome>> CheckLimits(const std::vector<Limit>& limits, const UnionTree& tree,
                                              const std::vector<DiffInput>& inputs,
                                              const std::vector<ColumnId>& figures, StepTotals* steps) {
  Gate gate(tree, inputs, figures, steps);
  std::vector<LimitOutcome> out;
  for (const Limit& limit : limits) {
    Result<LimitOutcome> outcome = gate.Check(limit);
    if (!outcome) return outcome.error();
    out.push_back(std::move(*outcome));
  }
  return out;
}

}  // namespace tfprof
