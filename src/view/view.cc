#include "tfprof/view.h"

#include <fmt/format.h>

#include <limits>
#include <set>
#include <span>
#include <utility>

#include "base/op_kinds.h"
#include "base/variable_roles.h"
#include "model/device_peaks.h"
#include "model/live_memory.h"
#include "model/node_attr.h"
#include "view/brevity.h"
#include "view/code_view.h"
#include "view/fold_names.h"
#include "view/graph_view.h"
#include "view/nearest_names.h"
#include "view/node_figures.h"
#include "view/op_view.h"
#include "view/row_details.h"
#include "view/scope_view.h"
#include "view/view_warnings.h"

namespace tfprof {
namespace {

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
  MadeTexts folded;
};

// The rows of steps, which are the most of a Profile; what is left says which steps there were.
void FreeRows(std::vector<Step>* steps) {
  for (Step& step : *steps) {
    step.row_of_node = {};
    BigVector<NodeId>().swap(step.node_of_row);
    BigVector<StepRow>().swap(step.rows);
  }
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

void DescribeTreeRows(const Profile& profile, bool everything, Report* report) {
  RowDetails details(profile, everything, report);
  if (everything) report->more.reserve(report->rows.size());
  const std::string_view made = report->view == ViewKind::kScope ? kScopeParentType : kGraphParentType;
  for (Row& row : report->rows) {
    if (const NodeId node = NodeOfFigures(profile, row.own); node) {
      details.Describe(node, &row);
    } else {
      details.DescribeMade(made, &row);
    }
  }
}

void KeepNodesAlone(const Profile& profile, Report* report) {
  report->shown_nodes.resize(profile.size());
  for (const Row& row : report->rows) {
    if (row.node != kNoIndex) report->shown_nodes[row.node] = true;
  }
  BigVector<Row>().swap(report->rows);
  report->figures = FigureTable();
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

// So many levels of scopes have rows, or anything else that is counted one by one.
size_t LevelsOfScopes(const Options& options, const Matchers& matchers, ColumnSet counted) {
  const int64_t deepest = DeepestTotal(options, matchers);
  const bool each_counts = !matchers.account.matches_all() || options.account_displayed_op_only ||
                           options.Selects(ColumnId::kHiddenOps) || counted.Has(ColumnId::kDefined);
  if (each_counts || deepest == std::numeric_limits<int64_t>::max()) return kAllLevels;
  return static_cast<size_t>(deepest - 1);
}

ViewTree FoldedScopeTree(const Profile& profile, const Options& options, const Matchers& matchers,
                         const std::vector<bool>& accounted, size_t levels, MadeTexts* texts) {
  std::vector<std::string_view> variables, state;
  for (size_t n = 0; n < profile.size(); ++n) {
    const NodeId node(n);
    if (!IsVariableOp(profile.Op(node))) continue;
    const VariableRole role = RoleAttr(profile, node);
    (role == VariableRole::kOptimizer || role == VariableRole::kOther ? state : variables)
        .push_back(profile.Name(node));
  }
  auto folder = std::make_unique<NameFolder>(variables, state, profile.strings,
                                             std::span(profile.name.begin(), profile.name.end()));
  // Who asks for names asks for all of them; otherwise those that can be shown will do.
  const bool asks = !matchers.start.matches_all() || !matchers.show.matches_all() ||
                    !matchers.trim.matches_none() || !matchers.hide.matches_none();
  const int64_t depth = asks ? std::numeric_limits<int64_t>::max() : options.max_depth;
  return BuildScopeTree(profile, {std::move(folder), depth, texts}, accounted, matchers.account, levels);
}

// The tree of the views that have the nodes themselves; empty of others.
ViewTree TreeOfNodes(const Profile& profile, ViewKind view, const Options& options, ColumnSet counted,
                     const std::vector<bool>& accounted, const Matchers& matchers, Kept* kept,
                     std::vector<std::string>* warnings) {
  if (view == ViewKind::kGraph) return BuildGraphTree(profile, accounted, warnings);
  if (view != ViewKind::kScope) return {};
  const size_t levels = LevelsOfScopes(options, matchers, counted);
  if (!options.classic && options.names == Names::kFolded && AnyFolds(profile))
    return FoldedScopeTree(profile, options, matchers, accounted, levels, &kept->folded);
  return BuildScopeTree(profile, {}, accounted, matchers.account, levels);
}

}  // namespace

Result<Report> MakeReport(const std::shared_ptr<const Profile>& shared, ViewKind view, const Options& options,
                          ReportDetail detail, ProfileUse use) {
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
  const ColumnSet counted =
      detail <= ReportDetail::kPrinted ? KeptFigures(view, report.options) : FigureTable::AllFigures();
  std::vector<std::string> tree_warnings;
  ViewTree tree =
      TreeOfNodes(profile, view, report.options, counted, accounted, *matchers, kept.get(), &tree_warnings);
  Result<FigureTable> figures = NodeFigures(profile, options, counted, &report.steps, &report.warnings,
                                            RowsBehind(profile, tree, *matchers, options));
  if (!figures) return figures.error();
  if (std::string words = report.steps.WarmUpWords(); !words.empty())
    report.warnings.push_back(std::move(words));
  report.figures = std::move(*figures);
  if (use == ProfileUse::kLast && !everything) FreeRows(&std::const_pointer_cast<Profile>(shared)->steps);
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
    MakeRows(profile, std::move(code->tree), *matchers, Rows::kAll, &report);
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
    // Which rows are the largest is known when all are made.
    const bool marks = detail == ReportDetail::kNodes && options.max_rows <= 0;
    MakeRows(profile, std::move(tree), *matchers, marks ? Rows::kRoot : Rows::kAll, &report);
    KeepRows(RowsThatStay(&report), &report);
    KnowMadeRows(profile, &report);
    DescribeTreeRows(profile, everything, &report);
  }
  AddWarnings(profile, accounted, &report);
  if (detail == ReportDetail::kNodes) KeepNodesAlone(profile, &report);
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
