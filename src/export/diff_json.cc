#include <fmt/format.h>
#include <rapidjson/writer.h>

#include <string>
#include <vector>

#include "base/options_table.h"
#include "base/text.h"
#include "export/diff_words.h"
#include "export/formats.h"
#include "tfprof/version.h"

namespace tfprof {
namespace {

class DiffJson {
 public:
  DiffJson(const Report& report, Output& out)
      : report_(report), c_(*report.comparison), out_(out), json_(out) {}

  void Write() {
    json_.StartObject();
    Pair("tool", std::string("tfprof ") + kVersion);
    Inputs();
    Pair("view", ViewName(report_.view));
    Strings("figures", [this] {
      for (ColumnId f : c_.figures) Text(ColumnName(f));
    });
    Pair("difference", DifferenceFormula(c_, "figure", "-"));
    Pair("growth", fmt::format("figure({}) - figure({})", c_.inputs.back().name, c_.inputs.front().name));
    Options();
    Number("rows_compared", c_.rows_compared);
    Strings("warnings", [this] {
      for (const std::string& text : report_.warnings) Text(text);
    });
    Renames();
    Limits();
    json_.Key("root");
    if (report_.rows.empty()) {
      json_.Null();
    } else {
      Tree();
    }
    json_.EndObject();
    out_.Put('\n');
  }

 private:
  void Text(std::string_view text) {
    const std::string shown = IsValidUtf8(text) ? std::string(text) : Printable(text, text.size() * 4);
    json_.String(shown.data(), static_cast<rapidjson::SizeType>(shown.size()));
  }
  void Pair(const char* key, std::string_view text) {
    json_.Key(key);
    Text(text);
  }
  void Number(const char* key, int64_t value) {
    json_.Key(key);
    json_.Int64(value);
  }
  template <class Fill>
  void Strings(const char* key, Fill fill) {
    json_.Key(key);
    json_.StartArray();
    fill();
    json_.EndArray();
  }

  void Inputs() {
    Strings("inputs", [this] {
      for (const ComparedInput& input : c_.inputs) {
        json_.StartObject();
        Pair("name", input.name);
        Pair("source", input.source);
        Strings("files", [&] {
          for (const std::string& file : input.files) Text(file);
        });
        Strings("steps", [&] {
          for (int64_t step : input.steps) json_.Int64(step);
        });
        json_.EndObject();
      }
    });
  }

  void Options() {
    json_.Key("options");
    json_.StartObject();
    Number("min_size", report_.options.min_size);
    json_.Key("delta");
    json_.Double(report_.options.delta);
    for (const std::string_view name :
         {"step", "account_type_regexes", "node_names", "hide_nodes", "rename", "match_renames"}) {
      json_.Key(name.data(), static_cast<rapidjson::SizeType>(name.size()));
      Text(FindOption(name)->get(report_.options));
    }
    json_.Key("max_depth");
    if (report_.options.max_depth_chosen && report_.options.max_depth > 0) {
      json_.Int64(report_.options.max_depth);
    } else {
      json_.Null();
    }
    json_.EndObject();
  }

  void Renames() {
    Strings("renames", [this] {
      for (const FoundRename& rename : c_.renames) {
        json_.StartObject();
        Pair("input", c_.inputs[rename.input].name);
        Pair("from", rename.from);
        Pair("to", rename.to);
        Number("rows", rename.nodes);
        Pair("reason", rename.reason);
        json_.EndObject();
      }
    });
  }

  void Breaks(const char* key, const std::vector<LimitBreak>& breaks) {
    Strings(key, [&] {
      for (const LimitBreak& broken : breaks) {
        json_.StartObject();
        Pair("name", broken.row);
        json_.Key("before");
        if (broken.was_missing) {
          json_.Null();
        } else {
          json_.Int64(broken.before);
        }
        Number("after", broken.after);
        json_.EndObject();
      }
    });
  }

  void Limits() {
    Strings("limits", [this] {
      for (const LimitOutcome& limit : c_.limits) {
        json_.StartObject();
        Pair("limit", limit.text);
        json_.Key("broken");
        json_.Bool(!limit.broken_by.empty());
        Number("rows_checked", limit.checked);
        Breaks("broken_by", limit.broken_by);
        Breaks("within_noise", limit.in_noise);
        json_.EndObject();
      }
    });
  }

  // Rows come parents first; an object stays open until a row that is not below it arrives.
  void Tree() {
    std::vector<uint32_t> open;
    for (uint32_t r = 0; r < report_.rows.size(); ++r) {
      while (!open.empty() && open.back() != report_.rows[r].parent) {
        Close();
        open.pop_back();
      }
      json_.StartObject();
      RowFields(r);
      json_.Key("children");
      json_.StartArray();
      open.push_back(r);
    }
    for (size_t i = 0; i < open.size(); ++i) Close();
  }
  void Close() {
    json_.EndArray();
    json_.EndObject();
  }

  void RowFields(uint32_t r) {
    Pair("name", report_.rows[r].name);
    Pair("status", RowStatusName(c_.status[r]));
    bool renamed = false;
    for (size_t i = 0; i < c_.inputs.size(); ++i) renamed |= !c_.was[r * c_.inputs.size() + i].empty();
    if (renamed) {
      json_.Key("was");
      json_.StartObject();
      for (size_t i = 0; i < c_.inputs.size(); ++i) {
        const std::string_view was = c_.was[r * c_.inputs.size() + i];
        if (!was.empty()) Pair(c_.inputs[i].name.c_str(), was);
      }
      json_.EndObject();
    }
    json_.Key("figures");
    json_.StartObject();
    for (size_t f = 0; f < c_.figures.size(); ++f) {
      const std::string_view name = ColumnName(c_.figures[f]);
      json_.Key(name.data(), static_cast<rapidjson::SizeType>(name.size()));
      FigureFields(r, f);
    }
    json_.EndObject();
  }

  void Values(const char* key, uint32_t r, size_t f, int64_t ComparedCell::*member) {
    Strings(key, [&] {
      for (const ComparedCell& cell : c_.Cells(r, f)) {
        if (cell.known) {
          json_.Int64(cell.*member);
        } else {
          json_.Null();
        }
      }
    });
  }

  void FigureFields(uint32_t r, size_t f) {
    json_.StartObject();
    Values("own", r, f, &ComparedCell::own);
    Values("total", r, f, &ComparedCell::total);
    Number("own_difference", c_.OwnDifference(r, f));
    Number("difference", c_.Difference(r, f));
    json_.Key("ratio");
    if (const std::optional<double> ratio = c_.Ratio(r, f)) {
      json_.Double(*ratio);
    } else {
      json_.Null();
    }
    if (!c_.spreads.empty() && c_.spreads[r * c_.figures.size() + f].known) {
      const Spread& spread = c_.spreads[r * c_.figures.size() + f];
      Number("spread", spread.value);
      json_.Key("significant");
      json_.Bool(spread.significant);
    }
    json_.EndObject();
  }

  const Report& report_;
  const Comparison& c_;
  Output& out_;
  rapidjson::Writer<Output> json_;
};

}  // namespace

void WriteDiffJson(const Report& report, Output& out) { DiffJson(report, out).Write(); }

}  // namespace tfprof
