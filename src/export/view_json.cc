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
        [this](size_t r) { RowFields(report_.rows[r]); });
    json_.EndObject();
    out_.Put('\n');
  }

 private:
  void FigureValue(std::string_view key, const Figures& figures, const ColumnSpec& column) {
    if (key.empty()) return;
    const bool known = Knows(figures, column);
    if (!known || column.unit != Unit::kMicros || figures.Rest(column.id) == 0)
      return json_.Field(key, known ? std::optional(figures[column.id]) : std::nullopt);
    json_.Key(key);
    json_.Decimal(DecimalMicros(figures.Nanos(column.id)));
  }

  void RowFields(const Row& row) {
    json_.Field("name", row.name);
    FigureFields(row, row_figures_);
    if (!many_) NodeFields(row);
    if (row.types != kNoIndex) json_.TextList("op_types", report_.lists[row.types]);
    for (const ColumnSpec* column : others_) OtherField(row, *column);
    if (report_.MoreOf(row).tensor != kNoIndex) {
      json_.Key("tensor_value");
      WriteCell(TensorValueCell(report_, row, problems_), json_);
    }
    if (report_.GraphNodesOf(row).empty()) return;
    json_.List("graph_nodes", report_.GraphNodesOf(row), [this](const Row& node) {
      json_.Object("", [&] {
        json_.Field("name", node.name);
        FigureFields(node, node_figures_);
        NodeFields(node);
      });
    });
  }

  void FigureFields(const Row& row, const ReportColumns& columns) {
    for (const ColumnSpec* column : columns) {
      FigureValue(column->json_own, report_.Own(row), *column);
      FigureValue(column->json_total, report_.Total(row), *column);
    }
  }

  void OtherField(const Row& row, const ColumnSpec& column) {
    json_.Key(column.json_own);
    if (column.number) {
      json_.Number(row.*column.number);
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
    if (row.devices != kNoIndex) json_.TextList("devices", report_.lists[row.devices]);
    if (row.inputs.size() == 0) return;
    json_.Object("input_shapes", [&] {
      for (const InputShape& input : report_.InputsOf(row))
        json_.Object(std::to_string(input.position), [&] { Shape(input.shape); });
    });
  }

  void Shape(uint32_t shape) {
    if (shape == kNoIndex) {
      json_.Key("unknown_rank");
      return json_.Bool(true);
    }
    json_.List("dim", report_.shapes[shape],
               [this](int64_t size) { json_.Object("", [&] { json_.Field("size", size); }); });
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
