#include "tfprof/view.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <set>
#include <span>
#include <utility>

#include "base/checked.h"
#include "base/op_kinds.h"
#include "base/units.h"
#include "base/variable_roles.h"
#include "model/add_figures.h"
#include "model/captured_run.h"
#include "model/device_peaks.h"
#include "model/live_memory.h"
#include "model/node_attr.h"
#include "model/recording.h"
#include "model/variable_roles.h"
#include "view/brevity.h"
#include "view/code_view.h"
#include "view/fold_names.h"
#include "view/graph_view.h"
#include "view/nearest_names.h"
#include "view/node_figures.h"
#include "view/op_view.h"
#include "view/row_details.h"
#include "view/scope_view.h"

namespace tfprof {
namespace {

// A share from which on a total needs no explanation.
constexpr double kMostOfIt = 0.9;

// Rows of figures behind those of the nodes: with room for them nothing is moved.
size_t RowsBehind(const Profile& profile, const ViewTree& tree, const Matchers& matchers,
                  const Options& options) {
  constexpr size_t kBesideTree = 4096;
  return (tree.size() > 0 ? CountTotals(profile, tree, matchers, options) : profile.size()) + kBesideTree;
}

// The Report's names point into these.
struct Kept {
  std::shared_ptr<const Profile> profile;
  std::shared_ptr<const StringPool> names;
  std::deque<std::string> folded;
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

// Which figures the input has at all.
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

// A capture may lack what a view is about: nothing ran in it, or it has no programs.
Status CheckCapture(const Profile& profile, ViewKind view) {
  if (view == ViewKind::kScope || view == ViewKind::kGraph) {
    const char* name = view == ViewKind::kScope ? "scope view" : "graph view";
    if (Status s = NotOfLiveMemory(profile, name); !s) return s;
  }
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

void DescribeTreeRows(const Profile& profile, bool everything, Report* report) {
  RowDetails details(profile, everything, report);
  const std::string_view made = report->view == ViewKind::kScope ? kScopeParentType : kGraphParentType;
  for (Row& row : report->rows) {
    if (const NodeId node = NodeOfFigures(profile, row.own); node) {
      details.Describe(node, &row);
    } else {
      details.DescribeMade(made, &row);
    }
  }
}

// A scope or frame that is no node has nothing to record: its own 0 is a fact wherever the figure was
// recorded at all.
void KnowMadeRows(const Profile& profile, Report* report) {
  const ColumnSet known = report->Total(report->rows[0]).known;
  for (const Row& row : report->rows) {
    if (!NodeOfFigures(profile, row.own)) report->figures.SetKnown(row.own, known);
  }
}

// Every frame of the tree, so that a shown frame can name its true caller; entry e becomes code_frames[e -
// 1].
void AddCodeFrames(const Profile& profile, const CodeTree& code, Report* report) {
  const auto text = [&](StringId s) { return s ? profile.strings[s] : std::string_view("none"); };
  for (uint32_t e = 1; e < code.tree.size(); ++e) {
    if (!code.frame[e]) {
      report->code_frames.push_back({"", kNoStack, -1, false, kNoIndex});
      continue;
    }
    const Frame& frame = profile.frames[code.frame[e]];
    const uint32_t parent = code.tree.parent[e];
    report->code_frames.push_back({text(frame.file), text(frame.function), frame.line, code.gradient[e],
                                   parent == 0 ? kNoIndex : parent - 1});
  }
}

// What rows can be called, for messages.
std::span<const std::string_view> NamesOf(const ViewTree& tree) { return std::span(tree.name).subspan(1); }

std::vector<std::string_view> OpNames(const Profile& profile, const std::vector<bool>& accounted,
                                      const Options& options) {
  std::set<std::string_view> names;
  for (size_t n = 0; n < profile.size(); ++n) {
    if (accounted[n]) names.insert(profile.strings[profile.OpType(NodeId(n), options.classic)]);
  }
  return {names.begin(), names.end()};
}

// Whether a name tells that there are names to fold.
bool AnyFolds(const Profile& profile) {
  constexpr size_t kAhead = 16;
  for (size_t n = 0; n < profile.size(); ++n) {
    if (n + kAhead < profile.size()) profile.strings.Prefetch(profile.name[NodeId(n + kAhead)]);
    if (NameFolder::Folds(profile.Name(NodeId(n)))) return true;
  }
  return false;
}

ViewTree FoldedScopeTree(const Profile& profile, const Options& options, const Matchers& matchers,
                         const std::vector<bool>& accounted, std::deque<std::string>* texts) {
  std::vector<std::string_view> variables, state;
  for (size_t n = 0; n < profile.size(); ++n) {
    const NodeId node(n);
    if (!IsVariableOp(profile.Op(node))) continue;
    const VariableRole role = RecordedRole(AttrString(profile, node, kRoleAttr).value_or(""));
    (role == VariableRole::kOptimizer || role == VariableRole::kOther ? state : variables)
        .push_back(profile.Name(node));
  }
  auto folder = std::make_unique<NameFolder>(variables, state, profile.size(),
                                             [&profile](size_t n) { return profile.Name(NodeId(n)); });
  // Who asks for names asks for all of them; otherwise those that can be shown will do.
  const bool asks = !matchers.start.matches_all() || !matchers.show.matches_all() ||
                    !matchers.trim.matches_none() || !matchers.hide.matches_none();
  const int64_t depth = asks ? std::numeric_limits<int64_t>::max() : options.max_depth;
  return BuildScopeTree(profile, {std::move(folder), depth, texts}, accounted, matchers.account);
}

// The tree of the views that have the nodes themselves; empty of others.
ViewTree TreeOfNodes(const Profile& profile, ViewKind view, const Options& options,
                     const std::vector<bool>& accounted, const Matchers& matchers, Kept* kept,
                     std::vector<std::string>* warnings) {
  if (view == ViewKind::kGraph) return BuildGraphTree(profile, accounted, warnings);
  if (view != ViewKind::kScope) return {};
  if (!options.classic && options.names == Names::kFolded && AnyFolds(profile))
    return FoldedScopeTree(profile, options, matchers, accounted, &kept->folded);
  return BuildScopeTree(profile, {}, accounted, matchers.account);
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
  if (!options.classic && options.max_depth < 0) {
    return Error::Usage(
        fmt::format("-max_depth {}: a depth is 0 or more; the root is at depth 1", options.max_depth));
  }
  report.coverage = profile.coverage;
  report.recorded = RecordedFigures(profile);
  report.tells_unknown = profile.capture || profile.live_memory;
  report.peaks = PeaksOf(profile, options);
  Settle(!profile.steps.empty(), &report);
  const std::vector<bool> accounted = AccountedNodes(profile, options.classic, matchers->account);
  auto kept = std::make_shared<Kept>();
  kept->profile = shared;
  // Before the figures, for it takes more memory while it is made than when it is there.
  std::vector<std::string> tree_warnings;
  ViewTree tree = TreeOfNodes(profile, view, options, accounted, *matchers, kept.get(), &tree_warnings);
  const ColumnSet counted =
      detail == ReportDetail::kPrinted ? KeptFigures(view, report.options) : FigureTable::AllFigures();
  Result<FigureTable> figures = NodeFigures(profile, options, counted, &report.steps, &report.warnings,
                                            RowsBehind(profile, tree, *matchers, options));
  if (!figures) return figures.error();
  if (std::string words = report.steps.WarmUpWords(); !words.empty())
    report.warnings.push_back(std::move(words));
  report.figures = std::move(*figures);
  for (const InputFile& file : profile.files) report.input_files.push_back(file.path);
  if (view == ViewKind::kScope || view == ViewKind::kGraph) report.checkpoint = profile.checkpoint;

  if (view == ViewKind::kOp) {
    if (!options.classic && !matchers->start.matches_all()) {
      if (Status s = CheckStart(options, matchers->start, OpNames(profile, accounted, options)); !s)
        return s.error();
    }
    std::vector<std::vector<NodeId>> nodes;
    MakeOpRows(profile, accounted, *matchers, &report, &nodes);
    KeepRows(RowsThatStay(&report), &report, &nodes);
    RowDetails details(profile, everything, &report);
    for (size_t r = 1; r < report.rows.size(); ++r) details.DescribeMany(nodes[r], true, &report.rows[r]);
  } else if (view == ViewKind::kCode) {
    Result<CodeTree> code = BuildCodeTree(profile, accounted, matchers->account, &report);
    if (!code) return code.error();
    code->tree.nodes = &code->nodes;
    if (Status s = CheckStart(options, matchers->start, NamesOf(code->tree)); !s) return s.error();
    if (everything) AddCodeFrames(profile, *code, &report);
    std::vector<uint32_t> entry_of_row;
    const uint32_t first_own = code->tree.own[0];
    MakeRows(profile, std::move(code->tree), *matchers, &report);
    KeepRows(RowsThatStay(&report), &report);
    KnowMadeRows(profile, &report);
    RowDetails details(profile, everything, &report);
    for (Row& row : report.rows) {
      const uint32_t entry = row.own - first_own;
      details.DescribeMany(code->nodes[entry], false, &row);
      if (everything && entry > 0) report.AddMore(&row).frame = entry - 1;
    }
    kept->names = code->names;
  } else {
    Figures created;
    created.Set(ColumnId::kDefined, 1);
    report.figures.Add(created);
    report.figures.Add();
    report.warnings.insert(report.warnings.end(), tree_warnings.begin(), tree_warnings.end());
    if (Status s = CheckStart(options, matchers->start, NamesOf(tree)); !s) return s.error();
    MakeRows(profile, std::move(tree), *matchers, &report);
    KeepRows(RowsThatStay(&report), &report);
    KnowMadeRows(profile, &report);
    DescribeTreeRows(profile, everything, &report);
  }
  NoteUnusedOptions(&report);
  NoteParameters(profile, &report);
  WarnShare(report.figures, accounted, &report);
  WarnMissing(profile, &report);
  WarnPartial(profile, &report);
  WarnPeaks(&report);
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
