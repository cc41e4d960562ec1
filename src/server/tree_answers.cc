// api/tree: rows of a view, a part at a time.
#include <algorithm>
#include <limits>
#include <memory>
#include <optional>

#include "base/name_search.h"
#include "base/options_table.h"
#include "base/text.h"
#include "base/units.h"
#include "server/context.h"
#include "tfprof/nodes.h"
#include "tfprof/view.h"

namespace tfprof::server {
namespace {

constexpr int64_t kMostRows = 5'000;  // of one answer
constexpr std::string_view kOptions = "@view,-select,-order_by,-max_depth,-output";
// Names of the query that are no options of the view.
const std::vector<std::string_view>& OwnNames() {
  static const std::vector<std::string_view> kNames = {"run", "row",  "offset", "limit",  "sort", "up",
                                                       "q",   "path", "figure", "finest", "name", "by"};
  return kNames;
}

// What a row is ordered by.
struct Sorting {
  std::optional<ColumnId> figure;  // none: by name
  bool own = false, up = false;
};

Result<std::optional<Sorting>> SortingOf(const Query& query) {
  const std::string* word = query.Find("sort");
  if (!word || word->empty()) return std::optional<Sorting>();
  Sorting out;
  out.own = query.Get("by") == "own";
  out.up = query.Get("up") == "1";
  if (*word == "name") return std::optional(out);
  for (const ColumnSpec& column : Columns()) {
    if (column.is_figure() && column.name == *word) out.figure = column.id;
  }
  if (!out.figure)
    return Error::Usage(fmt::format("sort={}: name, or a figure, is wanted", Printable(*word)));
  return std::optional(out);
}

// Orders rows; only the first `wanted` need be in their places.
void SortRows(const ViewTree& tree, const Sorting& sorting, size_t wanted, std::vector<uint32_t>* rows) {
  const Report& report = tree.report();
  const auto less = [&](uint32_t a, uint32_t b) {
    if (!sorting.figure) {
      const int order = tree.row(a).name.compare(tree.row(b).name);
      return order != 0 ? (order < 0) == sorting.up : a < b;
    }
    const FigureTable& figures = report.figures;
    const uint32_t fa = sorting.own ? tree.row(a).own : tree.row(a).total;
    const uint32_t fb = sorting.own ? tree.row(b).own : tree.row(b).total;
    const ColumnId figure = *sorting.figure;
    const bool known = figures.Knows(fa, figure);
    if (known != figures.Knows(fb, figure)) return known;  // what was not recorded comes last, whichever way
    const bool time = ColumnOf(figure).unit == Unit::kMicros;
    const int64_t va = figures.Value(fa, figure), vb = figures.Value(fb, figure);
    if (va != vb) return (va > vb) != sorting.up;
    const int32_t ra = time ? figures.Rest(fa, figure) : 0, rb = time ? figures.Rest(fb, figure) : 0;
    return ra != rb ? (ra > rb) != sorting.up : a < b;
  };
  const auto middle = rows->begin() + static_cast<ptrdiff_t>(std::min(wanted, rows->size()));
  std::partial_sort(rows->begin(), middle, rows->end(), less);
}

std::vector<uint32_t> ChildrenOf(const ViewTree& tree, uint32_t row) {
  std::vector<uint32_t> out;
  out.reserve(tree.children(row));
  for (uint32_t c = ViewTree::first(row); c != tree.end(row); c = tree.end(c)) out.push_back(c);
  return out;
}

// Rows whose name has the words, or matches /.../.
Result<std::vector<uint32_t>> Matching(const ViewTree& tree, const std::string& words) {
  Result<NameSearch> search = NameSearch::Compile(words);
  if (!search) return search.error();
  std::vector<uint32_t> out;
  for (uint32_t r = 0; r < tree.size(); ++r) {
    if (search->Finds(tree.row(r).name)) out.push_back(r);
  }
  return out;
}

class RowWriter {
 public:
  RowWriter(const ViewTree& tree, const Profile& profile, JsonWriter& json)
      : tree_(tree), report_(tree.report()), profile_(profile), json_(json) {}

  void Fields(uint32_t r) {
    const Row& row = tree_.row(r);
    Field(json_, "row", r);
    json_.Field("name", row.name);
    json_.Field("label", tree_.Label(r));
    Field(json_, "children", tree_.children(r));
    Field(json_, "depth", row.depth);
    if (row.accounted) Figures("own", report_.Own(row));
    Figures("total", report_.Total(row));
    if (row.node != kNoIndex) Node(row.node);
    const RowMore& more = report_.MoreOf(row);
    if (row.node == kNoIndex && more.types != kNoIndex) json_.TextList("types", report_.lists[more.types]);
    if (more.frame != kNoIndex) Frame(report_.code_frames[more.frame]);
  }

  void Figures(std::string_view key, const tfprof::Figures& figures) {
    json_.Object(key, [&] {
      for (const ColumnSpec& column : Columns()) {
        if (!column.is_figure() || !(column.always_known || report_.Recorded(column.id))) continue;
        json_.Key(column.name);
        FigureValue(json_, report_, figures, column);
      }
    });
  }

 private:
  void Node(uint32_t node) {
    const NodeView view = NodeAt(profile_, node);
    json_.Field("type", view.op);
    if (!view.device.empty()) json_.Field("device", view.device);
    const auto shapes = OutputShapes(profile_, node);
    if (!shapes.empty() && shapes[0]) json_.Field("shape", FormatShape(*shapes[0]));
  }

