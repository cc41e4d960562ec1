// RunMetadata: what one traced step recorded, per device and execution.
#pragma once

#include "import/input_format.h"
#include "import/wire.h"
#include "model/profile_builder.h"
#include "tfprof/result.h"

namespace tfprof {

bool IsRunMetadata(std::string_view bytes);
std::span<const Lack> WithoutRunMetadata();

// Adds step `number`. Nodes that the graph does not have are added. When the profile has no graph yet, the
// graphs that the metadata itself carries (partition graphs, TF2 function graphs) are taken as one.
Status ImportRunMetadata(const WireFile& file, int64_t number, ProfileBuilder& builder);

}  // namespace tfprof
