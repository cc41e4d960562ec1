// Shapes of HLO values, interned: [element type, rank, dimensions...], a tuple as [kTuple, elements,
// shapes...].
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "base/sequence_pool.h"

namespace tfprof::xplane {

class ShapePool {
 public:
  // Decodes a ShapeProto. Damaged or too deeply nested: an empty shape.
  ShapeId Intern(std::string_view shape_proto);

  struct Array {
    int64_t element_type = 0;
    std::span<const int64_t> dims;
  };
  // The value itself, or of a tuple its first array (library calls return their workspace beside it).
  std::optional<Array> FirstArray(ShapeId shape) const;

  // Elements of the array; of a tuple the sum over its arrays. Saturates.
  int64_t Elements(ShapeId shape) const;
  // Bytes of all arrays, sub-byte types packed.
  int64_t ByteSize(ShapeId shape) const;
  static int64_t ByteSize(const Array& array);
  static int64_t Elements(const Array& array);
  // Of a tuple those of its elements, of an array its own alone.
  std::vector<int64_t> ElementByteSizes(ShapeId shape) const;
  // "f32[128,256]", "(f32[128], s32[])"; a long tuple is cut.
  std::string Text(ShapeId shape) const;
  std::span<const int64_t> Encoded(ShapeId shape) const { return pool_[shape]; }

 private:
  template <class Use>
  void ForEachArray(ShapeId shape, Use&& use) const;

  SequencePool<ShapeId, int64_t> pool_;
};

int ElementBits(int64_t primitive_type);                   // 0: has no size
std::string_view ElementTypeName(int64_t primitive_type);  // f32

}  // namespace tfprof::xplane
