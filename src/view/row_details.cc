#include "view/row_details.h"

#include <algorithm>
#include <set>
#include <string>

#include "base/checked.h"
#include "base/units.h"

namespace tfprof {

uint32_t RowDetails::List(std::vector<std::string_view> sorted) {
  report_->lists.push_back(std::move(sorted));
  return static_cast<uint32_t>(report_->lists.size() - 1);
}

uint32_t RowDetails::DeviceList(DeviceId device) {
  auto [known, fresh] = device_lists_.try_emplace(device.value);
  if (fresh) known->second = List({profile_.DeviceName(device)});
  return known->second;
}

uint32_t RowDetails::SetList(SetId set) {
  auto [known, fresh] = set_lists_.try_emplace(set.value);
  if (fresh) {
    std::vector<std::string_view> texts;
    for (StringId s : profile_.sets[set]) texts.push_back(profile_.strings[s]);
    known->second = List(std::move(texts));
  }
  return known->second;
}

uint32_t RowDetails::TypeList(NodeId node) {
  const StringId op = profile_.OpType(node, report_->options.classic);
  const DeviceId device = profile_.device[node];
  const SetId extra = profile_.extra_types[node];
  const auto make = [&] {
    std::set<std::string_view> types{profile_.strings[op]};
    if (device) types.insert(profile_.DeviceName(device));
    if (extra) {
      for (StringId s : profile_.sets[extra]) types.insert(profile_.strings[s]);
    }
    return std::vector<std::string_view>(types.begin(), types.end());
  };
  auto [known, fresh] = type_lists_.try_emplace({op.value, device.value, extra.value});
  if (fresh) known->second = List(make());
  return known->second;
}

uint32_t RowDetails::ShapeIndex(ShapeId shape) {
  auto [known, fresh] = shapes_.try_emplace(shape.value);
  if (fresh) {
    const auto dims = profile_.shapes[shape];
    report_->shapes.emplace_back(dims.begin(), dims.end());
    known->second = static_cast<uint32_t>(report_->shapes.size() - 1);
  }
  return known->second;
}

// The devices of a node's records, over the steps that the report is about.
SetId RowDetails::DevicesOf(NodeId node) const {
  if (node.value < profile_.folds.size() && profile_.folds[node].steps > 0)
    return profile_.folds[node].sum.devices;
  for (const Step& step : profile_.steps) {
    if (!report_->options.step.Has(step.number)) continue;
    if (const StepRow* row = step.Find(node)) return row->devices;
  }
  return SetId();
}

// Input i has the shape of output 0 of its source; of a source that the graph does not have, an unknown one.
Range RowDetails::InputShapes(NodeId node) {
  Range range{static_cast<uint32_t>(report_->inputs.size()), 0};
  for (const Input& input : profile_.Inputs(node)) {
    const auto outputs = input.node ? profile_.OutputShapes(input.node) : std::span<const ShapeId>();
    const bool known = !outputs.empty() && !profile_.shapes[outputs[0]].empty();
    report_->inputs.push_back({input.position, known ? ShapeIndex(outputs[0]) : kNoIndex});
  }
  range.end = static_cast<uint32_t>(report_->inputs.size());
  return range;
}

void RowDetails::Describe(NodeId node, Row* row) {
  row->node = node.value;
  if (Wants(ColumnId::kDevice)) {
    if (profile_.device[node]) report_->AddMore(row).devices = DeviceList(profile_.device[node]);
    if (everything_) {
      if (const SetId devices = DevicesOf(node)) report_->AddMore(row).ran_on = SetList(devices);
    }
  }
  if (report_->options.Selects(ColumnId::kOpTypes)) report_->AddMore(row).types = TypeList(node);
  if (Wants(ColumnId::kParams) && profile_.shape[node] && !profile_.shapes[profile_.shape[node]].empty()) {
    row->shape = ShapeIndex(profile_.shape[node]);
  }
  if (report_->options.Selects(ColumnId::kTensorValue) && node.value < profile_.tensor.size() &&
      profile_.tensor[node] != NodeId::kNone) {
    report_->AddMore(row).tensor = profile_.tensor[node];
  }
  if (Wants(ColumnId::kInputShapes)) report_->AddMore(row).inputs = InputShapes(node);
}

void RowDetails::DescribeMade(std::string_view type, Row* row) {
  if (!report_->options.Selects(ColumnId::kOpTypes)) return;
  report_->AddMore(row).types = type.empty() ? List({}) : List({type});
}

void RowDetails::DescribeMany(std::vector<NodeId>& nodes, bool is_op, Row* row) {
  const Options& options = report_->options;
  if (options.Selects(ColumnId::kDevice) && (is_op || !nodes.empty())) {
    std::set<std::string_view> devices;
    for (NodeId n : nodes) devices.insert(profile_.DeviceName(n));
    report_->AddMore(row).devices = List({devices.begin(), devices.end()});
  }
  if (options.Selects(ColumnId::kOpTypes)) {
    std::set<std::string_view> types;
    for (NodeId n : nodes) {
      const auto& list = report_->lists[TypeList(n)];
      types.insert(list.begin(), list.end());
    }
    report_->AddMore(row).types = List({types.begin(), types.end()});
  }
  if (is_op && options.Selects(ColumnId::kInputShapes)) AddSignatures(nodes, row);
  if (everything_) {
    std::sort(nodes.begin(), nodes.end(),
              [&](NodeId a, NodeId b) { return profile_.Name(a) < profile_.Name(b); });
    AddGraphNodes(nodes, row);
  }
}

// Distinct combinations of input shapes, most runs first; ties in the order of their text.
void RowDetails::AddSignatures(const std::vector<NodeId>& nodes, Row* row) {
  std::map<std::string, Signature> by_text;
  bool saturated = false;
  for (NodeId n : nodes) {
    const Range inputs = InputShapes(n);
    std::string text;
    for (uint32_t i = inputs.begin; i < inputs.end; ++i) {
      const InputShape& input = report_->inputs[i];
      const std::string shape =
          input.shape == kNoIndex ? "unknown" : FormatShape(report_->shapes[input.shape]);
      text += (i == inputs.begin ? "" : ",\t") + std::to_string(input.position) + ":" + shape;
    }
    const Figures own = report_->figures[n.value];
    auto [known, fresh] = by_text.try_emplace(text, Signature{inputs});
    if (!fresh) report_->inputs.resize(inputs.begin);
    Signature& s = known->second;
    s.runs = SaturatingAdd(s.runs, own[ColumnId::kOccurrence], &saturated);
    s.micros = SaturatingAdd(s.micros, own[ColumnId::kMicros], &saturated);
    ++s.defined;
  }
  Range& range = report_->AddMore(row).signatures;
  range.begin = static_cast<uint32_t>(report_->signatures.size());
  for (const auto& [text, signature] : by_text) report_->signatures.push_back(signature);
  range.end = static_cast<uint32_t>(report_->signatures.size());
  std::stable_sort(report_->signatures.begin() + range.begin, report_->signatures.end(),
                   [](const Signature& a, const Signature& b) { return a.runs > b.runs; });
}

void RowDetails::AddGraphNodes(const std::vector<NodeId>& nodes, Row* row) {
  Range range;
  range.begin = static_cast<uint32_t>(report_->graph_nodes.size());
  for (NodeId n : nodes) {
    Row graph_node;
    graph_node.name = profile_.Name(n);
    graph_node.own = graph_node.total = n.value;
    Describe(n, &graph_node);
    report_->graph_nodes.push_back(graph_node);
  }
  range.end = static_cast<uint32_t>(report_->graph_nodes.size());
  report_->AddMore(row).graph_nodes = range;  // behind those of the nodes
}

}  // namespace tfprof
