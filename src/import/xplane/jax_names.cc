#include "import/xplane/jax_names.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <vector>

namespace tfprof::xplane {
namespace {

// Parts that the machinery of JAX adds: loops, calls, recomputation.
constexpr std::string_view kMachinery[] = {"while",
                                           "body",
                                           "cond",
                                           "scan",
                                           "eval_jaxpr",
                                           "closed_call",
                                           "core_call",
                                           "remat_call",
                                           "checkpoint",
                                           "remat",
                                           "remat2",
                                           "pjit",
                                           "xla_call",
                                           "custom_jvp_call",
                                           "custom_vjp_call",
                                           "custom_vjp_call_jaxpr",
                                           "rematted_computation",
                                           "body_jaxpr",
                                           "cond_jaxpr"};

constexpr std::string_view kTransforms[] = {"jvp",        "transpose", "vmap",      "pmap",
                                            "checkpoint", "remat",     "shard_map", "xmap"};

// Splits at a separator outside of parentheses.
std::vector<std::string_view> Parts(std::string_view name, char separator = '/') {
  std::vector<std::string_view> parts;
  int depth = 0;
  size_t begin = 0;
  for (size_t i = 0; i <= name.size(); ++i) {
    if (i < name.size() && (name[i] == '(' || name[i] == '[' || name[i] == '{')) ++depth;
    if (i < name.size() && (name[i] == ')' || name[i] == ']' || name[i] == '}'))
      depth = std::max(0, depth - 1);
    if (i < name.size() && (name[i] != separator || depth > 0)) continue;
    if (i > begin) parts.push_back(name.substr(begin, i - begin));
    begin = i + 1;
  }
  return parts;
}

struct Found {
  bool forward = false, backward = false, recomputed = false;
};

// What is inside of jvp(...), transpose(jvp(...)), vmap(...).
std::string_view Unwrap(std::string_view part, Found* found) {
  for (;;) {
    const size_t open = part.find('(');
    if (open == std::string_view::npos || !part.ends_with(')')) return part;
    const std::string_view outer = part.substr(0, open);
    if (std::ranges::find(kTransforms, outer) == std::end(kTransforms)) return part;
    found->backward |= outer == "transpose";
    found->forward |= outer == "jvp";
    part = part.substr(open + 1, part.size() - open - 2);
  }
}

// f of jit(f); "": no such.
std::string_view Jitted(std::string_view part) {
  for (const std::string_view outer : {std::string_view("jit("), std::string_view("pjit(")}) {
    if (part.starts_with(outer) && part.ends_with(')'))
      return part.substr(outer.size(), part.size() - outer.size() - 1);
  }
  return {};
}

bool IsMachinery(std::string_view part) {
  return std::ranges::find(kMachinery, part) != std::end(kMachinery) ||
         (part.starts_with("branch_") && part.ends_with("_fun"));
}

// Where XLA makes one instruction of several, it joins their names: a/b/mul;a/c/add. It is part of what they
// have in common, a, as mul;add: below either scope alone the other would miss it.
std::string Join(const std::vector<std::string_view>& names) {
  std::vector<std::string> folded;
  for (const std::string_view name : names) folded.push_back(FoldJaxName(name));
  // A program alone says nothing that the others do not.
  const auto has_scope = [](const std::string& name) { return name.find('/') != std::string::npos; };
  if (std::ranges::any_of(folded, has_scope)) std::erase_if(folded, std::not_fn(has_scope));
  size_t common = folded[0].rfind('/') + 1;  // up to and with a slash
  std::string ops;
  for (const std::string& name : folded) {
    const auto end = std::ranges::mismatch(folded[0], name).in1;
    common = std::min(common, static_cast<size_t>(end - folded[0].begin()));
    common = common == 0 ? 0 : folded[0].rfind('/', common - 1) + 1;
    const std::string_view op = std::string_view(name).substr(name.rfind('/') + 1);
    const std::vector<std::string_view> known = Parts(ops, ';');
    if (std::ranges::find(known, op) != known.end()) continue;
    ops += (ops.empty() ? "" : ";") + std::string(op);
  }
  return folded[0].substr(0, common) + ops;
}

}  // namespace

std::string FoldJaxName(std::string_view op_name) {
  if (const auto joined = Parts(op_name, ';'); joined.size() > 1) return Join(joined);
  const std::vector<std::string_view> parts = Parts(op_name);
  if (parts.empty() || Jitted(parts[0]).empty()) return std::string(op_name);  // another framework's
  std::vector<std::string_view> kept;
  Found found;
  size_t layers = 0;  // of `kept`: scopes that the user named, before the op begins
  bool in_op = false;
  for (size_t i = 0; i < parts.size(); ++i) {
    const bool last = i + 1 == parts.size();
    found.recomputed |= !last && parts[i] == "rematted_computation";
    if (!last && IsMachinery(parts[i])) continue;
    const std::string_view plain = last ? parts[i] : Unwrap(parts[i], &found);
    if (plain.empty()) continue;
    const std::string_view function = Jitted(plain);
    kept.push_back(function.empty() ? plain : function);
    // The program itself is a scope; functions inside of it, and equations of einsum, belong to the op.
    in_op |= last || (!function.empty() && i > 0) || plain.find("->") != std::string_view::npos;
    if (!in_op) layers = kept.size();
  }
  const std::string_view pass = found.recomputed ? "(recomputed)"
                                : found.backward ? "(backward)"
                                : found.forward  ? "(forward)"
                                                 : "";
  std::string folded;
  const auto add = [&](std::string_view part) {
    if (!folded.empty()) folded += '/';
    folded += part;
  };
  for (size_t i = 0; i < kept.size(); ++i) {
    if (i == layers && !pass.empty()) add(pass);
    add(kept[i]);
  }
  return folded;
}

}  // namespace tfprof::xplane
