// A checkpoint beside a graph: marks the nodes that it has values of.
#pragma once

#include <memory>
#include <string_view>

#include "model/profile_builder.h"
#include "tfprof/checkpoint.h"
#include "tfprof/result.h"

namespace tfprof {

inline constexpr std::string_view kCheckpointType = "_checkpoint_variables";

// Nodes whose name is a key or a full name in the checkpoint get the type `_checkpoint_variables`. Where
// there are no nodes at all, the tensors become nodes, with their shapes. Call it last: the profile keeps the
// checkpoint, whose values are read when somebody asks.
Status ImportCheckpoint(std::shared_ptr<const Checkpoint> checkpoint, ProfileBuilder& builder);

}  // namespace tfprof
