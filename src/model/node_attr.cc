#include "model/node_attr.h"

#include <protozero/exception.hpp>
#include <protozero/pbf_reader.hpp>

namespace tfprof {
namespace {

using protozero::pbf_reader;
using protozero::pbf_wire_type;

constexpr uint32_t kNodeDefAttr = 5, kNodeDefDevice = 4, kProfileNodeAttr = 11;
constexpr uint32_t kAttrString = 2, kAttrType = 6, kAttrTensor = 8;
constexpr int32_t kInt32 = 3, kInt64 = 9;

// Calls read(AttrValue) for the attribute of this name; what it gives, or a default where there is none.
template <class T, class Read>
T ReadAttr(const Profile& profile, NodeId node, std::string_view name, Read read) {
  const std::string_view definition = profile.definition[node];
  const uint32_t field = profile.definitions_are_profile_nodes ? kProfileNodeAttr : kNodeDefAttr;
  try {
    pbf_reader reader(definition.data(), definition.size());
    while (reader.next(field, pbf_wire_type::length_delimited)) {
      pbf_reader entry = reader.get_message();
      bool found = false;
      while (entry.next()) {
        if (entry.tag() == 1 && entry.wire_type() == pbf_wire_type::length_delimited) {
          const auto key = entry.get_view();
          found = std::string_view(key.data(), key.size()) == name;
        } else if (found && entry.tag() == 2 && entry.wire_type() == pbf_wire_type::length_delimited) {
          return read(entry.get_message());
        } else {
          entry.skip();
        }
      }
    }
  } catch (const protozero::exception&) {
    return T();
  }
  return T();
}

// tensor_content: little-endian elements one after another.
std::vector<int64_t> UnpackIntegers(std::string_view bytes, int32_t type) {
  const size_t size = type == kInt64 ? 8 : 4;
  std::vector<int64_t> out;
  for (; bytes.size() >= size; bytes.remove_prefix(size)) {
    uint64_t value = 0;
    for (size_t i = size; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[i]);
    out.push_back(type == kInt64 ? static_cast<int64_t>(value) : static_cast<int32_t>(value));
  }
  return out;
}

std::vector<int64_t> ReadTensor(pbf_reader tensor, size_t limit) {
  int32_t type = 0;
  std::string_view content;
  std::vector<int64_t> values;
  while (tensor.next()) {
    const bool bytes = tensor.wire_type() == pbf_wire_type::length_delimited;
    if (tensor.tag() == 1 && !bytes) {
      type = tensor.get_enum();
    } else if (tensor.tag() == 4 && bytes) {
      const auto view = tensor.get_view();
      content = {view.data(), view.size()};
    } else if (tensor.tag() == 7 && bytes) {
      for (int32_t v : tensor.get_packed_int32()) values.push_back(v);
    } else if (tensor.tag() == 10 && bytes) {
      for (int64_t v : tensor.get_packed_int64()) values.push_back(v);
    } else if ((tensor.tag() == 7 || tensor.tag() == 10) && !bytes) {
      values.push_back(tensor.get_int64());
    } else {
      tensor.skip();
    }
    if (values.size() > limit || content.size() > limit * 8) return {};
  }
  if (type != kInt32 && type != kInt64) return {};
  return content.empty() ? values : UnpackIntegers(content, type);
}

}  // namespace

std::optional<std::string_view> AttrString(const Profile& profile, NodeId node, std::string_view name) {
  using Text = std::optional<std::string_view>;
  return ReadAttr<Text>(profile, node, name, [](pbf_reader value) -> Text {
    if (!value.next(kAttrString, pbf_wire_type::length_delimited)) return std::nullopt;
    const auto view = value.get_view();
    return std::string_view(view.data(), view.size());
  });
}

std::optional<int32_t> AttrType(const Profile& profile, NodeId node, std::string_view name) {
  using Type = std::optional<int32_t>;
  return ReadAttr<Type>(profile, node, name, [](pbf_reader value) -> Type {
    if (!value.next(kAttrType, pbf_wire_type::varint)) return std::nullopt;
    const int32_t type = value.get_enum();
    return type > 100 ? type - 100 : type;
  });
}

std::vector<int64_t> AttrIntegers(const Profile& profile, NodeId node, std::string_view name, size_t limit) {
  using Integers = std::vector<int64_t>;
  return ReadAttr<Integers>(profile, node, name, [limit](pbf_reader value) -> Integers {
    if (!value.next(kAttrTensor, pbf_wire_type::length_delimited)) return {};
    return ReadTensor(value.get_message(), limit);
  });
}

std::string_view RequestedDevice(const Profile& profile, NodeId node) {
  if (profile.definitions_are_profile_nodes) return {};
  const std::string_view definition = profile.definition[node];
  try {
    pbf_reader reader(definition.data(), definition.size());
    if (!reader.next(kNodeDefDevice, pbf_wire_type::length_delimited)) return {};
    const auto view = reader.get_view();
    return {view.data(), view.size()};
  } catch (const protozero::exception&) {
    return {};
  }
}

}  // namespace tfprof
