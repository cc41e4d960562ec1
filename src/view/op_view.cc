#include "view/op_view.h"

#include <algorithm>

#include "model/add_figures.h"
#include "view/node_figures.h"

namespace tfprof {
namespace {

struct OpRow {
  std::string_view name;
  Figures own, total;
  std::vector<NodeId> nodes;
  bool shown = false;
};

class OpRowMaker {
 public:
  OpRowMaker(const Profile& profile, const Matchers& matchers, Report* report)
      : profile_(profile), matchers_(matchers), report_(report), options_(report->options) {}

  void Make(const std::vector<bool>& accounted, std::vector<std::vector<NodeId>>* nodes_of_row) {
    Group(accounted);
    Sort();
    Accumulate([](const OpRow&) { return true; });
    Show();
    if (options_.account_displayed_op_only) Accumulate([](const OpRow& op) { return op.shown; });
    Emit(nodes_of_row);
    WarnSaturated(saturated_, &report_->warnings);
  }

 private:
  void Group(const std::vector<bool>& accounted) {
    Column<StringId, uint32_t> row_of_op(profile_.strings.size(), kNoIndex);
    for (size_t n = 0; n < profile_.size(); ++n) {
      if (!accounted[n]) continue;
      const StringId op = profile_.OpType(NodeId(n), options_.classic);
      if (row_of_op[op] == kNoIndex) {
        row_of_op[op] = static_cast<uint32_t>(ops_.size());
        ops_.emplace_back().name = profile_.strings[op];
      }
      OpRow& row = ops_[row_of_op[op]];
      AddFigures(report_->figures[n], &row.own, &saturated_);
      row.nodes.emplace_back(n);
    }
  }

  void Sort() {
    std::sort(ops_.begin(), ops_.end(), [](const OpRow& a, const OpRow& b) { return a.name < b.name; });
    const ColumnSpec& column = ColumnOf(*options_.order_by);
    if (!column.is_figure()) return;
    // Rows of several nodes are ordered by how many nodes there are, not by how often they ran.
    const ColumnId figure = column.has_partner() ? column.partner : column.id;
    std::stable_sort(ops_.begin(), ops_.end(),
                     [&](const OpRow& a, const OpRow& b) { return IsMore(a.own, b.own, figure); });
  }

  template <class Counts>
  void Accumulate(Counts counts) {
    grand_ = Figures();
    for (auto op = ops_.rbegin(); op != ops_.rend(); ++op) {
      if (!counts(*op)) continue;
      AddFigures(op->own, &grand_, &saturated_);
      op->total = grand_;
    }
  }

  // Rows count for the depth whether they are shown or not; the first row that may be shown is at depth 1.
  void Show() {
    // No pattern at all begins nowhere in a tree; a list begins at its top, as in TensorFlow.
    bool started = matchers_.start.matches_all() || options_.start_name_regexes.empty();
    int64_t depth = 0;
    for (OpRow& op : ops_) {
      started = started || matchers_.start.Matches(op.name);
      if (!started) continue;
      if (matchers_.trim.Matches(op.name) || depth++ > options_.max_depth) break;
      op.shown = matchers_.show.Matches(op.name) && !matchers_.hide.Matches(op.name) &&
                 ReachesMinima(options_, ViewKind::kOp, op.own, op.total) && OnDevice(op);
    }
  }

  bool OnDevice(const OpRow& op) const {
    if (matchers_.device.matches_all()) return true;
    return std::any_of(op.nodes.begin(), op.nodes.end(),
                       [&](NodeId n) { return RanOn(profile_, n, matchers_.device); });
  }

  void AddRow(std::string_view name, const Figures& own, const Figures& total, uint32_t parent) {
    Row& row = report_->rows.emplace_back();
    row.name = name;
    row.parent = parent;
    row.depth = parent == kNoIndex ? 0 : 1;
    row.own = report_->figures.Add(own);
    row.total = report_->figures.Add(total);
  }

  void Emit(std::vector<std::vector<NodeId>>* nodes_of_row) {
    AddRow(kRootName, Figures(), grand_, kNoIndex);
    report_->rows[0].accounted = false;
    nodes_of_row->emplace_back();
    for (OpRow& op : ops_) {
      if (!op.shown) continue;
      AddRow(op.name, op.own, op.total, 0);
      nodes_of_row->push_back(std::move(op.nodes));
    }
  }

  const Profile& profile_;
  const Matchers& matchers_;
  Report* report_;
  const Options& options_;
  std::vector<OpRow> ops_;
  Figures grand_;
  bool saturated_ = false;
};

}  // namespace

void MakeOpRows(const Profile& profile, const std::vector<bool>& accounted, const Matchers& matchers,
                Report* report, std::vector<std::vector<NodeId>>* nodes_of_row) {
  OpRowMaker(profile, matchers, report).Make(accounted, nodes_of_row);
}

}  // namespace tfprof
