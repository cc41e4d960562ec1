#include "import/checkpoint/slices.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "base/checked.h"
#include "import/wire.h"
#include "proto/node_def.h"

namespace tfprof {
namespace {

// TensorFlow's own limit.
constexpr size_t kMostDimensions = 254;

// Slices looked at while a tensor is put together: a file that needs more was made to hang its readers.
constexpr int64_t kMostWork = int64_t{1} << 31;

void AppendNumber(uint64_t number, std::string* key) {
  const auto bytes = static_cast<int>((std::bit_width(number) + 7) / 8);
  key->push_back(static_cast<char>(bytes));
  for (int i = bytes; i-- > 0;) key->push_back(static_cast<char>(number >> (8 * i)));
}

void AppendString(std::string_view text, std::string* key) {
  for (char c : text) {
    key->push_back(c);
    if (c == '\0') key->push_back('\xFF');
    if (c == '\xFF') key->push_back('\0');
  }
  key->append("\0\1", 2);
}

// Order-preserving: the number of leading bits tells the length, and a sign of its own sorts negatives first.
void AppendSigned(int64_t number, std::string* key) {
  const uint64_t magnitude = static_cast<uint64_t>(number < 0 ? ~number : number);
  const size_t bytes = static_cast<size_t>(std::bit_width(magnitude)) / 7 + 1;
  std::string wide(10, number < 0 ? '\xFF' : '\0');
  for (size_t i = 0; i < 8; ++i) wide[9 - i] = static_cast<char>(static_cast<uint64_t>(number) >> (8 * i));
  std::string out = wide.substr(10 - bytes);
  const unsigned header = 0xFFFFu << (16 - bytes) & 0xFFFFu;
  out[0] = static_cast<char>(out[0] ^ static_cast<char>(header >> 8));
  if (bytes > 1) out[1] = static_cast<char>(out[1] ^ static_cast<char>(header & 0xFF));
  *key += out;
}

struct Walk {
  std::span<const TensorSlice> slices;
  std::span<const int64_t> shape;
  size_t axis = 0;    // the last dimension that some slice does not hold whole
  int64_t inner = 1;  // elements below one step along it
  int64_t lines = 1;  // how often that dimension is gone through
};

Walk PlanWalk(std::span<const TensorSlice> slices, std::span<const int64_t> shape) {
  Walk walk{slices, shape};
  for (const TensorSlice& slice : slices) {
    for (size_t d = 0; d < shape.size(); ++d) {
      if (slice.extents[d].length != shape[d]) walk.axis = std::max(walk.axis, d);
    }
  }
  for (size_t d = 0; d < shape.size(); ++d) {
    if (d < walk.axis) walk.lines *= shape[d];
    if (d > walk.axis) walk.inner *= shape[d];
  }
  return walk;
}

// The slices that hold the line at `position` (dimensions before the axis), in their order along it; and for
// how many further lines of the dimension before it that stays so.
Status FindSegments(const Walk& walk, std::span<const int64_t> position, std::vector<size_t>* segments,
                    int64_t* lines) {
  segments->clear();
  const size_t axis = walk.axis;
  *lines = axis == 0 ? 1 : walk.shape[axis - 1] - position[axis - 1];
  for (size_t s = 0; s < walk.slices.size(); ++s) {
    const TensorSlice& slice = walk.slices[s];
    if (slice.elements == 0) continue;
    bool inside = true;
    for (size_t d = 0; d < axis; ++d) {
      const auto& extent = slice.extents[d];
      inside &= position[d] >= extent.start && position[d] < extent.start + extent.length;
    }
    if (axis > 0) {
      const auto& extent = slice.extents[axis - 1];
      for (const int64_t edge : {extent.start, extent.start + extent.length}) {
        if (edge > position[axis - 1]) *lines = std::min(*lines, edge - position[axis - 1]);
      }
    }
    if (inside) segments->push_back(s);
  }
  std::sort(segments->begin(), segments->end(), [&](size_t a, size_t b) {
    return walk.slices[a].extents[axis].start < walk.slices[b].extents[axis].start;
  });
  int64_t next = 0;
  for (size_t s : *segments) {
    const auto& extent = walk.slices[s].extents[axis];
    if (extent.start != next) {
      return Error::Input(extent.start < next ? "its slices overlap" : "its slices leave a gap");
    }
    next += extent.length;
  }
  if (next != walk.shape[axis]) return Error::Input("its slices leave a gap");
  return {};
}

}  // namespace

bool ReadTensorShape(std::string_view shape_proto, std::vector<int64_t>* shape, int64_t* elements) {
  const ShapeDims read(shape_proto);
  bool fits = !read.unknown_rank() && read.dims().size() <= kMostDimensions, overflow = false;
  for (const int64_t dim : read.dims()) {
    fits &= dim >= 0;
    if (shape->size() < kMostDimensions) shape->push_back(dim);
  }
  *elements = 1;
  // A dimension of 0 makes no overflow of the others harmless: partial products are what readers compute.
  for (int64_t dim : *shape) *elements = SaturatingMul(*elements, std::max<int64_t>(dim, 0), &overflow);
  if (!fits || overflow) *elements = 0;
  return fits && !overflow;
}

std::vector<TensorSlice::Extent> ReadExtents(std::string_view slice_proto) {
  std::vector<TensorSlice::Extent> out;
  protozero::pbf_reader reader = Reader(slice_proto);
  while (reader.next()) {
    if (reader.tag_and_type() != BytesTag(1)) {
      reader.skip();
      continue;
    }
    TensorSlice::Extent& extent = out.emplace_back(TensorSlice::Extent{0, -1});
    protozero::pbf_reader fields = reader.get_message();
    while (fields.next()) {
      if (fields.tag_and_type() == VarintTag(1)) {
        extent.start = fields.get_int64();
      } else if (fields.tag_and_type() == VarintTag(2)) {
        extent.length = fields.get_int64();
      } else {
        fields.skip();
      }
    }
  }
  return out;
}

std::string SliceKey(std::string_view name, std::span<const TensorSlice::Extent> extents) {
  std::string key;
  AppendNumber(0, &key);
  AppendString(name, &key);
  AppendNumber(extents.size(), &key);
  for (const auto& extent : extents) {
    AppendSigned(extent.start, &key);
    AppendSigned(extent.length, &key);
  }
  return key;
}

Result<TensorSlice> ResolveSlice(std::span<const TensorSlice::Extent> extents,
                                 std::span<const int64_t> shape) {
  if (extents.size() != shape.size()) {
    return Error::Input(
        fmt::format("a slice has {} dimensions, the tensor {}", extents.size(), shape.size()));
  }
  TensorSlice out;
  out.elements = 1;
  for (size_t d = 0; d < shape.size(); ++d) {
    auto [start, length] = extents[d];
    if (length < 0) {
      if (start != 0) return Error::Input("a slice of a whole dimension does not start at 0");
      length = shape[d];
    }
    if (start < 0 || length > shape[d] || start > shape[d] - length) {
      return Error::Input(fmt::format("a slice ({} from {}) lies outside dimension {}, which is {}", length,
                                      start, d, shape[d]));
    }
    out.extents.push_back({start, length});
    out.elements *= length;  // cannot overflow: the shape's own product does not
  }
  return out;
}

Status ForEachRun(std::span<const TensorSlice> slices, std::span<const int64_t> shape,
                  const std::function<Status(size_t slice, int64_t elements)>& take) {
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return {};
  if (shape.empty()) {
    if (slices.size() != 1) return Error::Input("a scalar is stored more than once, or not at all");
    return take(0, 1);
  }
  const Walk walk = PlanWalk(slices, shape);
  std::vector<int64_t> position(walk.axis);
  std::vector<size_t> segments;
  int64_t same = 0, work = 0;
  for (int64_t line = 0; line < walk.lines; ++line) {
    if (same == 0) {
      work += static_cast<int64_t>(slices.size());
      if (work > kMostWork) return Error::Input("it is cut into too many slices");
      if (Status s = FindSegments(walk, position, &segments, &same); !s) return s;
    }
    --same;
    for (size_t s : segments) {
      if (Status t = take(s, slices[s].extents[walk.axis].length * walk.inner); !t) return t;
    }
    for (size_t d = walk.axis; d-- > 0;) {
      if (++position[d] < shape[d]) break;
      position[d] = 0;
    }
  }
  return {};
}

}  // namespace tfprof
