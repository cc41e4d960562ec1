// GraphDef (binary): nodes, inputs, shapes. Text graphs come here too, transcoded by text_proto.h.
#pragma once

#include <string_view>

#include "import/input_format.h"
#include "import/wire.h"
#include "model/profile_builder.h"
#include "tfprof/result.h"

namespace tfprof {

bool IsGraphDef(std::string_view bytes);
std::span<const Lack> WithoutGraph();

// `graph` is the whole of file.bytes, or the part of it that holds the GraphDef (in a MetaGraphDef, say).
Status ImportGraphDef(const WireFile& file, std::string_view graph, ProfileBuilder& builder);

}  // namespace tfprof
