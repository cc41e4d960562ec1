#include "base/variable_roles.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <unordered_set>

namespace tfprof {
namespace {

// The variable, its slots, accumulated powers and, where it follows at once, the learning rate.
struct TrainingOp {
  std::string_view stem;
  size_t state_inputs;
};
constexpr TrainingOp kTrainingOps[] = {
    {"GradientDescent", 2},
    {"ProximalGradientDescent", 2},
    {"Momentum", 3},
    {"KerasMomentum", 3},
    {"Adam", 6},
    {"AdamWithAmsgrad", 7},
    {"AdaMax", 5},
    {"Adagrad", 3},
    {"AdagradV2", 3},
    {"AdagradDA", 3},
    {"Adadelta", 4},
    {"ProximalAdagrad", 3},
    {"RMSProp", 4},
    {"CenteredRMSProp", 5},
    {"Ftrl", 3},
    {"FtrlV2", 3},
    {"AddSign", 3},
    {"PowerSign", 3},
};

template <size_t N>
bool IsOneOf(std::string_view word, const std::string_view (&words)[N]) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

// Names of slots in Keras 2.11 and later: OPTIMIZER/SLOT/VARIABLE.
constexpr std::string_view kSlotWords[] = {"m",
                                           "v",
                                           "vhat",
                                           "u",
                                           "momentum",
                                           "velocity",
                                           "accumulator",
                                           "average_gradient",
                                           "linear",
                                           "accumulated_grad",
                                           "accumulated_delta_var"};
// What metrics of Keras keep, besides the pair of total and count.
constexpr std::string_view kMetricWords[] = {"true_positives", "true_negatives", "false_positives",
                                             "false_negatives", "total_confusion_matrix"};
constexpr std::string_view kCounterWords[] = {"global_step", "save_counter"};
constexpr std::string_view kAverageWords[] = {"ExponentialMovingAverage"};

struct Name {
  std::string_view scope, leaf;
};

Name Split(std::string_view name) {
  const size_t slash = name.rfind('/');
  if (slash == std::string_view::npos) return {{}, name};
  return {name.substr(0, slash), name.substr(slash + 1)};
}

// Keys of checkpoints of TensorFlow 2 are paths of objects, with this at their end.
constexpr std::string_view kValueKey = "/.ATTRIBUTES/VARIABLE_VALUE";

bool IsObjectOf(std::string_view key, std::string_view attribute) {
  return key.ends_with(kValueKey) &&
         (key.starts_with(attribute) || key.starts_with("_" + std::string(attribute)));
}

class VariableNames {
 public:
  explicit VariableNames(const std::vector<VariableFacts>& variables) : variables_(variables) {
    for (size_t i = 0; i < variables.size(); ++i) by_name_.emplace(variables[i].name, i);
    for (const VariableFacts& variable : variables) {
      const Name name = Split(variable.name);
      if (name.leaf != "learning_rate" || name.scope.empty() || !IsScalar(variable)) continue;
      if (Has(name.scope, "iteration") || Has(name.scope, "iter")) optimizers_.insert(name.scope);
    }
  }

  bool IsOptimizer(const VariableFacts& variable) const {
    const std::string_view name = variable.name;
    if (name.find("/.OPTIMIZER_SLOT/") != std::string_view::npos || IsObjectOf(name, "optimizer/"))
      return true;
    for (size_t slash = name.find('/'); slash != std::string_view::npos; slash = name.find('/', slash + 1)) {
      if (optimizers_.contains(name.substr(0, slash))) return true;
    }
    const Name parts = Split(name);
    if (SameShape(parts.scope, variable)) return true;  // VARIABLE/SLOT of TensorFlow 1
    const size_t first = name.find('/');
    const size_t second = first == std::string_view::npos ? first : name.find('/', first + 1);
    if (second != std::string_view::npos && IsOneOf(name.substr(first + 1, second - first - 1), kSlotWords) &&
        SameShape(name.substr(second + 1), variable)) {
      return true;
    }
    // Powers of Adam, and what Keras 2.11 and later keep outside of any scope.
    if (!IsScalar(variable)) return false;
    const std::string_view leaf = WithoutNumber(parts.leaf);
    return leaf == "beta1_power" || leaf == "beta2_power" ||
           (parts.scope.empty() && (leaf == "iteration" || leaf == "learning_rate"));
  }

