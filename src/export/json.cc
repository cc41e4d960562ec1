#include <rapidjson/writer.h>

#include <string>
#include <vector>

#include "base/options_table.h"
#include "base/text.h"
#include "export/columns.h"
#include "export/formats.h"
#include "export/tensor_value.h"
#include "tfprof/version.h"

namespace tfprof {
namespace {

struct NamedFigure {
  const char* own;
  const char* total;
  Figure figure;
};

// Field names of GraphNodeProto; MultiGraphNodeProto has the first nine.
constexpr NamedFigure kFields[] = {
    {"exec_micros", "total_exec_micros", Figure::kMicros},
    {"accelerator_exec_micros", "total_accelerator_exec_micros", Figure::kAcceleratorMicros},
    {"cpu_exec_micros", "total_cpu_exec_micros", Figure::kCpuMicros},
    {"requested_bytes", "total_requested_bytes", Figure::kBytes},
    {"peak_bytes", "total_peak_bytes", Figure::kPeakBytes},
    {"residual_bytes", "total_residual_bytes", Figure::kResidualBytes},
    {"output_bytes", "total_output_bytes", Figure::kOutputBytes},
    {"parameters", "total_parameters", Figure::kParams},
    {"float_ops", "total_float_ops", Figure::kFloatOps},
    {"run_count", "total_run_count", Figure::kOccurrence},
};
constexpr size_t kManyFields = 9;

class JsonWriter {
 public:
  JsonWriter(const Report& report, Output& out) : report_(report), out_(out), json_(out) {}

  void Write() {
    json_.StartObject();
    Key("tool");
    Text(std::string("tfprof ") + kVersion);
    Key("inputs");
    Outside(report_.input_files);
    Key("options");
    OptionValues();
    Key("coverage");
    CoverageFields();
    Key("warnings");
    Outside(report_.warnings);
    Key("root");
    Tree();
    json_.EndObject();
    out_.Put('\n');
  }

 private:
  void Key(const char* key) { json_.Key(key); }
  void Text(std::string_view text) {
    json_.String(text.data(), static_cast<rapidjson::SizeType>(text.size()));
  }
  template <class List>
  void Strings(const List& list) {
    json_.StartArray();
    for (const auto& text : list) Text(text);
    json_.EndArray();
  }
  // File names need not be UTF-8, as JSON must.
  void OutsideText(const std::string& text) {
    Text(IsValidUtf8(text) ? text : Printable(text, text.size() * 4));
  }
  void Outside(const std::vector<std::string>& list) {
    json_.StartArray();
    for (const std::string& text : list) OutsideText(text);
    json_.EndArray();
  }
  void Number(const char* key, int64_t value) {
    json_.Key(key);
    json_.Int64(value);
  }
  void FigureValue(const char* key, const Figures& figures, Figure figure) {
    json_.Key(key);
    if (figures.Knows(figure)) {
      json_.Int64(figures[figure]);
    } else {
      json_.Null();
    }
  }

  void OptionValues() {
    json_.StartObject();
    for (const OptionSpec& option : OptionsTable()) {
      if (option.group != OptionGroup::kView) continue;
      json_.Key(option.name.data(), static_cast<rapidjson::SizeType>(option.name.size()));
      OutsideText(option.get(report_.options));
    }
    json_.EndObject();
  }

  void CoverageFields() {
    json_.StartObject();
    for (const CoverageField& field : kCoverageFields) Number(field.name, report_.coverage.*field.member);
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
      json_.StartObject();
      RowFields(row);
      const bool has_children = r + 1 < report_.rows.size() && report_.rows[r + 1].parent == r;
      if (has_children) {
        Key("children");
        json_.StartArray();
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
    const bool many = report_.view == ViewKind::kOp || report_.view == ViewKind::kCode;
    Key("name");
    Text(row.name);
    AllFigures(row, many ? kManyFields : std::size(kFields));
    if (!many) NodeFields(row);
    if (row.types != kNoIndex) {
      Key("op_types");
      Strings(report_.lists[row.types]);
    }
    for (const Select s : {Select::kIntensity, Select::kFlopRate}) {
      if (!report_.options.Selects(s)) continue;
      Key(s == Select::kIntensity ? "intensity" : "flop_rate");
      if (const std::optional<double> rate = Rate(report_, row, s)) {
        json_.Double(*rate);
      } else {
        json_.Null();
      }
    }
    if (report_.options.Selects(Select::kHiddenOps)) Number("num_hidden_ops", row.hidden_ops);
    if (row.tensor != kNoIndex) {
      Key("tensor_value");
      WriteTensorValueJson(report_, row, json_);
    }
    if (row.graph_nodes.size() == 0) return;
    Key("graph_nodes");
    json_.StartArray();
    for (uint32_t i = row.graph_nodes.begin; i < row.graph_nodes.end; ++i) {
      const Row& node = report_.graph_nodes[i];
      json_.StartObject();
      Key("name");
      Text(node.name);
      AllFigures(node, std::size(kFields));
      NodeFields(node);
      json_.EndObject();
    }
    json_.EndArray();
  }

  void AllFigures(const Row& row, size_t count) {
    for (size_t i = 0; i < count; ++i) {
      FigureValue(kFields[i].own, report_.Own(row), kFields[i].figure);
      FigureValue(kFields[i].total, report_.Total(row), kFields[i].figure);
    }
    // What the protos do not have is there when it was asked for.
    if (report_.options.Selects(Select::kMacs)) {
      FigureValue("macs", report_.Own(row), Figure::kMacs);
      FigureValue("total_macs", report_.Total(row), Figure::kMacs);
    }
    if (report_.options.Selects(Select::kMovedBytes)) {
      FigureValue("moved_bytes", report_.Own(row), Figure::kMovedBytes);
      FigureValue("total_moved_bytes", report_.Total(row), Figure::kMovedBytes);
    }
  }

  void NodeFields(const Row& row) {
    Number("total_definition_count", report_.Total(row)[Figure::kDefined]);
    if (row.devices != kNoIndex) {
      Key("devices");
      Strings(report_.lists[row.devices]);
    }
    if (row.inputs.size() == 0) return;
    Key("input_shapes");
    json_.StartObject();
    for (uint32_t i = row.inputs.begin; i < row.inputs.end; ++i) {
      const InputShape& input = report_.inputs[i];
      json_.Key(std::to_string(input.position).c_str());
      Shape(input.shape);
    }
    json_.EndObject();
  }

  void Shape(uint32_t shape) {
    json_.StartObject();
    if (shape == kNoIndex) {
      Key("unknown_rank");
      json_.Bool(true);
    } else {
      Key("dim");
      json_.StartArray();
      for (int64_t size : report_.shapes[shape]) {
        json_.StartObject();
        Number("size", size);
        json_.EndObject();
      }
      json_.EndArray();
    }
    json_.EndObject();
  }

  const Report& report_;
  Output& out_;
  rapidjson::Writer<Output> json_;
};

}  // namespace

void WriteJson(const Report& report, Output& out) { JsonWriter(report, out).Write(); }

}  // namespace tfprof
