// ProfileProto: a saved profile, of TensorFlow's tfprof (both generations) or of `tfprof save`.
#pragma once

#include "import/wire.h"
#include "model/profile_builder.h"
#include "tfprof/result.h"

namespace tfprof {

bool IsProfileProto(std::string_view bytes);

// A saved profile holds everything: the builder must be empty.
Status ImportProfileProto(const WireFile& file, ProfileBuilder& builder);

}  // namespace tfprof