  bool IsOther(const VariableFacts& variable) const {
    const Name parts = Split(variable.name);
    const std::string_view leaf = WithoutNumber(parts.leaf);
    for (const std::string_view attribute :
         {"save_counter", "keras_api/metrics/", "metrics/", "loss_tracker/"}) {
      if (IsObjectOf(variable.name, attribute)) return true;
    }
    if (variable.name.ends_with("seed_generator_state") || parts.leaf.ends_with("StateVar")) return true;
    if (IsOneOf(leaf, kAverageWords) && SameShape(parts.scope, variable)) return true;
    if (IsOneOf(leaf, kMetricWords)) return true;
    if (!IsScalar(variable)) return false;
    if (variable.integer && (variable.counted_up || IsOneOf(leaf, kCounterWords))) return true;
    return (leaf == "count" && Has(parts.scope, "total", &variable)) ||
           (leaf == "total" && Has(parts.scope, "count", &variable));
  }

 private:
  static bool IsScalar(const VariableFacts& variable) {
    return variable.known_shape && (variable.dims.empty() || variable.dims == std::vector<int64_t>{1});
  }
  const VariableFacts* Find(std::string_view name) const {
    const auto found = by_name_.find(name);
    return found == by_name_.end() ? nullptr : &variables_[found->second];
  }
  bool SameShape(std::string_view name, const VariableFacts& variable) const {
    const VariableFacts* other = name.empty() ? nullptr : Find(name);
    return other && other != &variable && other->known_shape && variable.known_shape &&
           other->dims == variable.dims;
  }
  // A scalar of this name in the scope, of the same type as `like` where that is given.
  bool Has(std::string_view scope, std::string_view leaf, const VariableFacts* like = nullptr) const {
    const VariableFacts* found = Find(std::string(scope) + (scope.empty() ? "" : "/") + std::string(leaf));
    return found && IsScalar(*found) && (!like || found->integer == like->integer);
  }

  const std::vector<VariableFacts>& variables_;
  std::unordered_map<std::string_view, size_t> by_name_;
  std::unordered_set<std::string_view> optimizers_;  // scopes
};

}  // namespace

std::string_view WithoutNumber(std::string_view leaf) {
  size_t end = leaf.size();
  while (end > 0 && leaf[end - 1] >= '0' && leaf[end - 1] <= '9') --end;
  if (end == 0 || end == leaf.size() || leaf[end - 1] != '_') return leaf;
  return leaf.substr(0, end - 1);
}

VariableRole RecordedRole(std::string_view attribute) {
  if (attribute == "optimizer") return VariableRole::kOptimizer;
  return attribute == "other" ? VariableRole::kOther : VariableRole::kNone;
}

size_t StateInputs(std::string_view op) {
  if (op.starts_with("Resource")) op.remove_prefix(8);
  if (op.starts_with("Sparse")) op.remove_prefix(6);
  if (!op.starts_with("Apply")) return 0;
  op.remove_prefix(5);
  for (const TrainingOp& known : kTrainingOps) {
    if (known.stem == op) return known.state_inputs;
  }
  return 1;
}

bool PassesVariable(std::string_view op) {
  return op == "Identity" || op == "ReadVariableOp" || op == "Cast" || op == "Enter" || op == "RefEnter" ||
         op == "Switch" || op == "RefSwitch" || op == "RefIdentity" || op == "StopGradient";
}

std::vector<VariableRole> DecideRoles(const std::vector<VariableFacts>& variables) {
  // Of most graphs nobody asks for them.
  std::optional<VariableNames> names;
  if (!std::ranges::all_of(variables, IsToldByUse)) names.emplace(variables);
  std::vector<VariableRole> out;
  out.reserve(variables.size());
  for (const VariableFacts& variable : variables) {
    VariableRole role = VariableRole::kParameter;
    if (variable.trainable.value_or(false) || variable.trained) {
      role = VariableRole::kParameter;
    } else if (variable.slot) {
      role = VariableRole::kOptimizer;
    } else if (variable.role != VariableRole::kNone) {
      role = variable.role;
    } else if (names->IsOther(variable)) {
      role = VariableRole::kOther;
    } else if (names->IsOptimizer(variable)) {
      role = VariableRole::kOptimizer;
    }
    out.push_back(role);
  }
  return out;
}

}  // namespace tfprof
