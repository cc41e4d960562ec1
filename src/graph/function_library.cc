#include "graph/function_library.h"

#include "proto/field_walker.h"
#include "proto/node_def.h"

namespace tfprof {
namespace {

constexpr uint32_t kLibraryFunction = 1;
constexpr uint32_t kSignature = 1, kNodeDef = 3, kRet = 4, kControlRet = 6;
constexpr uint32_t kOpDefName = 1, kInputArg = 2, kOutputArg = 3;

std::string_view FirstBytes(std::string_view message, uint32_t number) {
  FieldWalker walker(message);
  Field field;
  while (walker.Next(&field)) {
    if (field.number == number && field.is_bytes()) return field.bytes;
  }
  return {};
}

// ArgDef: name, type, and what makes it a list.
OutputFact ParseArg(std::string_view arg_def) {
  OutputFact out;
  FieldWalker walker(arg_def);
  Field field;
  while (walker.Next(&field)) {
    switch (field.number) {
      case 1:
        out.name = field.bytes;
        break;
      case 3:
        out.type = static_cast<int32_t>(field.value);
        break;
      case 4:
        out.type_attr = field.bytes;
        break;
      case 5:
        out.number_attr = field.bytes;
        break;
      case 6:
        out.type_list_attr = field.bytes;
        break;
      default:
        break;
    }
  }
  return out;
}

void ParseSignature(std::string_view op_def, FunctionBody* body) {
  FieldWalker walker(op_def);
  Field field;
  while (walker.Next(&field)) {
    if (field.number != kInputArg || !field.is_bytes()) continue;
    const OutputFact arg = ParseArg(field.bytes);
    body->arg_of_name.emplace(arg.name, static_cast<uint32_t>(body->args.size()));
    body->args.push_back({arg.name, arg.number_attr, arg.type_list_attr});
  }
  body->facts = ParseOutputs(op_def);
  body->results.resize(body->facts.outputs.size());
}

// FunctionDef.ret: output argument -> reference.
void SetResults(const std::unordered_map<std::string_view, std::string_view>& references,
                FunctionBody* body) {
  for (size_t i = 0; i < body->results.size(); ++i) {
    const auto found = references.find(body->facts.outputs[i].name);
    if (found != references.end()) body->results[i] = found->second;
  }
}

}  // namespace

bool ParseNode(std::string_view node_def, NodeParts* parts, std::vector<std::string_view>* inputs) {
  parts->definition = node_def;
  parts->inputs_begin = static_cast<uint32_t>(inputs->size());
  const bool whole = Survives([&] {
    const NodeDefHead head = ReadNodeDef(
        node_def, [&](std::string_view input) { inputs->push_back(input); }, [](std::string_view) {});
    parts->name = head.name;
    parts->op = head.op;
  });
  parts->inputs_end = static_cast<uint32_t>(inputs->size());
  return whole;
}

OpFacts ParseOutputs(std::string_view op_def) {
  OpFacts out;
  FieldWalker walker(op_def);
  Field field;
  while (walker.Next(&field)) {
    if (field.number == kOutputArg && field.is_bytes()) out.outputs.push_back(ParseArg(field.bytes));
  }
  return out;
}

void FunctionLibrary::Add(std::string_view library) {
  FieldWalker walker(library);
  Field function;
  while (walker.Next(&function)) {
    if (function.number != kLibraryFunction || !function.is_bytes()) continue;
    definitions_.emplace(FirstBytes(FirstBytes(function.bytes, kSignature), kOpDefName), function.bytes);
  }
}

const FunctionBody* FunctionLibrary::Find(std::string_view name) {
  if (const auto known = bodies_.find(name); known != bodies_.end()) return &known->second;
  const auto definition = definitions_.find(name);
  if (definition == definitions_.end()) return nullptr;
  FunctionBody& body = bodies_[definition->first];
  body.name = definition->first;
  ParseSignature(FirstBytes(definition->second, kSignature), &body);
  std::unordered_map<std::string_view, std::string_view> results;
  FieldWalker walker(definition->second);
  Field field;
  while (walker.Next(&field)) {
    if (!field.is_bytes()) continue;
    if (field.number == kRet)
      results.insert_or_assign(FirstBytes(field.bytes, 1), FirstBytes(field.bytes, 2));
    if (field.number == kControlRet) body.controls.push_back(FirstBytes(field.bytes, 2));
    if (field.number != kNodeDef) continue;
    NodeParts node;
    if (!ParseNode(field.bytes, &node, &body.inputs)) continue;
    body.node_of_name.emplace(node.name, static_cast<uint32_t>(body.nodes.size()));
    body.nodes.push_back(node);
    body.text += node.name.size();
  }
  SetResults(results, &body);
  return &body;
}

}  // namespace tfprof
