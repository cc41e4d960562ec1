#include "tfprof/view.h"

#include <fmt/format.h>

#include <utility>

#include "base/checked.h"
#include "model/coverage.h"
#include "model/recording.h"
#include "model/variable_roles.h"
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
  if (code && o.minimum[static_cast<size_t>(Figure::kOccurrence)] > 0) note("-min_occurrence", "code");
  if (op && o.order_by == Order::kDepth) note("-order_by depth", "op");
  if (op && o.Selects(Select::kHiddenOps)) note("-select num_hidden_ops", "op");
  if ((code || op) && o.Selects(Select::kTensorValue)) note("-select tensor_value", code ? "code" : "op");
  if (!code && o.frames == Frames::kUser) note("-frames user", "scope, graph and op");
}

// TensorFlow counts whatever has a shape: say what is in the sum.
void NoteParameters(const Profile& profile, Report* report) {
  const Options& o = report->options;
  if (!o.classic || !o.Selects(Select::kParams) || o.account_type_regexes != Regexes{".*"}) return;
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

constexpr uint16_t kMemoryFigures = 0b1111, kTimeFigures = 0b1110000;

// Which figures the input has at all.
uint16_t RecordedFigures(const Profile& profile) {
  const auto bit = [](Figure f) { return 1u << static_cast<unsigned>(f); };
  unsigned recorded = bit(Figure::kParams) | bit(Figure::kDefined);
  if (!profile.steps.empty()) recorded |= kTimeFigures | bit(Figure::kOccurrence);
  for (const Step& step : profile.steps) recorded |= step.has_memory ? kMemoryFigures : 0u;
  if (profile.has_op_log || profile.native_float_ops) recorded |= bit(Figure::kFloatOps);
  if (profile.native_float_ops) recorded |= bit(Figure::kMacs) | bit(Figure::kMovedBytes);
  return static_cast<uint16_t>(recorded);
}

// What is selected but nowhere recorded prints as n/a; say why and how to get it.
void WarnMissing(const Profile& profile, Report* report) {
  const unsigned missing = report->options.select & ~unsigned{report->recorded};
  if ((missing & (kTimeFigures | kMemoryFigures)) && profile.steps.empty()) {
    report->warnings.push_back(
        fmt::format("times and memory were not recorded: {}", kHowToRecordRunMetadata));
  } else if (missing & kMemoryFigures) {
    report->warnings.emplace_back("memory was not recorded: trace the step with RunOptions.FULL_TRACE");
  }
  const auto misses = [&](Figure figure) { return (missing >> static_cast<unsigned>(figure) & 1) != 0; };
  if (misses(Figure::kFloatOps)) {
    report->warnings.emplace_back(
        "float ops were not recorded: they are in the op log (tf.compat.v1.profiler.write_op_log, "
        "--op_log_path), or counted from a graph (--graph_path, -flops native)");
  }
  const bool derived =
      report->options.Selects(Select::kIntensity) || report->options.Selects(Select::kFlopRate);
  if (misses(Figure::kMacs) || misses(Figure::kMovedBytes) || (derived && !profile.native_float_ops)) {
    report->warnings.emplace_back(
        "multiply-adds, bytes moved and rates are counted from a graph: give it, with -flops native where an "
        "op log "
        "has float ops");
  }
  if (report->options.Selects(Select::kTensorValue) && !profile.checkpoint) {
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
  const uint16_t known = report->Total(report->rows[0]).known;
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
  const bool everything = detail == ReportDetail::kEverything;
  Report report;
  report.view = view;
  report.options = options;
  if (report.options.select == 0) {
    report.options.select =
        1u << static_cast<unsigned>(profile.steps.empty() ? Select::kParams : Select::kMicros);
  }
  report.warnings = profile.warnings;
  Result<Matchers> matchers = Matchers::Compile(options);
  if (!matchers) return matchers.error();
  Result<std::vector<Figures>> figures = NodeFigures(profile, options, &report.warnings);
  if (!figures) return figures.error();
  report.figures = std::move(*figures);
  report.coverage = ComputeCoverage(profile);
  report.recorded = RecordedFigures(profile);
  for (const InputFile& file : profile.files) report.input_files.push_back(file.path);
  if (view == ViewKind::kScope || view == ViewKind::kGraph) report.checkpoint = profile.checkpoint;
  report.unreadable = std::make_shared<std::vector<std::string>>();
  const std::vector<bool> accounted = AccountedNodes(profile, options.classic, matchers->account);
  auto kept = std::make_shared<Kept>();
  kept->profile = shared;

  if (view == ViewKind::kOp) {
    std::vector<std::vector<NodeId>> nodes;
    MakeOpRows(profile, accounted, *matchers, &report, &nodes);
    RowDetails details(profile, everything, &report);
    for (size_t r = 1; r < report.rows.size(); ++r) details.DescribeMany(nodes[r], true, &report.rows[r]);
  } else if (view == ViewKind::kCode) {
    Result<CodeTree> code = BuildCodeTree(profile, accounted, matchers->account, &report);
    if (!code) return code.error();
    code->tree.nodes = &code->nodes;
    std::vector<uint32_t> entry_of_row;
    MakeRows(profile, code->tree, *matchers, &report, &entry_of_row);
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
