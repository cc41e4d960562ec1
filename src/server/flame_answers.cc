// api/flame and api/sandwich: trees of one figure, as deep and fine as can be seen.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <unordered_map>

#include "base/text.h"
#include "base/wide.h"
#include "server/context.h"

namespace tfprof::server {
namespace {

constexpr double kFinest = 1.0 / 4096;  // of the whole: about a pixel
constexpr size_t kMostBars = 50'000;

// A figure in its smallest unit: times are picoseconds, so that sums are exact.
class Measure {
 public:
  Measure(const ViewTree& tree, ColumnId figure)
      : report_(tree.report()),
        figure_(figure),
        time_(ColumnOf(figure).unit == Unit::kMicros),
        own_(report_.view == ViewKind::kOp) {}  // whose totals run down the rows

  using Value = Wide;
  Value Of(const Row& row) const {
    // The root of op types has no figure of its own: it is all of them.
    return In(own_ && row.parent != kNoIndex ? report_.Own(row) : report_.Total(row));
  }
  Value OwnOf(const Row& row) const { return row.accounted ? In(report_.Own(row)) : 0; }

  void Write(JsonWriter& json, Value value) const {
    if (!time_) return json.ScriptNumber(Clamped(value));
    const Value nanos = value / 1000 + (value % 1000 >= 500 ? 1 : 0);
    Nanos(json, Clamped(nanos));
  }

 private:
  static int64_t Clamped(Value value) {
    return static_cast<int64_t>(std::min<Value>(value, std::numeric_limits<int64_t>::max()));
  }
  Value In(const Figures& f) const {
    const Value whole = std::max<int64_t>(f[figure_], 0);
    return time_ ? whole * 1'000'000 + f.Rest(figure_) : whole;
  }

  const Report& report_;
  const ColumnId figure_;
  const bool time_, own_;
};

// Bars in preorder, column by column.
struct Bars {
  std::vector<int64_t> rows;  // of the view; -1: of several
  std::vector<uint32_t> depths;
  std::vector<std::string_view> labels;
  std::vector<Measure::Value> totals, left_out;

  void Add(int64_t row, uint32_t depth, std::string_view label, Measure::Value total) {
    rows.push_back(row);
    depths.push_back(depth);
    labels.push_back(label);
    totals.push_back(total);
    left_out.push_back(0);
  }

  void Write(const Measure& measure, JsonWriter& json) const {
    const auto values = [&](Measure::Value value) { measure.Write(json, value); };
    json.List("rows", rows, [&](int64_t row) { row < 0 ? json.Null() : json.ScriptNumber(row); });
    json.List("depths", depths, [&](uint32_t depth) { json.Number(depth); });
    json.TextList("labels", labels);
    json.List("totals", totals, values);
    json.List("left_out", left_out, values);
  }
};

Bars BarsBelow(const ViewTree& tree, uint32_t top, const Measure& measure, double finest) {
  Bars out;
  const Measure::Value whole = measure.Of(tree.row(top));
  const auto least = static_cast<Measure::Value>(static_cast<double>(whole) * finest);
  std::vector<std::pair<uint32_t, size_t>> open;  // end of a row, its bar
  for (uint32_t r = top; r != tree.end(top);) {
    while (!open.empty() && open.back().first <= r) open.pop_back();
    const Measure::Value value = measure.Of(tree.row(r));
    if (r != top && (value <= 0 || value < least || out.rows.size() >= kMostBars)) {
      out.left_out[open.back().second] += value;
      r = tree.end(r);
      continue;
    }
    out.Add(r, tree.row(r).depth - tree.row(top).depth, tree.Label(r), value);
    open.emplace_back(tree.end(r), out.rows.size() - 1);
    ++r;
  }
  return out;
}

// Rows of the same name below rows of the same name, joined.
class Joined {
 public:
  explicit Joined(std::string_view name) { nodes_.push_back({kNoIndex, 0, name, 0}); }

  void Add(uint32_t node, Measure::Value value) { nodes_[node].value += value; }
  uint32_t Child(uint32_t parent, std::string_view label) {
    const auto [found, is_new] = index_.try_emplace({parent, label}, static_cast<uint32_t>(nodes_.size()));
    if (is_new) nodes_.push_back({parent, nodes_[parent].depth + 1, label, 0});
    return found->second;
  }

  Bars Take(double finest) const {
    std::vector<std::vector<uint32_t>> children(nodes_.size());
    for (uint32_t n = 1; n < nodes_.size(); ++n) children[nodes_[n].parent].push_back(n);
    const auto larger = [this](uint32_t a, uint32_t b) { return nodes_[a].value > nodes_[b].value; };
    const auto least = static_cast<Measure::Value>(static_cast<double>(nodes_[0].value) * finest);
    Bars out;
    std::vector<std::pair<uint32_t, size_t>> open = {{0, 0}};  // node, bar of the one above
    while (!open.empty()) {
      const auto [node, above] = open.back();
      open.pop_back();
      const Measure::Value value = nodes_[node].value;
      if (node != 0 && (value < least || value <= 0 || out.rows.size() >= kMostBars)) {
        out.left_out[above] += value;
        continue;
      }
      out.Add(-1, nodes_[node].depth, nodes_[node].label, value);
      std::sort(children[node].begin(), children[node].end(), larger);
      const size_t bar = out.rows.size() - 1;
      for (auto c = children[node].rbegin(); c != children[node].rend(); ++c) open.emplace_back(*c, bar);
    }
    return out;
  }

