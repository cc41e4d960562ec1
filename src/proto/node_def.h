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

// An entry as all writers write it: a text of less than 128 bytes, then bytes of less than 16 KiB, and
// nothing else. False: it is another, or damaged.
inline bool ReadPlainEntry(std::string_view entry, MapEntry* out) {
  const auto byte = [entry](size_t at) { return size_t{static_cast<unsigned char>(entry[at])}; };
  if (entry.size() < 4 || byte(0) != BytesTag(1) || byte(1) >= 0x80) return false;
  const size_t key_size = byte(1), tag = 2 + key_size;
  if (tag + 2 > entry.size() || byte(tag) != BytesTag(2)) return false;
  size_t size = byte(tag + 1), begin = tag + 2;
  if (size >= 0x80) {
    if (begin == entry.size() || byte(begin) >= 0x80) return false;
    size = (size & 0x7F) | byte(begin++) << 7;
  }
  if (begin + size != entry.size()) return false;
  out->text_key = entry.substr(2, key_size);
  out->bytes = entry.substr(begin);
  return true;
}

inline MapEntry ReadMapEntry(std::string_view entry) {
  MapEntry out;
  if (ReadPlainEntry(entry, &out)) return out;
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
