// Attributes of a node, read from its definition when somebody asks: the Profile keeps the bytes, not the
// values. Linear in the number of the node's attributes. Damaged bytes read as "no such attribute".
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "base/variable_roles.h"
#include "model/profile.h"

namespace tfprof {

std::optional<std::string_view> AttrString(const Profile& profile, NodeId node, std::string_view name);
// What the definition of a variable says of its role; kNone: nothing.
VariableRole RoleAttr(const Profile& profile, NodeId node);

// The number of TensorFlow's DataType enum; references (+100) as the type they refer to.
std::optional<int32_t> AttrType(const Profile& profile, NodeId node, std::string_view name);

// The values of a small integer tensor (DT_INT32 or DT_INT64), as the `value` of a Const; empty: none, or
// larger than `limit`.
std::vector<int64_t> AttrIntegers(const Profile& profile, NodeId node, std::string_view name,
                                  size_t limit = 16);

// Where the graph wants the node to run; "" when it does not say (saved profiles do not).
std::string_view RequestedDevice(const Profile& profile, NodeId node);

}  // namespace tfprof