 private:
  struct Node {
    uint32_t parent, depth;
    std::string_view label;
    Measure::Value value;
  };
  struct Hash {
    size_t operator()(const std::pair<uint32_t, std::string_view>& key) const {
      return std::hash<std::string_view>()(key.second) * 31 + key.first;
    }
  };
  std::vector<Node> nodes_;
  std::unordered_map<std::pair<uint32_t, std::string_view>, uint32_t, Hash> index_;
};

Result<ColumnId> FigureOf(const Query& query, const Report& report) {
  const std::string word = query.Get("figure", "micros");
  for (const ColumnSpec& column : Columns()) {
    if (!column.is_figure() || column.name != word) continue;
    if (!column.always_known && !report.Recorded(column.id))
      return Error::Nothing(fmt::format("{} was not recorded", column.label));
    return column.id;
  }
  return Error::Usage(fmt::format("figure={}: there is no such figure", Printable(word)));
}

}  // namespace

Answer AnswerFlame(Context& context, std::string_view view, const Query& query) {
  const Result<LookedAt> at = LookAt(context, view, query);
  if (!at) return ErrorAnswer(at.error());
  const Result<ColumnId> figure = FigureOf(query, at->tree->report());
  if (!figure) return ErrorAnswer(figure.error());
  const Result<double> finest = query.Real("finest", kFinest);
  if (!finest) return ErrorAnswer(finest.error());
  const Measure measure(*at->tree, *figure);
  JsonAnswer answer;
  JsonWriter& json = answer.json();
  json.Object("", [&] {
    json.Field("figure", ColumnName(*figure));
    json.Key("total");
    measure.Write(json, measure.Of(at->tree->row(at->row)));
    WriteAbove(*at->tree, at->row, json);
    BarsBelow(*at->tree, at->row, measure, *finest).Write(measure, json);
  });
  return answer.Take();
}

Answer AnswerSandwich(Context& context, std::string_view view, const Query& query) {
  const Result<LookedAt> at = LookAt(context, view, query);
  if (!at) return ErrorAnswer(at.error());
  const ViewTree& tree = *at->tree;
  const Result<ColumnId> figure = FigureOf(query, tree.report());
  if (!figure) return ErrorAnswer(figure.error());
  const Result<double> finest = query.Real("finest", kFinest);
  if (!finest) return ErrorAnswer(finest.error());
  const std::string name = query.Get("name");
  const Measure measure(tree, *figure);
  Joined callers(name), callees(name);
  int64_t rows = 0;
  Measure::Value own = 0;
  std::vector<uint32_t> path;  // joined rows by depth
  uint32_t covered = 0;        // rows before it lie below a row of the name: their time is in it
  for (uint32_t r = 0; r < tree.size(); ++r) {
    if (tree.Label(r) != name) continue;
    ++rows;
    own += measure.OwnOf(tree.row(r));
    if (r < covered) continue;
    covered = tree.end(r);
    const Measure::Value total = measure.Of(tree.row(r));
    uint32_t node = 0;
    callers.Add(0, total);
    for (uint32_t p = tree.row(r).parent; p != kNoIndex && tree.row(p).parent != kNoIndex;
         p = tree.row(p).parent)
      callers.Add(node = callers.Child(node, tree.Label(p)), total);
    callees.Add(0, total);
    path.assign(1, 0);
    for (uint32_t below = r + 1; below < tree.end(r); ++below) {
      path.resize(tree.row(below).depth - tree.row(r).depth);
      path.push_back(callees.Child(path.back(), tree.Label(below)));
      callees.Add(path.back(), measure.Of(tree.row(below)));
    }
  }
  if (rows == 0) return ErrorAnswer(404, fmt::format("{}: no row has this name", Printable(name)));
  JsonAnswer answer;
  JsonWriter& json = answer.json();
  const Bars up = callers.Take(*finest), down = callees.Take(*finest);
  json.Object("", [&] {
    json.Field("name", name);
    json.Field("figure", ColumnName(*figure));
    Field(json, "rows", rows);
    json.Key("own");
    measure.Write(json, own);
    json.Key("total");
    measure.Write(json, down.totals[0]);
    json.Object("callers", [&] { up.Write(measure, json); });
    json.Object("callees", [&] { down.Write(measure, json); });
  });
  return answer.Take();
}

}  // namespace tfprof::server
