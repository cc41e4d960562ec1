#include "view/view_tree.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "model/add_figures.h"
#include "view/brevity.h"
#include "view/node_figures.h"

namespace tfprof {
namespace {

// Nobody asked for a depth: what is below it is counted.
bool CountsDeeper(const Options& options) {
  return options.max_rows < 0 && !options.classic && !options.max_depth_chosen;
}

// Whose total an entry's own figures are part of, at first.
enum class TotalOf : uint8_t { kOwn, kEntry, kParent };

// What is below nothing is its own total, and what is too deep a part of its parent's. `visit(entry,
// total_of)`.
template <class Visit>
void VisitTotals(const Profile& profile, const ViewTree& tree, bool leaves_too, int64_t deepest,
                 Visit visit) {
  std::vector<uint32_t> ends;  // of the entries above
  for (uint32_t e = 0; e < tree.size(); ++e) {
    while (!ends.empty() && ends.back() <= e) ends.pop_back();
    const bool leaf = tree.end[e] == e + 1 && NodeOfFigures(profile, tree.own[e]) &&
                      (tree.has_deeper.empty() || !tree.has_deeper[e]);
    const bool deep = static_cast<int64_t>(ends.size()) >= deepest;
    visit(e, deep ? TotalOf::kParent : leaf && !leaves_too ? TotalOf::kOwn : TotalOf::kEntry);
    if (!deep && tree.end[e] > e + 1) ends.push_back(tree.end[e]);
  }
}

// One pass over a tree, step by step as the views' rules have it. Holds what the steps hand to one another.
class RowMaker {
 public:
  RowMaker(const Profile& profile, ViewTree tree, const Matchers& matchers, Report* report)
      : profile_(profile),
        tree_(std::move(tree)),
        matchers_(matchers),
        report_(report),
        options_(report->options),
        order_(*options_.order_by),
        counts_deeper_(CountsDeeper(options_)),
        shown_figures_(ShownFigures(options_)),
        recounts_(options_.account_displayed_op_only && report->view != ViewKind::kCode),
        has_minima_(options_.classic ||
                    std::ranges::any_of(options_.minimum, [](int64_t minimum) { return minimum != 0; })) {}

  void Make(Rows rows) {
    SumTotals();
    Show();
    if (recounts_) Recount();
    // Only rows that moved up to another parent can upset the byte order of the scope tree.
    const bool in_order =
        order_ == ColumnId::kName && report_->view == ViewKind::kScope && shown_.size() == tree_.size();
    if (LeavesZeros(*report_, Total(0))) LeaveZeros();
    WarnSaturated(saturated_, &report_->warnings);
    if (rows == Rows::kRoot) return MarkNodes();
    GroupByParent(in_order);
    if (options_.Selects(ColumnId::kHiddenOps)) CountHidden();
    // Rows take more than all else.
    for (auto* done : {&shown_parent_, &depth_, &tree_.parent, &tree_.end}) BigVector<uint32_t>().swap(*done);
    Emit();
  }

 private:
  // Rows of the report's figures.
  uint32_t Total(uint32_t entry) const { return totals_[entry]; }
  uint32_t Own(uint32_t entry) const { return tree_.own[entry]; }

  void SumTotals() {
    FigureTable& figures = report_->figures;
    auto next = static_cast<uint32_t>(figures.size());
    totals_.resize(tree_.size());
    // Totals of rows that are shown alone become others.
    VisitTotals(profile_, tree_, recounts_, DeepestTotal(options_, matchers_), [&](uint32_t e, TotalOf of) {
      totals_[e] = of == TotalOf::kOwn ? Own(e) : of == TotalOf::kEntry ? next++ : Total(tree_.parent[e]);
    });
    figures.Resize(next);
    for (uint32_t n = 0; n < tree_.entry_above.size(); ++n) {
      if (tree_.entry_above[n] != kNoIndex) figures.AddRow(n, Total(tree_.entry_above[n]), &saturated_);
    }
    BigVector<uint32_t>().swap(tree_.entry_above);
    constexpr uint32_t kAhead = 16;  // a large tree has the figures of each entry in another place
    for (uint32_t e = tree_.size(); e-- > 1;) {
      if (e > kAhead) figures.Prefetch(Own(e - kAhead));
      const uint32_t above = Total(tree_.parent[e]);
      if (Total(e) != Own(e)) figures.AddRow(Own(e), Total(e), &saturated_);
      if (Total(e) != above) figures.AddRow(Total(e), above, &saturated_);
    }
  }

