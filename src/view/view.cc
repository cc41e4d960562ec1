#include "tfprof/view.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/checked.h"
#include "model/captured_run.h"
#include "model/recording.h"
#include "model/variable_roles.h"
#include "view/brevity.h"
#include "view/code_view.h"
#include "view/graph_view.h"
#include "view/node_figures.h"
#include "view/op_view.h"
#include "view/row_details.h"
#include "view/scope_view.h"

namespace tfprof {
namespace {

// The Report's names point into these.
struct Kept {
  std::shared_ptr<const Profile> profile;
  std::shared_ptr<const StringPool> names;
};

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
      return HasMemory(profile) || (profile.capture && !profile.capture->memory.events.empty());
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

// Which figures the input has at all.
ColumnSet RecordedFigures(const Profile& profile) {
  ColumnSet recorded;
  for (const ColumnSpec& column : Columns()) {
    // A capture tells what a node owns at the peak and how large its result is, not what it asked for.
    const bool untold = column.needs == ColumnNeeds::kMemory && !HasMemory(profile) &&
                        column.id != ColumnId::kPeakBytes && column.id != ColumnId::kOutputBytes;
    if (column.is_figure() && Has(profile, column.needs) && !untold) recorded.Add(column.id);
  }
  return recorded;
}

// A capture may lack what a view is about: nothing ran in it, or it has no programs.
Status CheckCapture(const Profile& profile, ViewKind view) {
  if (!profile.capture) return {};
  if (profile.size() == 0) {
    return Error::Input(
        "the capture has neither ops nor kernels: nothing that this version knows ran while it was recorded. "
        "`tfprof memory` and `tfprof info` show what else is there");
  }
  if (view == ViewKind::kGraph && profile.coverage.nodes == 0) {
    return Error::Input(
        "the graph view needs the programs (HLO), and the capture has none: they are recorded unless "
        "enable_hlo_proto is off; a TensorFlow graph can be given beside the capture");
  }
  return {};
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
  if ((misses(ColumnNeeds::kTimes) || no_memory) && profile.steps.empty()) {
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

void DescribeTreeRows(const Profile& profile, const ViewTree& tree, const std::vector<uint32_t>& entry_of_row,
                      bool everything, Report* report) {
  RowDetails details(profile, everything, report);
  const std::string_view made = report->view == ViewKind::kScope ? kScopeParentType : kGraphParentType;
  for (size_t r = 0; r < report->rows.size(); ++r) {
    const NodeId node = tree.node[entry_of_row[r]];
    if (node) {
      details.Describe(node, &report->rows[r]);
    } else {
      details.DescribeMade(made, &report->rows[r]);
    }
  }
}

// A scope or frame that is no node has nothing to record: its own 0 is a fact wherever the figure was
// recorded at all.
void KnowMadeRows(const ViewTree& tree, const std::vector<uint32_t>& entry_of_row, Report* report) {
  const ColumnSet known = report->Total(report->rows[0]).known;
  for (size_t r = 0; r < report->rows.size(); ++r) {
    if (!tree.node[entry_of_row[r]]) report->figures[report->rows[r].own].known = known;
  }
}

// Every frame of the tree, so that a shown frame can name its true caller; entry e becomes code_frames[e -
// 1].
void AddCodeFrames(const Profile& profile, const CodeTree& code, const std::vector<uint32_t>& entry_of_row,
                   Report* report) {
  const auto text = [&](StringId s) { return s ? profile.strings[s] : std::string_view("none"); };
  for (uint32_t e = 1; e < code.tree.size(); ++e) {
    const Frame& frame = profile.frames[code.frame[e]];
    const uint32_t parent = code.tree.parent[e];
    report->code_frames.push_back({text(frame.file), text(frame.function), frame.line, code.gradient[e],
                                   parent == 0 ? kNoIndex : parent - 1});
  }
  for (size_t r = 1; r < report->rows.size(); ++r) report->rows[r].frame = entry_of_row[r] - 1;
}

}  // namespace

Result<Report> MakeReport(const std::shared_ptr<const Profile>& shared, ViewKind view, const Options& options,
                          ReportDetail detail) {
  const Profile& profile = *shared;
  if (Status s = CheckCapture(profile, view); !s) return s.error();
  const bool everything = detail == ReportDetail::kEverything;
  Report report;
  report.view = view;
  report.options = options;
  report.warnings = profile.warnings;
  Result<Matchers> matchers = Matchers::Compile(options);
  if (!matchers) return matchers.error();
  Result<std::vector<Figures>> figures = NodeFigures(profile, options, &report.warnings);
  if (!figures) return figures.error();
  report.figures = std::move(*figures);
  report.coverage = profile.coverage;
  report.recorded = RecordedFigures(profile);
  Settle(!profile.steps.empty(), &report);
  for (const InputFile& file : profile.files) report.input_files.push_back(file.path);
  if (view == ViewKind::kScope || view == ViewKind::kGraph) report.checkpoint = profile.checkpoint;
  const std::vector<bool> accounted = AccountedNodes(profile, options.classic, matchers->account);
  auto kept = std::make_shared<Kept>();
  kept->profile = shared;

  if (view == ViewKind::kOp) {
    std::vector<std::vector<NodeId>> nodes;
    MakeOpRows(profile, accounted, *matchers, &report, &nodes);
    KeepRows(RowsThatStay(&report), &report, &nodes);
    RowDetails details(profile, everything, &report);
    for (size_t r = 1; r < report.rows.size(); ++r) details.DescribeMany(nodes[r], true, &report.rows[r]);
  } else if (view == ViewKind::kCode) {
    Result<CodeTree> code = BuildCodeTree(profile, accounted, matchers->account, &report);
    if (!code) return code.error();
    code->tree.nodes = &code->nodes;
    std::vector<uint32_t> entry_of_row;
    MakeRows(profile, code->tree, *matchers, &report, &entry_of_row);
    KeepRows(RowsThatStay(&report), &report, &entry_of_row);
    KnowMadeRows(code->tree, entry_of_row, &report);
    RowDetails details(profile, everything, &report);
    for (size_t r = 0; r < report.rows.size(); ++r) {
      details.DescribeMany(code->nodes[entry_of_row[r]], false, &report.rows[r]);
    }
    if (everything) AddCodeFrames(profile, *code, entry_of_row, &report);
    kept->names = code->names;
  } else {
    std::vector<uint32_t> entry_of_row;
    const ViewTree tree = view == ViewKind::kScope
                              ? BuildScopeTree(profile, accounted, matchers->account, &report)
                              : BuildGraphTree(profile, accounted, &report);
    MakeRows(profile, tree, *matchers, &report, &entry_of_row);
    KeepRows(RowsThatStay(&report), &report, &entry_of_row);
    KnowMadeRows(tree, entry_of_row, &report);
    DescribeTreeRows(profile, tree, entry_of_row, everything, &report);
  }
  NoteUnusedOptions(&report);
  NoteParameters(profile, &report);
  WarnMissing(profile, &report);
  report.keeps = std::move(kept);
  return report;
}

std::vector<std::optional<std::vector<int64_t>>> OutputShapes(const Profile& profile, uint32_t node) {
  std::vector<std::optional<std::vector<int64_t>>> out;
  if (node >= profile.size()) return out;
  for (const ShapeId shape : profile.OutputShapes(NodeId(node))) {
    const auto dims = profile.shapes[shape];
    out.emplace_back();
    if (!dims.empty()) out.back().emplace(dims.begin(), dims.end());
  }
  return out;
}

}  // namespace tfprof
