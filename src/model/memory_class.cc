#include "model/memory_class.h"

#include <algorithm>
#include <cctype>

#include "base/variable_roles.h"
#include "model/captured_run.h"
#include "model/variable_roles.h"

namespace tfprof {
namespace {

// Scopes that optimizers open, in lower case; also with a number behind, and whatever ends in "optimizer".
constexpr std::string_view kOptimizerScopes[] = {"adadelta",
                                                 "adafactor",
                                                 "adagrad",
                                                 "adagradda",
                                                 "adam",
                                                 "adamax",
                                                 "adamw",
                                                 "ftrl",
                                                 "gradientdescent",
                                                 "lamb",
                                                 "lion",
                                                 "momentum",
                                                 "muon",
                                                 "nadam",
                                                 "proximaladagrad",
                                                 "proximalgradientdescent",
                                                 "rmsprop",
                                                 "sgd"};

constexpr std::string_view kOtherTemporary = "/(other temporary memory)";

template <class Use>
bool AnyPart(std::string_view name, Use use) {
  for (size_t begin = 0; begin <= name.size();) {
    const size_t end = std::min(name.find('/', begin), name.size());
    if (use(name.substr(begin, end - begin))) return true;
    begin = end + 1;
  }
  return false;
}

bool IsOptimizerScope(std::string_view part) {
  part = WithoutNumber(part);
  char lower[32];
  if (part.size() < 3 || part.size() > sizeof lower) return false;
  std::transform(part.begin(), part.end(), lower,
                 [](char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); });
  const std::string_view text(lower, part.size());
  return text.ends_with("optimizer") || std::find(std::begin(kOptimizerScopes), std::end(kOptimizerScopes),
                                                  text) != std::end(kOptimizerScopes);
}

bool InOptimizer(std::string_view name) {
  const size_t last = name.rfind('/');
  return last != std::string_view::npos && AnyPart(name.substr(0, last), IsOptimizerScope);
}

bool IsBackwardPart(std::string_view part) {
  if (part == "(backward)" || part.starts_with("transpose(") || part.starts_with("__backward") ||
      part.starts_with("__inference___backward"))
    return true;
  part = WithoutNumber(part);
  return part == "gradients" || part == "gradient_tape" || part.ends_with("_grad");
}

bool IsGradientOp(std::string_view op) {
  if (op.find("Backprop") != std::string_view::npos) return true;
  if (op.size() > 2 && op[op.size() - 2] == 'V' && std::isdigit(static_cast<unsigned char>(op.back())))
    op.remove_suffix(2);
  return op.ends_with("Grad");
}

enum class Pass : uint8_t { kNone, kForward, kBackward };

// Recomputed work stands in for what the forward pass did not keep.
Pass PassOf(std::string_view name) {
  Pass pass = Pass::kNone;
  const bool recomputed = AnyPart(name, [&](std::string_view part) {
    if (IsBackwardPart(part)) {
      pass = Pass::kBackward;
    } else if (pass == Pass::kNone && (part == "(forward)" || part.starts_with("jvp("))) {
      pass = Pass::kForward;
    }
    return part == "(recomputed)" || part == "rematted_computation";
  });
  return recomputed ? Pass::kForward : pass;
}

MemoryClass ClassOf(VariableRole role) {
  switch (role) {
    case VariableRole::kParameter:
      return MemoryClass::kParameters;
    case VariableRole::kOptimizer:
      return MemoryClass::kOptimizer;
    default:
      return MemoryClass::kOtherState;
  }
}

// The role of the variable that a node holds or reads; kNone: none is known.
VariableRole RoleBehind(const Profile& profile, const ProfileVariables& variables, NodeId node) {
  for (int hops = 0; node && hops < 64; ++hops) {
    if (variables.opens[node] != VariableRole::kNone) return variables.opens[node];
    if (!PassesVariable(profile.Op(node))) break;
    node = profile.InputAt(node, 0);
  }
  return VariableRole::kNone;
}

bool TakesValue(std::string_view op) { return op == "Assign" || op == "AssignVariableOp"; }

}  // namespace