  bool IsShown(uint32_t entry, int64_t depth) {
    if (depth > options_.max_depth) return false;
    const FigureTable& figures = report_->figures;
    if (has_minima_ && !ReachesMinima(options_, report_->view, figures[Own(entry)], figures[Total(entry)]))
      return false;
    const std::string_view name = tree_.name[entry];
    if (!matchers_.show.Matches(name) || matchers_.hide.Matches(name)) return false;
    if (matchers_.device.matches_all()) return true;
    if (!tree_.nodes) return OnDevice(NodeOfFigures(profile_, Own(entry)));
    const auto& nodes = (*tree_.nodes)[entry];
    return std::any_of(nodes.begin(), nodes.end(), [this](NodeId n) { return OnDevice(n); });
  }

  bool OnDevice(NodeId node) const { return node && RanOn(profile_, node, matchers_.device); }

  // Start, trim and show in one walk. Depth counts from the nodes where the walk starts, which are the root's
  // children.
  void Show() {
    shown_.push_back(0);
    shown_parent_.push_back(kNoIndex);
    depth_.push_back(1);
    struct Open {
      uint32_t end;    // of the entry's subtree
      uint32_t shown;  // position in shown_ of the nearest shown ancestor, itself included
      int64_t depth;
    };
    std::vector<Open> open{{tree_.size(), 0, 1}};
    const bool start_anywhere = matchers_.start.matches_all();
    for (uint32_t e = 1; e < tree_.size();) {
      while (open.back().end <= e) open.pop_back();
      if (!start_anywhere && open.size() == 1 && !matchers_.start.Matches(tree_.name[e])) {
        ++e;
        continue;
      }
      const int64_t depth = open.back().depth + 1;
      const bool trimmed = matchers_.trim.Matches(tree_.name[e]);
      const bool show = IsShown(e, depth) && !(trimmed && report_->view == ViewKind::kCode);
      uint32_t at = open.back().shown;
      if (show) {
        shown_.push_back(e);
        shown_parent_.push_back(at);
        depth_.push_back(static_cast<uint32_t>(depth));
        at = static_cast<uint32_t>(shown_.size() - 1);
      }
      const bool cut = trimmed || depth >= options_.max_depth;  // nothing below can be shown
      if (cut && !trimmed && counts_deeper_) CountDeeper(e);
      if (!cut) open.push_back({tree_.end[e], at, depth});
      e = cut ? tree_.end[e] : e + 1;
    }
  }

  // Nobody asked for this depth: say what is below it.
  void CountDeeper(uint32_t entry) {
    for (uint32_t e = entry + 1; e < tree_.end[entry]; ++e)
      report_->left_out.deeper += SaysSomething(report_->figures, Total(e), shown_figures_);
  }

  // -account_displayed_op_only: totals from the shown rows alone. The minima have been applied to the true
  // totals.
  void Recount() {
    FigureTable& figures = report_->figures;
    for (uint32_t e : shown_) figures.Set(Total(e), Figures());
    // TensorFlow counts the root itself as one defined node here, and only here.
    Figures root;
    root[ColumnId::kDefined] = 1;
    figures.Set(Total(0), root);
    for (size_t i = shown_.size(); i-- > 1;) {
      figures.AddRow(Own(shown_[i]), Total(shown_[i]), &saturated_);
      figures.AddRow(Total(shown_[i]), Total(shown_[shown_parent_[i]]), &saturated_);
    }
  }

  void LeaveZeros() {
    const std::vector<bool> stays = RowsWithoutZeros(
        shown_.size(), [this](size_t i) { return shown_parent_[i]; },
        [this](size_t i) { return Total(shown_[i]); }, report_);
    BigVector<uint32_t> place(shown_.size());
    uint32_t next = 0;
    for (size_t i = 0; i < stays.size(); ++i) {
      if (!stays[i]) continue;
      place[i] = next;
      shown_[next] = shown_[i];
      shown_parent_[next] = i == 0 ? kNoIndex : place[shown_parent_[i]];
      depth_[next++] = depth_[i];
    }
    for (auto* rows : {&shown_, &shown_parent_, &depth_}) rows->resize(next);
  }

  bool Before(uint32_t a, uint32_t b) {
    if (order_ == ColumnId::kName) return tree_.name[shown_[a]] < tree_.name[shown_[b]];
    if (order_ == ColumnId::kDepth) return depth_[a] < depth_[b];
    // A frame is ordered by how many nodes are built right there, not by how often they ran.
    if (report_->view == ViewKind::kCode && ColumnOf(order_).has_partner()) {
      const ColumnId partner = ColumnOf(order_).partner;
      return report_->figures.Value(Own(shown_[a]), partner) >
             report_->figures.Value(Own(shown_[b]), partner);
    }
    if (keys_[a] != keys_[b]) return keys_[a] > keys_[b];
    return IsMore(report_->figures, Total(shown_[a]), Total(shown_[b]), order_);
  }

