#include "export/page.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/options_table.h"
#include "base/text.h"
#include "base/units.h"
#include "export/cells.h"
#include "tfprof/page.h"
#include "tfprof/version.h"
#include "tfprof_web_files.h"

namespace tfprof {
namespace {

constexpr std::string_view kQuantities[] = {"plain", "count", "amount", "bytes",
                                            "time",  "time",  "plain"};  // by Quantity
constexpr std::string_view kLooks[] = {"left", "right", "code", "bar"};  // by Look

class DocumentWriter {
 public:
  DocumentWriter(JsonWriter& json, Problems& problems) : json_(json), problems_(problems) {}

  void Blocks(std::string_view key, const std::vector<Block>& blocks) {
    json_.Array(key, [&] {
      for (const Block& block : blocks) {
        if (!(block.formats & kInHtml) || (block.none.empty() && IsEmpty(block))) continue;
        json_.Object("", [&] { Fields(block); });
      }
    });
  }

 private:
  void Fields(const Block& block) {
    if (!block.title.empty()) json_.Field("title", block.title);
    if (IsEmpty(block)) return json_.Field("none", block.none);
    std::visit([this](const auto& body) { Body(body); }, block.body);
  }

  void Flag(std::string_view key, bool value) {
    json_.Key(key);
    json_.Bool(value);
  }

  void Body(const Facts& facts) {
    json_.Array("facts", [&] {
      for (const Fact& fact : facts) {
        if (fact.title.empty()) continue;
        json_.Object("", [&] {
          json_.Field("title", fact.title);
          json_.Key("value");
          OneCell(fact.value);
          if (!fact.note.empty()) json_.Field("note", fact.note);
        });
      }
    });
  }

  void Body(const Prose& prose) {
    json_.Array("prose", [&] {
      for (size_t i = 0; i < prose.size; ++i) json_.Text(prose.paragraph(i, problems_));
    });
    Flag("verbatim", prose.verbatim);
  }

  void Body(const Group& group) {
    Blocks("group", group.blocks);
    Flag("beside", group.layout == Layout::kBeside);
  }

  void Body(const Series& series) {
    const auto time = [&](int64_t t) {
      series.nanos ? json_.Decimal(DecimalMicros(t)) : json_.ScriptNumber(t);
    };
    json_.Object("series", [&] {
      json_.Array("points", [&] {
        for (size_t i = 0; i < series.size; ++i) {
          const auto [when, bytes] = series.point(i);
          json_.BeginArray();
          time(when);
          json_.ScriptNumber(bytes);
          json_.EndArray();
        }
      });
      json_.Key("span");
      time(series.span);
      json_.Key("mark");
      time(series.mark);
      Flag("exact", series.exact);
    });
  }

  static bool IsShown(const TableColumn& column) {
    return !column.title.empty() || column.look == Look::kBar;
  }

  void Body(const Table& table) {
    json_.Object("table", [&] {
      json_.Array("columns", [&] {
        for (const TableColumn& column : table.columns) {
          if (!IsShown(column)) continue;
          json_.Object("", [&] {
            json_.Field("title", column.title);
            json_.Field("look", kLooks[static_cast<size_t>(column.look)]);
          });
        }
      });
      const size_t rows = table.Shown();
      json_.Array("rows", [&] {
        RowCells row(problems_);
        for (size_t r = 0; r < rows + table.sums; ++r) {
          row.cells.clear();
          table.fill(r < rows ? r : table.rows + r - rows, row);
          row.cells.resize(table.columns.size());
          json_.Array("", [&] {
            for (size_t c = 0; c < row.cells.size(); ++c) {
              if (IsShown(table.columns[c])) OneCell(row.cells[c]);
            }
          });
        }
      });
      if (table.depth) {
        json_.Array("depths", [&] {
          for (size_t r = 0; r < rows; ++r) json_.Number(table.depth(r));
        });
      }
      json_.Field("sums", static_cast<int64_t>(table.sums));
      json_.Field("left_out", static_cast<int64_t>(table.rows - rows));
      json_.Field("rest", table.rest);
      if (!table.note.empty()) json_.Field("note", table.note);
    });
  }

  void OneCell(const Cell& cell) {
    const bool plain_text =
        cell.kind() == Cell::Kind::kText && !cell.has_words() && !cell.lines() && cell.depth() == 0;
    if (plain_text) return PageText(json_, cell.text());
    if (cell.kind() == Cell::Kind::kMissing && !cell.has_words()) return json_.Null();
    json_.Object("", [&] {
      Value(cell);
      if (cell.has_words()) json_.Field("words", cell.words());
      if (cell.depth() > 0) json_.Field("depth", static_cast<int64_t>(cell.depth()));
      if (cell.lines()) Flag("lines", true);
    });
  }

