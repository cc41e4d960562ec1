// NodeDef, map entries and TensorShapeProto: the messages that a graph consists of. Inline, since a graph has
// millions of them. All throw on malformed bytes; see wire.h.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "proto/wire.h"

namespace tfprof {

// An entry of a map: a key of either kind and the bytes or number that it maps to.
struct MapEntry {
  int64_t key = 0, number = 0;
  std::string_view text_key, bytes;
};

inline MapEntry ReadMapEntry(std::string_view entry) {
  MapEntry out;
  protozero::pbf_reader reader = Reader(entry);
  while (reader.next()) {
    switch (reader.tag_and_type()) {
      case VarintTag(1):
        out.key = reader.get_int64();
        break;
      case BytesTag(1):
        out.text_key = View(reader.get_view());
        break;
      case VarintTag(2):
        out.number = reader.get_int64();
        break;
      case BytesTag(2):
        out.bytes = View(reader.get_view());
        break;
      default:
        reader.skip();
    }
  }
  return out;
}

inline constexpr uint32_t kNodeDefDevice = 4, kNodeDefAttr = 5;

struct NodeDefHead {
  std::string_view name, op, device;
};

// Calls input(text) and attribute(map entry) for each, in order.
template <class Input, class Attribute>
NodeDefHead ReadNodeDef(std::string_view node_def, Input&& input, Attribute&& attribute) {
  NodeDefHead out;
  protozero::pbf_reader node = Reader(node_def);
  while (node.next()) {
    switch (node.tag_and_type()) {
      case BytesTag(1):
        out.name = View(node.get_view());
        break;
      case BytesTag(2):
        out.op = View(node.get_view());
        break;
      case BytesTag(3):
        input(View(node.get_view()));
        break;
      case BytesTag(kNodeDefDevice):
        out.device = View(node.get_view());
        break;
      case BytesTag(kNodeDefAttr):
        attribute(View(node.get_view()));
        break;
      default:
        node.skip();
    }
  }
  return out;
}

// The dimensions as they are written; only a rank above 8 costs an allocation.
class ShapeDims {
 public:
  explicit ShapeDims(std::string_view shape_proto) {
    protozero::pbf_reader shape = Reader(shape_proto);
    while (shape.next()) {
      if (shape.tag_and_type() == BytesTag(2)) {
        Add(ReadDim(shape.get_message()));
      } else if (shape.tag_and_type() == VarintTag(3)) {
        unknown_rank_ = shape.get_bool();
      } else {
        shape.skip();
      }
    }
  }

  bool unknown_rank() const { return unknown_rank_; }
  std::span<const int64_t> dims() const {
    return more_.empty() ? std::span<const int64_t>(few_, rank_) : more_;
  }

 private:
  static int64_t ReadDim(protozero::pbf_reader dim) {
    int64_t size = 0;
    while (dim.next()) {
      if (dim.tag_and_type() == VarintTag(1)) {
        size = dim.get_int64();
      } else {
        dim.skip();
      }
    }
    return size;
  }

  void Add(int64_t dim) {
    if (rank_ < std::size(few_)) {
      few_[rank_++] = dim;
      return;
    }
    if (more_.empty()) more_.assign(few_, few_ + rank_);
    more_.push_back(dim);
  }

  int64_t few_[8];
  size_t rank_ = 0;
  std::vector<int64_t> more_;  // all of them, where there are more
  bool unknown_rank_ = false;
};

}  // namespace tfprof