  // What rows are ordered by, where that is a figure: a large report has each in another place.
  void FindKeys() {
    if (order_ == ColumnId::kName || order_ == ColumnId::kDepth) return;
    constexpr size_t kAhead = 16;
    keys_.resize(shown_.size());
    for (size_t i = 0; i < shown_.size(); ++i) {
      if (i + kAhead < shown_.size()) report_->figures.Prefetch(Total(shown_[i + kAhead]));
      keys_[i] = report_->figures.Value(Total(shown_[i]), order_);
    }
  }

  // Children of each shown row, in the order they will be printed: a counting sort by parent, then a sort per
  // parent.
  void GroupByParent(bool in_order) {
    first_child_.assign(shown_.size() + 1, 0);
    for (size_t i = 1; i < shown_.size(); ++i) ++first_child_[shown_parent_[i] + 1];
    std::partial_sum(first_child_.begin(), first_child_.end(), first_child_.begin());
    children_.resize(shown_.size() - 1);
    BigVector<uint32_t> next(first_child_.begin(), first_child_.end() - 1);
    for (uint32_t i = 1; i < shown_.size(); ++i) children_[next[shown_parent_[i]]++] = i;
    if (in_order) return;
    FindKeys();
    const auto before = [this](uint32_t a, uint32_t b) { return Before(a, b); };
    for (size_t i = 0; i < shown_.size(); ++i) {
      const auto begin = children_.begin() + first_child_[i], end = children_.begin() + first_child_[i + 1];
      if (!std::is_sorted(begin, end, before)) std::stable_sort(begin, end, before);
    }
    BigVector<int64_t>().swap(keys_);
  }

  void AddRow(uint32_t entry, uint32_t parent, uint32_t depth) {
    Row& row = report_->rows.emplace_back();
    row.name = tree_.name[entry];
    row.parent = parent;
    row.depth = depth;
    row.own = tree_.own[entry];
    row.total = Total(entry);
    row.accounted = tree_.accounted[entry];
  }

  void MarkNodes() {
    AddRow(0, kNoIndex, 0);
    report_->shown_nodes.resize(profile_.size());
    for (const uint32_t entry : shown_) {
      if (const NodeId node = NodeOfFigures(profile_, Own(entry)); node)
        report_->shown_nodes[node.value] = true;
    }
  }

  void Emit() {
    struct Pending {
      uint32_t shown, parent_row, depth;
    };
    std::vector<Pending> stack{{0, kNoIndex, 0}};
    report_->rows.reserve(shown_.size());
    while (!stack.empty()) {
      const Pending p = stack.back();
      stack.pop_back();
      const auto row_index = static_cast<uint32_t>(report_->rows.size());
      AddRow(shown_[p.shown], p.parent_row, p.depth);
      if (!hidden_.empty()) report_->AddMore(&report_->rows.back()).hidden_ops = hidden_[p.shown];
      for (uint32_t c = first_child_[p.shown + 1]; c-- > first_child_[p.shown];) {
        stack.push_back({children_[c], row_index, p.depth + 1});
      }
    }
  }

  // Accounted entries below those shown, less those of them that are shown too.
  void CountHidden() {
    std::vector<uint32_t> hidden_before(tree_.size() + 1, 0);  // prefix sums over the preorder
    std::vector<bool> is_shown(tree_.size());
    for (uint32_t e : shown_) is_shown[e] = true;
    for (uint32_t e = 0; e < tree_.size(); ++e) {
      hidden_before[e + 1] = hidden_before[e] + (tree_.accounted[e] && !is_shown[e]);
    }
    for (uint32_t e : shown_) hidden_.push_back(hidden_before[tree_.end[e]] - hidden_before[e + 1]);
  }

