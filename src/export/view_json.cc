#include <algorithm>
#include <string>
#include <vector>

#include "base/options_table.h"
#include "export/document_fields.h"
#include "export/json_writer.h"
#include "export/view_formats.h"
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
    Key("tool");
    Text(std::string("tfprof ") + kVersion);
    Key("inputs");
    json_.TextList(report_.input_files);
    Key("options");
    OptionValues();
    Key("coverage");
    CoverageFields();
    if (!report_.steps.counted.empty()) StepFields();
    Key("warnings");
    json_.TextList(report_.warnings);
    Key("left_out");
    json_.BeginObject();
    json_.Field("rows", report_.left_out.rows);
    json_.Field("zeros", report_.left_out.zeros);
    json_.Field("deeper", report_.left_out.deeper);
    json_.EndObject();
    Key("root");
    Tree();
    json_.EndObject();
    out_.Put('\n');
  }

 private:
  void Key(std::string_view key) { json_.Key(key); }
  void Text(std::string_view text) { json_.Text(text); }
  void FigureValue(std::string_view key, const Figures& figures, const ColumnSpec& column) {
    if (key.empty()) return;
    Key(key);
    if (Knows(figures, column) && column.unit == Unit::kMicros && figures.Rest(column.id) != 0) {
      return json_.Decimal(DecimalMicros(figures.Nanos(column.id)));
    }
    json_.NumberOrNull(Knows(figures, column) ? std::optional(figures[column.id]) : std::nullopt);
  }

  void OptionValues() {
    json_.BeginObject();
    for (const OptionSpec& option : OptionsTable()) {
      if (option.group != OptionGroup::kView) continue;
      Key(option.name);
      Text(option.get(report_.options));
    }
    json_.EndObject();
  }

  void StepFields() {
    for (const auto& [key, steps] :
         {std::pair("steps", &report_.steps.counted), std::pair("warm_up_steps", &report_.steps.warm_up)}) {
      Key(key);
      json_.BeginArray();
      for (const int64_t step : *steps) json_.Number(step);
      json_.EndArray();
    }
  }

  void CoverageFields() {
    json_.BeginObject();
    for (const CoverageField& field : kCoverageFields)
      json_.Field(field.name, report_.coverage.*field.member);
    json_.EndObject();
  }

  // Rows come parents first; an object stays open until a row that is not below it arrives.
  void Tree() {
    std::vector<uint32_t> open;  // rows whose "children" array is open
    for (uint32_t r = 0; r < report_.rows.size(); ++r) {
      const Row& row = report_.rows[r];
      while (!open.empty() && open.back() != row.parent) {
        Close();
        open.pop_back();
      }
      json_.BeginObject();
      RowFields(row);
      const bool has_children = r + 1 < report_.rows.size() && report_.rows[r + 1].parent == r;
      if (has_children) {
        Key("children");
        json_.BeginArray();
        open.push_back(r);
      } else {
        json_.EndObject();
      }
    }
    for (size_t i = 0; i < open.size(); ++i) Close();
  }

  void Close() {
    json_.EndArray();
    json_.EndObject();
  }

  void RowFields(const Row& row) {
    Key("name");
    Text(row.name);
    FigureFields(row, row_figures_);
    if (!many_) NodeFields(row);
    if (row.types != kNoIndex) {
      Key("op_types");
      json_.TextList(report_.lists[row.types]);
    }
    for (const ColumnSpec* column : others_) OtherField(row, *column);
    if (row.tensor != kNoIndex) {
      Key("tensor_value");
      WriteCell(TensorValueCell(report_, row, problems_), json_);
    }
    if (row.graph_nodes.size() == 0) return;
    Key("graph_nodes");
    json_.BeginArray();
    for (uint32_t i = row.graph_nodes.begin; i < row.graph_nodes.end; ++i) {
      const Row& node = report_.graph_nodes[i];
      json_.BeginObject();
      Key("name");
      Text(node.name);
      FigureFields(node, node_figures_);
      NodeFields(node);
      json_.EndObject();
    }
    json_.EndArray();
  }

  void FigureFields(const Row& row, const ReportColumns& columns) {
    for (const ColumnSpec* column : columns) {
      FigureValue(column->json_own, report_.Own(row), *column);
      FigureValue(column->json_total, report_.Total(row), *column);
    }
  }

  void OtherField(const Row& row, const ColumnSpec& column) {
    Key(column.json_own);
    if (column.number) {
      json_.Number(row.*column.number);
    } else if (column.kind != ColumnKind::kRate) {
      const std::string text = CellText(report_, row, column, "|");
      text.empty() ? json_.Null() : Text(text);
    } else if (const std::optional<double> rate = Rate(report_, row, column)) {
      json_.Real(*rate);
    } else {
      json_.Null();
    }
  }

  void NodeFields(const Row& row) {
    if (row.devices != kNoIndex) {
      Key("devices");
      json_.TextList(report_.lists[row.devices]);
    }
    if (row.inputs.size() == 0) return;
    Key("input_shapes");
    json_.BeginObject();
    for (uint32_t i = row.inputs.begin; i < row.inputs.end; ++i) {
      const InputShape& input = report_.inputs[i];
      Key(std::to_string(input.position));
      Shape(input.shape);
    }
    json_.EndObject();
  }

  void Shape(uint32_t shape) {
    json_.BeginObject();
    if (shape == kNoIndex) {
      Key("unknown_rank");
      json_.Bool(true);
    } else {
      Key("dim");
      json_.BeginArray();
      for (int64_t size : report_.shapes[shape]) {
        json_.BeginObject();
        json_.Field("size", size);
        json_.EndObject();
      }
      json_.EndArray();
    }
    json_.EndObject();
  }

  const Report& report_;
  Output& out_;
  Problems& problems_;
  bool many_;
  ReportColumns node_figures_, row_figures_, others_;
  JsonWriter json_;
};

}  // namespace

void WriteViewJson(const Report& report, Output& out, Problems& problems) {
  ViewJson(report, out, problems).Write();
}

}  // namespace tfprof
