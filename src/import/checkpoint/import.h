// A checkpoint as an input of a profile: marks the nodes that it has values of.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "import/input_format.h"
#include "model/profile_builder.h"
#include "tfprof/checkpoint.h"
#include "tfprof/result.h"

namespace tfprof {

inline constexpr std::string_view kCheckpointType = "_checkpoint_variables";

// Nodes whose name is a key or a full name in the checkpoint get the type `_checkpoint_variables`. Where
// there are no nodes at all, the tensors become nodes, with their shapes. Call it last: the profile keeps the
// checkpoint, whose values are read when somebody asks.
Status ImportCheckpoint(std::shared_ptr<const Checkpoint> checkpoint, ProfileBuilder& builder);

// The same of the one at this path; one that cannot be read is damage.
Status ImportCheckpointAt(const std::string& path, ProfileBuilder& builder);

// For the table of inputs: whether a directory is a SavedModel's with variables, or a path a prefix; and the
// one checkpoint that a path stands for.
bool HoldsCheckpoint(const std::string& path);
Result<std::vector<FoundInput>> FindCheckpointInput(const std::string& path, const Options& options);

}  // namespace tfprof