  void Frame(const CodeFrame& frame) {
    json_.Field("file", frame.file);
    Field(json_, "line", frame.line);
    json_.Field("function", frame.function);
  }

  const ViewTree& tree_;
  const Report& report_;
  const Profile& profile_;
  JsonWriter& json_;
};

// The row that is asked for: by number, by name, else the root.
Result<uint32_t> RowOf(const ViewTree& tree, const Query& query) {
  if (const std::string* name = query.Find("path")) {
    for (uint32_t r = 0; r < tree.size(); ++r) {
      if (tree.row(r).name == *name) return r;
    }
    return Error::Nothing(fmt::format("{}: there is no such row", Printable(*name)));
  }
  const Result<int64_t> row = query.Number("row", 0, 0, static_cast<int64_t>(tree.size()) - 1);
  if (!row) return row.error();
  return static_cast<uint32_t>(*row);
}

}  // namespace

Result<std::shared_ptr<const ViewTree>> TreeOf(Context& context, const Run& run, ViewKind view,
                                               const Query& query) {
  Options options = run->place.options;
  options.max_depth = std::numeric_limits<int64_t>::max();
  options.max_depth_chosen = true;
  options.max_rows = 0;
  options.frames = Frames::kAll;
  for (const ColumnSpec& column : Columns()) {
    if (column.is_figure() && column.selectable) options.select.Add(column.id);
  }
  options.order_by = ColumnId::kName;
  if (Status s = SetOptions(query, kOptions, OwnNames(), &options); !s) return s.error();
  std::string key = fmt::format("tree {} {}", ViewName(view), run->key);
  for (const OptionSpec& option : OptionsTable()) {
    if (option.group == OptionGroup::kView && option.get) key += '\n' + option.get(options);
  }
  return context.cache().Get<ViewTree>(key, [&]() -> Result<Sized<ViewTree>> {
    const auto detail = view == ViewKind::kCode ? ReportDetail::kEverything : ReportDetail::kSelected;
    Result<Report> report = MakeReport(run->profile, view, options, detail);
    if (!report) return report.error();
    auto tree = std::make_shared<const ViewTree>(std::move(*report));
    return Sized<ViewTree>{tree, tree->bytes()};
  });
}

Result<LookedAt> LookAt(Context& context, std::string_view view_name, const Query& query) {
  LookedAt out;
  const std::optional<ViewKind> view = ViewNamed(view_name);
  if (!view)
    return Error::Nothing(fmt::format("{}: the views are scope, graph, op and code", Printable(view_name)));
  Result<Run> run = context.RunOf(query);
  if (!run) return run.error();
  Result<std::shared_ptr<const ViewTree>> tree = TreeOf(context, *run, *view, query);
  if (!tree) return tree.error();
  out.run = std::move(*run);
  out.tree = std::move(*tree);
  if (out.tree->size() == 0) return Error::Nothing("the view has no rows with these options");
  Result<uint32_t> row = RowOf(*out.tree, query);
  if (!row) return row.error();
  out.row = *row;
  return out;
}

void WriteAbove(const ViewTree& tree, uint32_t row, JsonWriter& json) {
  json.List("above", tree.Above(row), [&](uint32_t r) {
    json.Object("", [&] {
      Field(json, "row", r);
      json.Field("name", tree.row(r).name);
      json.Field("label", tree.Label(r));
    });
  });
}

Answer AnswerTree(Context& context, std::string_view view, const Query& query) {
  const Result<LookedAt> at = LookAt(context, view, query);
  if (!at) return ErrorAnswer(at.error());
  const ViewTree& tree = *at->tree;
  const Result<int64_t> offset = query.Number("offset", 0, 0, std::numeric_limits<uint32_t>::max());
  const Result<int64_t> limit = query.Number("limit", 200, 0, kMostRows);
  if (!offset || !limit) return ErrorAnswer((!offset ? offset : limit).error());
  Result<std::optional<Sorting>> sorting = SortingOf(query);
  if (!sorting) return ErrorAnswer(sorting.error());
  const std::string words = query.Get("q");
  std::vector<uint32_t> rows;
  if (words.empty()) {
    rows = ChildrenOf(tree, at->row);
  } else {
    Result<std::vector<uint32_t>> found = Matching(tree, words);
    if (!found) return ErrorAnswer(found.error());
    rows = std::move(*found);
  }
  const auto first = static_cast<size_t>(*offset), wanted = first + static_cast<size_t>(*limit);
  if (*sorting) SortRows(tree, **sorting, wanted, &rows);
  JsonAnswer answer;
  JsonWriter& json = answer.json();
  RowWriter writer(tree, *at->run->profile, json);
  json.Object("", [&] {
    Field(json, "rows_in_all", static_cast<int64_t>(tree.size()));
    Field(json, "row", at->row);
    Field(json, "count", static_cast<int64_t>(rows.size()));
    Field(json, "offset", *offset);
    json.Object("root", [&] { writer.Fields(at->row); });
    writer.Figures("grand", tree.report().Total(tree.row(0)));
    WriteAbove(tree, at->row, json);
    json.Array("rows", [&] {
      for (size_t i = first; i < std::min(wanted, rows.size()); ++i)
        json.Object("", [&] { writer.Fields(rows[i]); });
    });
    json.TextList("warnings", tree.report().warnings);
  });
  return answer.Take();
}

}  // namespace tfprof::server