  void Value(const Cell& cell) {
    switch (cell.kind()) {
      case Cell::Kind::kEmpty:
      case Cell::Kind::kMissing:
        return;
      case Cell::Kind::kText:
        json_.Key("text");
        return cell.lines() ? json_.Text(cell.text()) : PageText(json_, cell.text());
      case Cell::Kind::kNumber:
        json_.Key("n");
        NumberOf(cell);
        return json_.Field("u", kQuantities[static_cast<size_t>(cell.quantity())]);
      case Cell::Kind::kShare:
        json_.Key("share");
        return json_.Real(cell.real());
      case Cell::Kind::kFlag:
        return Flag("flag", cell.flag());
      case Cell::Kind::kReal:
      case Cell::Kind::kObject:
        return cell.has_words() ? void() : json_.Field("text", Readable(cell));
      case Cell::Kind::kList:
        return json_.Array("list", [&] {
          for (size_t i = 0; i < cell.size(); ++i) OneCell(cell.At(i));
        });
    }
  }

  void NumberOf(const Cell& cell) {
    if (cell.quantity() == Quantity::kNanos) return json_.Decimal(DecimalMicros(cell.number()));
    if (cell.quantity() == Quantity::kUnsigned)
      return json_.Text(std::to_string(static_cast<uint64_t>(cell.number())));
    json_.ScriptNumber(cell.number());
  }

  JsonWriter& json_;
  Problems& problems_;
};

std::string TitleOf(const Document& document) {
  if (!document.view || document.view->comparison) return document.title;
  constexpr std::string_view kTitles[] = {"Scope view: nodes by name scope", "Graph view: nodes by data flow",
                                          "Op view: op types", "Code view: lines of Python"};
  const std::string steps = document.view->steps.Words();
  return fmt::format("{}{}{}", kTitles[static_cast<size_t>(document.view->view)], steps.empty() ? "" : ", ",
                     steps);
}

// What the user chose beside the defaults, and what the figures cover.
void WriteAbout(const Report& report, JsonWriter& json) {
  const Options standard;
  json.Object("options", [&] {
    for (const OptionSpec& option : OptionsTable()) {
      if (option.group != OptionGroup::kView || option.get(report.options) == option.get(standard)) continue;
      // Views without depths have none that was chosen.
      if (option.name == "max_depth" && report.options.max_depth == std::numeric_limits<int64_t>::max())
        continue;
      json.Field(option.name, option.get(report.options));
    }
  });
  json.Object("coverage", [&] {
    for (const CoverageField& field : kCoverageFields) json.Field(field.name, report.coverage.*field.member);
  });
}

}  // namespace

void PageText(JsonWriter& json, std::string_view text) {
  IsPlain(text) ? json.Text(text) : json.Text(Escaped(text));
}

std::vector<std::string> RenderForPage(const Document& document, const MadeReport* made, const Sink& sink) {
  Problems problems;
  // The object may stand in a <script>: outside of its texts there is no such character.
  Output out([&sink](std::string_view text) {
    for (size_t begin = 0; begin < text.size();) {
      const size_t end = std::min(text.find('<', begin), text.size());
      sink(text.substr(begin, end - begin));
      if (end < text.size()) sink("\\u003c");
      begin = end + 1;
    }
  });
  JsonWriter json(out);
  json.Object("", [&] {
    json.Field("tool", fmt::format("tfprof {}", kVersion));
    json.Field("title", TitleOf(document));
    json.List("inputs", document.inputs, [&](const DocumentInput& input) {
      json.Object("", [&] {
        json.Key("path");
        PageText(json, input.path);
        json.Field("format", input.format);
      });
    });
    json.TextList("warnings", document.warnings);
    if (made) {
      json.List("messages", made->messages, [&](const ReportMessage& message) {
        json.Object("", [&] {
          json.Key("warning");
          json.Bool(message.is_warning);
          json.Field("text", message.text);
        });
      });
      json.TextList("problems", made->problems);
      json.Key("broken");
      json.Bool(made->broken);
    }
    DocumentWriter(json, problems).Blocks("blocks", document.blocks);
    if (!document.view) return;
    WriteAbout(*document.view, json);
    json.Object("view", [&] { WritePageView(*document.view, json); });
  });
  return problems;
}

std::string_view UnitWord(Unit unit) {
  return unit == Unit::kBytes ? "bytes" : unit == Unit::kMicros ? "time" : "count";
}

std::string_view PageScript() { return kAppJs; }
std::string_view PageStyle() { return kAppCss; }

std::string PageHtml() {
  return "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
         "<title>tfprof</title>\n<link rel=\"icon\" href=\"data:,\">\n<link rel=\"stylesheet\" "
         "href=\"app.css\">\n</head>\n<body>\n"
         "<div id=\"app\"><noscript>The page needs JavaScript.</noscript></div>\n"
         "<script src=\"app.js\"></script>\n</body>\n</html>\n";
}

}  // namespace tfprof
