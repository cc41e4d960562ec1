// What sort of work a node is, by its op types: who adds up a step's time asks for it.
#pragma once

#include <cstdint>

#include "model/profile.h"

namespace tfprof {

enum class WorkKind : uint8_t { kCompute, kCollective, kCopy, kInput };

WorkKind WorkKindOf(const Profile& profile, NodeId node);

}  // namespace tfprof
