// OpLogProto (file `tfprof_log`): float ops, extra types and call stacks of nodes, as TensorFlow's Python
// side logs them.
#pragma once

#include "import/input_format.h"
#include "import/wire.h"
#include "model/profile_builder.h"
#include "tfprof/result.h"

namespace tfprof {

bool IsOpLog(std::string_view bytes);
std::span<const Lack> WithoutOpLog();

// Adds to the nodes that are there already; entries of unknown nodes are counted and left out.
Status ImportOpLog(const WireFile& file, ProfileBuilder& builder);

}  // namespace tfprof
