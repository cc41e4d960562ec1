// The roles of a profile's variables, and the sums of their elements.
#pragma once

#include "base/variable_roles.h"
#include "model/profile.h"

namespace tfprof {

// A variable that several nodes open counts at the first of them.
struct ProfileVariables {
  Column<NodeId, VariableRole> role;
  Column<NodeId, VariableRole> opens;  // of the variable that a node opens, the first of several or not
  // By role, kNone for nodes that are no variables: elements of all with a known shape, and their number.
  std::array<int64_t, 4> elements{}, nodes{};
};

// One pass over the nodes.
ProfileVariables FindVariables(const Profile& profile);

// The elements of a node's shape; none where it has no shape, or not all of it is known.
std::optional<int64_t> ElementsOf(const Profile& profile, NodeId node, bool* saturated = nullptr);

bool HasType(const Profile& profile, NodeId node, StringId type);

}  // namespace tfprof