  const Profile& profile_;
  ViewTree tree_;
  const Matchers& matchers_;
  Report* report_;
  const Options& options_;
  const ColumnId order_;
  const bool counts_deeper_;
  const ColumnSet shown_figures_;
  const bool recounts_;
  const bool has_minima_;
  BigVector<uint32_t> totals_;  // rows of the report's figures
  bool saturated_ = false;
  BigVector<uint32_t> shown_, shown_parent_;  // entries in preorder; positions in shown_
  BigVector<uint32_t> depth_;
  BigVector<uint32_t> first_child_, children_;
  BigVector<int64_t> keys_;     // as shown_
  BigVector<uint32_t> hidden_;  // as shown_; empty: nobody asked
};

}  // namespace

Result<Matchers> Matchers::Compile(const Options& options) {
  Matchers out;
  const struct {
    NameMatcher* matcher;
    const Regexes* patterns;
    const char* option;
  } all[] = {{&out.account, &options.account_type_regexes, "account_type_regexes"},
             {&out.start, &options.start_name_regexes, "start_name_regexes"},
             {&out.trim, &options.trim_name_regexes, "trim_name_regexes"},
             {&out.show, &options.show_name_regexes, "show_name_regexes"},
             {&out.hide, &options.hide_name_regexes, "hide_name_regexes"},
             {&out.device, &options.device_regexes, "device_regexes"}};
  for (const auto& one : all) {
    Result<NameMatcher> compiled = NameMatcher::Compile(*one.patterns, one.option);
    if (!compiled) return compiled.error();
    *one.matcher = std::move(*compiled);
  }
  return out;
}

void ViewTree::Reserve(size_t entries) {
  name.reserve(entries);
  parent.reserve(entries);
  own.reserve(entries);
  accounted.reserve(entries);
}

uint32_t ViewTree::Add(std::string_view entry_name, uint32_t entry_parent, uint32_t own_figures,
                       bool is_accounted) {
  name.push_back(entry_name);
  parent.push_back(entry_parent);
  own.push_back(own_figures);
  accounted.push_back(is_accounted);
  return size() - 1;
}

void ViewTree::Close() {
  end.resize(size());
  for (uint32_t e = size(); e-- > 0;) {
    end[e] = std::max(end[e], e + 1);
    if (e > 0) end[parent[e]] = std::max(end[parent[e]], end[e]);
  }
}

bool TypeMatches(const Profile& profile, NodeId node, bool classic, std::vector<int8_t>* cache,
                 const NameMatcher& account) {
  const auto matches = [&](StringId type) {
    int8_t& known = (*cache)[type.value];
    if (known < 0) known = account.Matches(profile.strings[type]) ? 1 : 0;
    return known == 1;
  };
  if (matches(profile.OpType(node, classic))) return true;
  if (profile.device[node] && matches(profile.devices[profile.device[node]].name)) return true;
  const SetId extra = profile.extra_types[node];
  if (!extra) return false;
  const auto types = profile.sets[extra];
  return std::any_of(types.begin(), types.end(), matches);
}

std::vector<bool> AccountedNodes(const Profile& profile, bool classic, const NameMatcher& account) {
  if (account.matches_all()) return std::vector<bool>(profile.size(), true);
  std::vector<bool> out(profile.size());
  std::vector<int8_t> cache(profile.strings.size(), -1);
  for (size_t n = 0; n < profile.size(); ++n)
    out[n] = TypeMatches(profile, NodeId(n), classic, &cache, account);
  return out;
}

bool RanOn(const Profile& profile, NodeId node, const NameMatcher& device) {
  return profile.device[node] && device.Matches(profile.DeviceName(node));
}

bool ReachesMinima(const Options& options, ViewKind view, const Figures& own, const Figures& total) {
  const bool tree_of_nodes = view == ViewKind::kScope || view == ViewKind::kGraph;
  for (size_t i = 0; i < kFigureCount; ++i) {
    const int64_t minimum = options.minimum[i];
    // Sums may be negative, where ops release more than they ask for: TensorFlow then hides the row at 0.
    if (minimum == 0 && !options.classic) continue;
    const ColumnSpec& column = Columns()[i];
    if (view == ViewKind::kCode && !column.in_code) continue;
    const bool of_own =
        column.minimum_of == MinimumOf::kOwn || (column.minimum_of == MinimumOf::kNodesOwn && tree_of_nodes);
    // An op type is as frequent as its nodes are many.
    const ColumnId figure = view == ViewKind::kOp && column.has_partner() ? column.partner : column.id;
    if ((of_own ? own : total)[figure] < minimum) return false;
  }
  return true;
}

int64_t DeepestTotal(const Options& options, const Matchers& matchers) {
  const bool anywhere = CountsDeeper(options) || !matchers.start.matches_all();
  return anywhere ? std::numeric_limits<int64_t>::max() : std::max<int64_t>(1, options.max_depth);
}

size_t CountTotals(const Profile& profile, const ViewTree& tree, const Matchers& matchers,
                   const Options& options) {
  size_t out = 0;
  VisitTotals(profile, tree, options.account_displayed_op_only, DeepestTotal(options, matchers),
              [&](uint32_t, TotalOf of) { out += of == TotalOf::kEntry; });
  return out;
}

void MakeRows(const Profile& profile, ViewTree tree, const Matchers& matchers, Rows rows, Report* report) {
  RowMaker(profile, std::move(tree), matchers, report).Make(rows);
}

}  // namespace tfprof
