#include "import/shape.h"

#include <fmt/ranges.h>

#include <vector>

#include "base/checked.h"

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
  int64_t dims[8];
  std::vector<int64_t> more;  // shapes of rank above 8 are rare: only they cost an allocation
  size_t rank = 0;
  bool unknown_rank = false;
  protozero::pbf_reader shape = Reader(shape_proto);
  while (shape.next()) {
    if (shape.tag_and_type() == BytesTag(2)) {
      protozero::pbf_reader dim = shape.get_message();
      int64_t size = 0;
      while (dim.next()) {
        if (dim.tag_and_type() == VarintTag(1)) {
          size = dim.get_int64();
        } else {
          dim.skip();
        }
      }
      if (rank == std::size(dims)) more.assign(dims, dims + rank);
      if (rank < std::size(dims)) {
        dims[rank] = size;
      } else {
        more.push_back(size);
      }
      ++rank;
    } else if (shape.tag_and_type() == VarintTag(3)) {
      unknown_rank = shape.get_bool();
    } else {
      shape.skip();
    }
  }
  if (unknown_rank) return builder.Shape({});
  if (rank == 0) return builder.Shape(kScalar);
  const std::span<const int64_t> found = more.empty() ? std::span<const int64_t>(dims, rank) : more;
  return CheckedShape(file, shape_proto.data(), found, builder);
}

}  // namespace tfprof
