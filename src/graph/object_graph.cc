#include "graph/object_graph.h"

#include <set>
#include <tuple>

#include "graph/model_def.h"
#include "proto/field_walker.h"

namespace tfprof {
namespace {

struct Child {
  uint32_t node = 0;
  std::string_view name;
};

struct Object {
  std::vector<Child> children;
  std::vector<uint32_t> slots;  // slot variables of an optimizer
  bool is_variable = false;
  VariableDef variable;
};

Child ReadChild(std::string_view reference) {
  Child out;
  FieldWalker walker(reference);
  Field field;
  while (walker.Next(&field)) {
    if (field.number == 1) out.node = static_cast<uint32_t>(field.value);
    if (field.number == 2) out.name = field.bytes;
  }
  return out;
}

VariableDef ReadVariable(std::string_view saved_variable) {
  VariableDef out;
  out.trainable = false;
  FieldWalker walker(saved_variable);
  Field field;
  while (walker.Next(&field)) {
    if (field.number == 1) out.type = static_cast<int32_t>(field.value);
    if (field.number == 2) out.shape = ParseShape(field.bytes);
    if (field.number == 3) out.trainable = field.value != 0;
    if (field.number == 6) out.name = field.bytes;
  }
  return out;
}

Object ReadObject(std::string_view saved_object) {
  Object out;
  FieldWalker walker(saved_object);
  Field field;
  while (walker.Next(&field)) {
    if (!field.is_bytes()) continue;
    if (field.number == 1) out.children.push_back(ReadChild(field.bytes));
    if (field.number == 7) {
      out.is_variable = true;
      out.variable = ReadVariable(field.bytes);
    }
    if (field.number != 3) continue;
    FieldWalker slot(field.bytes);
    Field part;
    while (slot.Next(&part)) {
      if (part.number == 3) out.slots.push_back(static_cast<uint32_t>(part.value));
    }
  }
  return out;
}

// Objects that can be reached from the root without the edges that `skip` names.
template <class Skip>
std::vector<bool> ReachedFromRoot(const std::vector<Object>& objects, Skip&& skip) {
  std::vector<bool> seen(objects.size(), false);
  std::vector<uint32_t> open;
  if (!objects.empty()) {
    open.push_back(0);
    seen[0] = true;
  }
  while (!open.empty()) {
    const uint32_t at = open.back();
    open.pop_back();
    for (const Child& child : objects[at].children) {
      if (child.node >= objects.size() || seen[child.node] || skip(at, child.name)) continue;
      seen[child.node] = true;
      open.push_back(child.node);
    }
  }
  return seen;
}

bool IsSeed(const VariableDef& variable) {
  return variable.trainable == false && !variable.shape.HasRank(0) &&
         (variable.name.ends_with("seed_generator_state") || variable.name.ends_with("StateVar"));
}

}  // namespace

std::vector<VariableDef> ReadObjectVariables(std::string_view saved_object_graph) {
  std::vector<Object> objects;
  FieldWalker walker(saved_object_graph);
  Field field;
  while (walker.Next(&field)) {
    if (field.number == 1 && field.is_bytes()) objects.push_back(ReadObject(field.bytes));
  }
  const auto metrics = [](std::string_view name) {
    return name == "keras_api" || name == "_metrics" || name == "metrics" || name == "compiled_metrics" ||
           name == "_loss_tracker" || name == "_compile_metrics";
  };
  const auto training = [&](std::string_view name) {
    return name == "optimizer" || name == "_optimizer" || metrics(name);
  };
  const std::vector<bool> model =
      ReachedFromRoot(objects, [&](uint32_t, std::string_view name) { return training(name); });
  const std::vector<bool> optimized =
      ReachedFromRoot(objects, [&](uint32_t, std::string_view name) { return metrics(name); });
  // Keras' export keeps copies of all variables in one list at the root.
  const std::vector<bool> originals = ReachedFromRoot(objects, [&](uint32_t at, std::string_view name) {
    return training(name) || (at == 0 && name == "_all_variables");
  });
  std::set<uint32_t> slots;
  for (const Object& object : objects) slots.insert(object.slots.begin(), object.slots.end());
  using Key = std::tuple<std::string_view, std::vector<int64_t>, int32_t>;
  std::set<Key> known;
  for (size_t i = 0; i < objects.size(); ++i) {
    const VariableDef& v = objects[i].variable;
    if (objects[i].is_variable && originals[i]) known.emplace(v.name, v.shape.dims(), v.type);
  }
  std::vector<VariableDef> out;
  for (size_t i = 0; i < objects.size(); ++i) {
    if (!objects[i].is_variable) continue;
    VariableDef variable = objects[i].variable;
    const bool copy =
        !originals[i] && known.contains(Key(variable.name, variable.shape.dims(), variable.type));
    if (model[i] && copy) continue;
    if (!model[i]) variable.role = optimized[i] ? VariableRole::kOptimizer : VariableRole::kOther;
    if (slots.contains(static_cast<uint32_t>(i))) variable.role = VariableRole::kOptimizer;
    if (IsSeed(variable)) variable.role = VariableRole::kOther;
    out.push_back(variable);
  }
  return out;
}

}  // namespace tfprof
