#include "view/view_warnings.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "base/checked.h"
#include "base/units.h"
#include "base/variable_roles.h"
#include "model/add_figures.h"
#include "model/captured_run.h"
#include "model/live_memory.h"
#include "model/recording.h"
#include "model/variable_roles.h"

namespace tfprof {
namespace {

// A share from which on a total needs no explanation.
constexpr double kMostOfIt = 0.9;

bool HasMemory(const Profile& profile) {
  return std::any_of(profile.steps.begin(), profile.steps.end(), [](const Step& s) { return s.has_memory; });
}

bool Has(const Profile& profile, ColumnNeeds needs) {
  switch (needs) {
    case ColumnNeeds::kGraph:
      return true;
    case ColumnNeeds::kRuns:
    case ColumnNeeds::kTimes:
      return !profile.steps.empty();
    case ColumnNeeds::kMemory:
      return HasMemory(profile) || profile.live_memory ||
             (profile.capture && !profile.capture->memory.events.empty());
    case ColumnNeeds::kFloatOps:
      return profile.has_op_log || profile.native_float_ops ||
             (profile.capture && profile.coverage.with_float_ops > 0);
    case ColumnNeeds::kCountedOps:
      return profile.native_float_ops || (profile.capture && profile.capture->programs_run > 0);
    case ColumnNeeds::kCheckpoint:
      return profile.checkpoint != nullptr;
  }
  return false;
}

void NoteUnusedOptions(Report* report) {
  const Options& o = report->options;
  const auto note = [&](std::string_view option, std::string_view view) {
    report->notes.push_back(fmt::format("{} has no effect in the {} view", option, view));
  };
  const bool code = report->view == ViewKind::kCode, op = report->view == ViewKind::kOp;
  if (code && o.account_displayed_op_only) note("-account_displayed_op_only", "code");
  for (const ColumnSpec& column : Columns()) {
    if (code && !column.in_code && column.is_figure() && o.minimum[IndexOf(column.id)] > 0)
      note(fmt::format("-min_{}", column.name), "code");
    if (op && !column.in_op && o.order_by == column.id) note(fmt::format("-order_by {}", column.name), "op");
    // Other columns say so in their cells, or below the row.
    const bool silent = column.kind == ColumnKind::kTensor || column.kind == ColumnKind::kNumber;
    if (!o.Selects(column.id) || !silent) continue;
    if (op && !column.in_op) note(fmt::format("-select {}", column.name), "op");
    if (code && !column.in_code) note(fmt::format("-select {}", column.name), "code");
  }
  if (!code && o.frames == Frames::kUser) note("-frames user", "scope, graph and op");
}

// TensorFlow counts whatever has a shape: say what is in the sum.
void NoteParameters(const Profile& profile, Report* report) {
  const Options& o = report->options;
  if (!o.classic || !o.Selects(ColumnId::kParams) || o.account_type_regexes != Regexes{".*"}) return;
  const ProfileVariables variables = FindVariables(profile);
  const auto in = [&](VariableRole role) { return variables.elements[static_cast<size_t>(role)]; };
  if (in(VariableRole::kOptimizer) + in(VariableRole::kOther) + in(VariableRole::kNone) == 0) return;
  std::string sum;
  bool saturated = false;
  int64_t all = 0;
  for (const VariableRole role :
       {VariableRole::kParameter, VariableRole::kOptimizer, VariableRole::kOther, VariableRole::kNone}) {
    all = SaturatingAdd(all, in(role), &saturated);
    if (in(role) == 0 && role != VariableRole::kParameter) continue;
    sum += fmt::format("{}{} {}", sum.empty() ? "" : " + ", in(role),
                       kVariableRoleNames[static_cast<size_t>(role)]);
  }
  report->notes.push_back(fmt::format(
      "parameters are counted as TensorFlow does, of every node with a shape: {} = {}", all, sum));
}

// -account_displayed_op_only and a minimum may leave next to nothing, as in TensorFlow: say of how much.
void WarnShare(const FigureTable& nodes, const std::vector<bool>& accounted, Report* report) {
  if (!report->options.account_displayed_op_only || report->view == ViewKind::kCode) return;
  Figures all;
  bool saturated = false;
  for (size_t n = 0; n < accounted.size(); ++n) {
    if (accounted[n]) AddFigures(nodes[n], &all, &saturated);
  }
  const Figures& shown = report->Total(report->rows[0]);
  for (const ColumnSpec& column : Columns()) {
    if (!column.is_figure() || !report->options.Selects(column.id) || !report->Recorded(column.id)) continue;
    const auto whole = static_cast<double>(all[column.id]);
    if (static_cast<double>(shown[column.id]) >= kMostOfIt * whole) continue;
    report->warnings.push_back(
        fmt::format("with -account_displayed_op_only totals count the rows shown: {} of {} ({}); lower "
                    "minima (-min_{}...) and "
                    "fewer name filters show more, -account_displayed_op_only false counts all",
                    FormatFigure(column.id, shown), FormatFigure(column.id, all), column.label, column.name));
    return;
  }
}

// What is selected but nowhere recorded prints as n/a; say why and how to get it.
void WarnMissing(const Profile& profile, Report* report) {
  const auto misses = [&](ColumnNeeds needs) {
    if (Has(profile, needs)) return false;
    return std::any_of(Columns().begin(), Columns().end(), [&](const ColumnSpec& column) {
      return column.needs == needs && report->options.Selects(column.id);
    });
  };
  const bool no_memory = misses(ColumnNeeds::kMemory);
  if (profile.live_memory) {
    if (misses(ColumnNeeds::kTimes))
      report->warnings.emplace_back("a memory profile has no times: -select bytes is what it tells");
  } else if ((misses(ColumnNeeds::kTimes) || no_memory) && profile.steps.empty()) {
    report->warnings.push_back(
        fmt::format("times and memory were not recorded: {}", kHowToRecordRunMetadata));
  } else if (no_memory) {
    report->warnings.emplace_back(profile.capture
                                      ? "the capture has no memory events"
                                      : "memory was not recorded: trace the step with RunOptions.FULL_TRACE");
  }
  if (misses(ColumnNeeds::kFloatOps)) {
    report->warnings.emplace_back(
        "float ops were not recorded: they are in the op log (tf.compat.v1.profiler.write_op_log, "
        "--op_log_path), or counted from a graph (--graph_path, -flops native)");
  }
  if (misses(ColumnNeeds::kCountedOps)) {
    report->warnings.emplace_back(
        "multiply-adds, bytes moved and rates are counted from a graph: give it, with -flops native where an "
        "op log has float ops");
  }
  if (misses(ColumnNeeds::kCheckpoint)) {
    report->warnings.emplace_back(
        "there are no tensor values without a checkpoint: give it with --checkpoint_path");
  }
}

// Calls of libraries whose float ops nobody knows are in no sum: say how much the sums rest on.
void WarnPartial(const Profile& profile, Report* report) {
  const Options& o = report->options;
  const bool asked = o.Selects(ColumnId::kFloatOps) || o.Selects(ColumnId::kFlopRate) ||
                     o.Selects(ColumnId::kIntensity) || o.Selects(ColumnId::kBound);
  if (!profile.capture || !asked || !report->Recorded(ColumnId::kFloatOps)) return;
  double all = 0, known = 0;
  for (size_t n = 0; n < profile.size(); ++n) {
    const Figures f = report->figures[n];
    const auto nanos = static_cast<double>(f.Nanos(ColumnId::kMicros));
    all += nanos;
    if (f.Knows(ColumnId::kFloatOps)) known += nanos;
  }
  if (known >= all) return;
  report->warnings.push_back(
      fmt::format("float ops are known of {:.1f}% of the time; other ops (calls of libraries, copies, ops of "
                  "the host) are n/a, and sums over them are at least what they print",
                  100 * known / all));
}

// A column that needs the device's peaks, without them.
void WarnPeaks(Report* report) {
  if (!report->options.Selects(ColumnId::kBound)) return;
  if (report->peaks.flops <= 0)
    report->warnings.push_back("the device's peak of float ops is not known: " + report->peaks.flops_rule);
  if (report->peaks.bandwidth <= 0)
    report->warnings.push_back("the device's peak bandwidth is not known: " + report->peaks.bandwidth_rule);
}

}  // namespace

ColumnSet RecordedFigures(const Profile& profile) {
  // What is live was asked for and is still held; nothing else is known.
  if (profile.live_memory) return {ColumnId::kBytes, ColumnId::kResidualBytes, ColumnId::kDefined};
  ColumnSet recorded;
  for (const ColumnSpec& column : Columns()) {
    // A capture tells what a node owns at the peak and how large its result is, not what it asked for.
    const bool untold = column.needs == ColumnNeeds::kMemory && !HasMemory(profile) &&
                        column.id != ColumnId::kPeakBytes && column.id != ColumnId::kOutputBytes;
    if (column.is_figure() && Has(profile, column.needs) && !untold) recorded.Add(column.id);
  }
  return recorded;
}

void AddWarnings(const Profile& profile, const std::vector<bool>& accounted, Report* report) {
  NoteUnusedOptions(report);
  NoteParameters(profile, report);
  WarnShare(report->figures, accounted, report);
  WarnMissing(profile, report);
  WarnPartial(profile, report);
  WarnPeaks(report);
}

}  // namespace tfprof
