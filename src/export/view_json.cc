#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "base/json_writer.h"
#include "base/options_table.h"
#include "export/document_fields.h"
#include "export/formats.h"
#include "report/columns.h"
#include "report/tensor_value.h"
#include "tfprof/version.h"

namespace tfprof {
namespace {

// The columns with fields of their own, in their order: figures of a node, of an op type or line, and others.
ReportColumns FieldsOf(const Report& report, bool figures, bool many) {
  ReportColumns out;
  for (const ColumnSpec& column : Columns()) {
    const bool has_field = !column.json_own.empty() || !column.json_total.empty();
    const bool wanted = column.json_when == JsonWhen::kSelected
                            ? report.options.Selects(column.id)
                            : column.json_when == JsonWhen::kAlways || !many;
    if (has_field && wanted && column.is_figure() == figures) out.push_back(&column);
  }
  std::sort(out.begin(), out.end(),
            [](const ColumnSpec* a, const ColumnSpec* b) { return a->json_place < b->json_place; });
  return out;
}

// Fields that many rows have, with their values where they are figures.
class FigureFields {
 public:
  explicit FigureFields(const ReportColumns& columns) {
    for (const ColumnSpec* column : columns) {
      Add(column->json_own, *column, false);
      Add(column->json_total, *column, true);
    }
  }

  void Write(const Report& report, const Row& row, JsonWriter& json) const {
    if (fields_.empty()) return;
    json.Fields(fields_.size(), room_, [&](char* at) {
      for (const Field& field : fields_) {
        const uint32_t figures = field.total ? row.total : row.own;
        at = PutExact(report.figures, figures, *field.column, "null", PutText(field.key, at));
      }
      return at;
    });
  }

 private:
  struct Field {
    std::string key;  // ,"key":
    const ColumnSpec* column;
    bool total;
  };

  void Add(std::string_view key, const ColumnSpec& column, bool total) {
    if (key.empty()) return;
    fields_.push_back({fmt::format("{}\"{}\":", fields_.empty() ? "" : ",", key), &column, total});
    room_ += fields_.back().key.size() + kExactRoom;
  }

  std::vector<Field> fields_;
  size_t room_ = 0;
};

// Values that many rows share, as JSON: each is made once. Beyond so many of them each is made anew.
class SharedValues {
 public:
  template <class WriteOne>
  void Write(uint32_t index, JsonWriter& json, WriteOne write) {
    if (index >= kMost) return write(json);
    if (index >= texts_.size()) texts_.resize(size_t{index} + 1);
    std::string& text = texts_[index];
    if (text.empty()) {
      Output out([&text](std::string_view more) { text += more; });
      JsonWriter one(out);
      write(one);
      out.Flush();
    }
    json.Json(text);
  }

 private:
  static constexpr uint32_t kMost = 1 << 16;
  std::vector<std::string> texts_;
};

class ViewJson {
 public:
  ViewJson(const Report& report, Output& out, Problems& problems)
      : report_(report),
        out_(out),
        problems_(problems),
        many_(report.view == ViewKind::kOp || report.view == ViewKind::kCode),
        node_figures_(FieldsOf(report, true, false)),
        row_figures_(FieldsOf(report, true, many_)),
        others_(FieldsOf(report, false, many_)),
        json_(out) {}

  void Write() {
    json_.BeginObject();
    json_.Field("tool", std::string("tfprof ") + kVersion);
    json_.TextList("inputs", report_.input_files);
    json_.Object("options", [&] {
      for (const OptionSpec& option : OptionsTable()) {
        if (option.group == OptionGroup::kView) json_.Field(option.name, option.get(report_.options));
      }
    });
    json_.Object("coverage", [&] {
      for (const CoverageField& field : kCoverageFields)
        json_.Field(field.name, report_.coverage.*field.member);
    });
    if (!report_.steps.counted.empty()) {
      const auto number = [this](int64_t step) { json_.Number(step); };
      json_.List("steps", report_.steps.counted, number);
      json_.List("warm_up_steps", report_.steps.warm_up, number);
    }
    json_.TextList("warnings", report_.warnings);
    json_.Object("left_out", [&] {
      json_.Field("rows", report_.left_out.rows);
      json_.Field("zeros", report_.left_out.zeros);
      json_.Field("deeper", report_.left_out.deeper);
    });
    json_.Key("root");
    json_.Tree(
        report_.rows.size(), false, [this](size_t r) { return report_.rows[r].depth; },
        [this](size_t r) {
          ExpectRow(report_, r + kRowsAhead);
          RowFields(report_.rows[r]);
        });
    json_.EndObject();
    out_.Put('\n');
  }

 private:
  void RowFields(const Row& row) {
    json_.Field("name", row.name);
    row_figures_.Write(report_, row, json_);
    if (!many_) NodeFields(row);
    const RowMore& more = report_.MoreOf(row);
    if (more.types != kNoIndex) Texts("op_types", more.types);
    for (const ColumnSpec* column : others_) OtherField(row, *column);
    if (more.tensor != kNoIndex) {
      json_.Key("tensor_value");
      WriteCell(TensorValueCell(report_, row, problems_), json_);
    }
    if (report_.GraphNodesOf(row).empty()) return;
    json_.List("graph_nodes", report_.GraphNodesOf(row), [this](const Row& node) {
      json_.Object("", [&] {
        json_.Field("name", node.name);
        node_figures_.Write(report_, node, json_);
        NodeFields(node);
      });
    });
  }

  void Texts(std::string_view key, uint32_t list) {
    json_.Key(key);
    lists_.Write(list, json_, [&](JsonWriter& json) { json.TextList("", report_.lists[list]); });
  }

  void OtherField(const Row& row, const ColumnSpec& column) {
    json_.Key(column.json_own);
    if (column.number) {
      json_.Number(report_.MoreOf(row).*column.number);
    } else if (column.kind != ColumnKind::kRate) {
      const std::string text = CellText(report_, row, column, "|");
      text.empty() ? json_.Null() : json_.Text(text);
    } else if (const std::optional<double> rate = Rate(report_, row, column)) {
      json_.Real(*rate);
    } else {
      json_.Null();
    }
  }

  void NodeFields(const Row& row) {
    const RowMore& more = report_.MoreOf(row);
    if (more.devices != kNoIndex) Texts("devices", more.devices);
    if (more.inputs.size() == 0) return;
    json_.Object("input_shapes", [&] {
      for (const InputShape& input : report_.InputsOf(row)) {
        char position[kNumberRoom];
        json_.Key({position, PutNumber(input.position, position)});
        if (input.shape == kNoIndex) {
          json_.Json(R"({"unknown_rank":true})");
        } else {
          shapes_.Write(input.shape, json_, [&](JsonWriter& json) { Shape(input.shape, json); });
        }
      }
    });
  }

  void Shape(uint32_t shape, JsonWriter& json) {
    json.Object("", [&] {
      json.List("dim", report_.shapes[shape],
                [&json](int64_t size) { json.Object("", [&] { json.Field("size", size); }); });
    });
  }

  const Report& report_;
  Output& out_;
  Problems& problems_;
  bool many_;
  FigureFields node_figures_, row_figures_;
  ReportColumns others_;
  SharedValues lists_, shapes_;
  JsonWriter json_;
};

}  // namespace

void WriteViewJson(const Report& report, Output& out, Problems& problems) {
  ViewJson(report, out, problems).Write();
}

}  // namespace tfprof
