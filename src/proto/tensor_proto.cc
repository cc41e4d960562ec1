#include "proto/tensor_proto.h"

#include <limits>

#include "tfprof/tensor.h"

namespace tfprof {
namespace {

using protozero::pbf_reader;
using protozero::pbf_wire_type;

constexpr uint32_t kStringField = 8;

// Which field holds values of this type; 0: none does.
uint32_t ValueField(int32_t dtype) {
  switch (dtype) {
    case kTypeFloat:
      return 5;
    case kTypeDouble:
      return 6;
    case kTypeString:
      return kStringField;
    case 8:  // complex64
      return 9;
    case kTypeInt64:
      return 10;
    case 10:  // bool
      return 11;
    case 18:  // complex128
      return 12;
    case 14:  // bfloat16
    case 19:  // float16
      return 13;
    case 22:
      return 16;
    case 23:
      return 17;
    default:
      if (KindOfElements(dtype) == ElementKind::kNone) return 0;
      return KindOfElements(dtype) == ElementKind::kReal ? 18
                                                         : 7;  // small floats; small and quantised integers
  }
}

// Numbers of a fixed width (float, double), packed or one by one, as they are.
void AppendFixed(pbf_reader& reader, std::string* out) {
  if (reader.wire_type() == pbf_wire_type::length_delimited) {
    *out += View(reader.get_view());
  } else if (reader.wire_type() == pbf_wire_type::fixed32) {
    const uint32_t value = reader.get_fixed32();
    out->append(reinterpret_cast<const char*>(&value), sizeof value);
  } else if (reader.wire_type() == pbf_wire_type::fixed64) {
    const uint64_t value = reader.get_fixed64();
    out->append(reinterpret_cast<const char*>(&value), sizeof value);
  } else {
    reader.skip();
  }
}

// Varints, packed or one by one; each gives the low `width` bytes of an element. Ends beyond `most` bytes.
void AppendVarints(pbf_reader& reader, size_t width, size_t most, std::string* out) {
  const auto append = [&](uint64_t value) { out->append(reinterpret_cast<const char*>(&value), width); };
  if (reader.wire_type() == pbf_wire_type::length_delimited) {
    for (const uint64_t value : reader.get_packed_uint64()) {
      if (out->size() > most) return;
      append(value);
    }
  } else if (reader.wire_type() == pbf_wire_type::varint) {
    append(reader.get_uint64());
  } else {
    reader.skip();
  }
}

}  // namespace

TensorHead ReadTensorHead(std::string_view tensor_proto) {
  TensorHead out;
  pbf_reader reader = Reader(tensor_proto);
  while (reader.next()) {
    switch (reader.tag_and_type()) {
      case VarintTag(1):
        out.dtype = reader.get_enum();
        break;
      case BytesTag(2):
        out.has_shape = true;
        out.shape = View(reader.get_view());
        break;
      case BytesTag(4):
        out.content = View(reader.get_view());
        break;
      default:
        reader.skip();
    }
  }
  return out;
}

void ReadTensorValues(std::string_view tensor_proto, int32_t dtype, size_t limit, std::string* numbers,
                      std::vector<std::string_view>* strings) {
  const uint32_t field = ValueField(dtype);
  const size_t width = DataTypeBytes(dtype);
  const size_t most =
      width == 0 || limit > std::numeric_limits<size_t>::max() / width ? limit : limit * width;
  pbf_reader reader = Reader(tensor_proto);
  while (reader.next()) {
    const bool bytes = reader.wire_type() == pbf_wire_type::length_delimited;
    if (reader.tag() == 4 && bytes && field != kStringField) {  // tensor_content
      const std::string_view content = View(reader.get_view());
      if (!content.empty()) numbers->assign(content.substr(0, most < content.size() ? most + 1 : most));
    } else if (reader.tag() != field) {
      reader.skip();
    } else if (field == kStringField) {
      const std::string_view text = bytes ? View(reader.get_view()) : std::string_view();
      if (!bytes) reader.skip();
      if (bytes && strings && strings->size() <= limit) strings->push_back(text);
    } else if (numbers->size() > most) {
      reader.skip();
    } else if (field == 5 || field == 6 || field == 9 || field == 12 || field == 18) {
      AppendFixed(reader, numbers);
    } else {
      AppendVarints(reader, width, most, numbers);
    }
  }
}

}  // namespace tfprof
