// TensorShapeProto, as every format embeds it.
#pragma once

#include <string_view>

#include "import/wire.h"
#include "model/profile_builder.h"
#include "tfprof/result.h"

namespace tfprof {

// The rules of the model: a scalar is {1}, unknown rank is {}, an unknown dimension -1. A dimension below -1,
// or dimensions whose product does not fit 64 bits, are damage; the shape is then unknown. Throws
// protozero::exception on malformed bytes: call it inside ForEachField.
Result<ShapeId> ReadShape(const WireFile& file, std::string_view shape_proto, ProfileBuilder& builder);

// The same checks for dimensions that are at hand already.
Result<ShapeId> CheckedShape(const WireFile& file, const char* position, std::span<const int64_t> dims,
                             ProfileBuilder& builder);

}  // namespace tfprof
