#include "import/shape.h"

#include <fmt/ranges.h>

#include "base/checked.h"
#include "proto/node_def.h"

namespace tfprof {

Result<ShapeId> CheckedShape(const WireFile& file, const char* position, std::span<const int64_t> dims,
                             ProfileBuilder& builder) {
  bool overflow = false, negative = false;
  int64_t elements = 1;
  for (int64_t dim : dims) {
    negative |= dim < -1;
    if (dim > 0) elements = SaturatingMul(elements, dim, &overflow);
  }
  if (!overflow && !negative) [[likely]]
    return builder.Shape(dims);
  Status damaged = builder.Damaged(
      negative ? "negative dimension" : "overflowing dimension",
      fmt::format("{}: shape [{}] at byte {} {}", file.path, fmt::join(dims, ", "), file.OffsetOf(position),
                  negative ? "has a negative dimension" : "has more elements than 64 bits can count"));
  if (!damaged) return damaged.error();
  return builder.Shape({});
}

Result<ShapeId> ReadShape(const WireFile& file, std::string_view shape_proto, ProfileBuilder& builder) {
  static constexpr int64_t kScalar[] = {1};
  const ShapeDims shape(shape_proto);
  if (shape.unknown_rank()) return builder.Shape({});
  if (shape.dims().empty()) return builder.Shape(kScalar);
  return CheckedShape(file, shape_proto.data(), shape.dims(), builder);
}

}  // namespace tfprof