MemoryClasses::MemoryClasses(const Profile& profile) : profile_(profile) {
  of_node_.resize(profile.size(), MemoryClass::kActivations);
  for (size_t n = 0; n < profile.size(); ++n) of_node_[NodeId(n)] = OfText(NodeId(n));
  ReadVariables();
  if (!profile.capture) return;
  const CapturedMemory& memory = profile.capture->memory;
  const auto note = [&](StringId id) {
    const std::string_view name = profile.strings[id];
    if (PassOf(name) != Pass::kNone) with_passes_.insert(name.substr(0, name.find('/')));
  };
  for (const MemoryShare& share : memory.shares) note(share.name);
  for (const MemoryOwner& owner : memory.owners) {
    if (owner.is_program) note(owner.rest);
  }
}

// What name and op type say alone.
MemoryClass MemoryClasses::OfText(NodeId node) const {
  const std::string_view name = profile_.Name(node), op = profile_.Op(node);
  if (StateInputs(op) > 0) return MemoryClass::kOptimizer;
  const Pass pass = PassOf(name);
  if (pass == Pass::kBackward || IsGradientOp(op)) return MemoryClass::kGradients;
  if (pass == Pass::kForward) return MemoryClass::kActivations;
  if (InOptimizer(name)) return MemoryClass::kOptimizer;
  if (IsVariableOp(op) || op == "ReadVariableOp" || op.starts_with("Assign")) return MemoryClass::kParameters;
  return op == "Const" || op == "HostConst" ? MemoryClass::kOtherState : MemoryClass::kActivations;
}

// What the graph says of variables goes before names: the value of an assignment is the variable from then
// on.
void MemoryClasses::ReadVariables() {
  const ProfileVariables variables = FindVariables(profile_);
  for (size_t n = 0; n < profile_.size(); ++n) {
    const NodeId node(n);
    const std::string_view op = profile_.Op(node);
    const bool assigns = op.starts_with("Assign");
    if (!assigns && variables.opens[node] == VariableRole::kNone && !PassesVariable(op)) continue;
    const VariableRole role = RoleBehind(profile_, variables, assigns ? profile_.InputAt(node, 0) : node);
    if (role == VariableRole::kNone) continue;
    of_node_[node] = ClassOf(role);
    const NodeId value = TakesValue(op) ? profile_.InputAt(node, 1) : NodeId();
    if (value && profile_.Op(value) != "Const") of_node_[value] = ClassOf(role);
  }
}

MemoryClass MemoryClasses::OfProgramBuffer(StringId id) const {
  const std::string_view name = profile_.strings[id];
  if (name.ends_with(kOtherTemporary)) return MemoryClass::kTemporary;
  const Pass pass = PassOf(name);
  if (pass != Pass::kNone)
    return pass == Pass::kBackward ? MemoryClass::kGradients : MemoryClass::kActivations;
  if (InOptimizer(name)) return MemoryClass::kOptimizer;
  return with_passes_.contains(name.substr(0, name.find('/'))) ? MemoryClass::kTemporary
                                                               : MemoryClass::kActivations;
}

MemoryClass MemoryClasses::OfOwned(const MemoryOwner& owner, StringId name, NodeId node,
                                   bool is_temporary) const {
  if (is_temporary) return MemoryClass::kTemporary;
  if (!owner.is_program) {
    if (node) return of_node_[node];
    const std::string_view text = profile_.strings[name];
    if (PassOf(text) == Pass::kBackward) return MemoryClass::kGradients;
    return InOptimizer(text) ? MemoryClass::kOptimizer : MemoryClass::kActivations;
  }
  if (owner.is_output && PassOf(profile_.strings[name]) == Pass::kNone) return MemoryClass::kOutputs;
  return OfProgramBuffer(name);
}

}  // namespace tfprof
