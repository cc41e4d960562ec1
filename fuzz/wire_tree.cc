#include "wire_tree.h"

#include <cstring>

namespace tfprof {
namespace {

constexpr int kMostLevels = 24;

std::optional<uint64_t> TakeVarint(std::string_view* bytes) {
  uint64_t value = 0;
  for (size_t i = 0; i < bytes->size() && i < 10; ++i) {
    const auto byte = static_cast<unsigned char>((*bytes)[i]);
    value |= static_cast<uint64_t>(byte & 127) << (7 * i);
    if (byte > 127) continue;
    bytes->remove_prefix(i + 1);
    return value;
  }
  return std::nullopt;
}

std::optional<uint64_t> TakeFixed(std::string_view* bytes, size_t size) {
  if (bytes->size() < size) return std::nullopt;
  uint64_t value = 0;
  std::memcpy(&value, bytes->data(), size);
  bytes->remove_prefix(size);
  return value;
}

void AppendVarint(uint64_t value, std::string* out) {
  for (; value > 127; value >>= 7) out->push_back(static_cast<char>(value | 128));
  out->push_back(static_cast<char>(value));
}

std::optional<std::vector<WireField>> Parse(std::string_view bytes, int level, size_t* left);

bool ParseValue(std::string_view* bytes, int level, size_t* left, WireField* field) {
  if (field->type == WireType::kBytes) {
    const std::optional<uint64_t> size = TakeVarint(bytes);
    if (!size || *size > bytes->size()) return false;
    field->bytes = bytes->substr(0, *size);
    bytes->remove_prefix(*size);
    if (level >= kMostLevels || field->bytes.empty()) return true;
    if (auto children = Parse(field->bytes, level + 1, left)) {
      field->children = std::move(*children);
      field->is_message = true;
      field->bytes.clear();
    }
    return true;
  }
  const std::optional<uint64_t> value = field->type == WireType::kVarint    ? TakeVarint(bytes)
                                        : field->type == WireType::kFixed64 ? TakeFixed(bytes, 8)
                                        : field->type == WireType::kFixed32 ? TakeFixed(bytes, 4)
                                                                            : std::nullopt;
  field->value = value.value_or(0);
  return value.has_value();
}

std::optional<std::vector<WireField>> Parse(std::string_view bytes, int level, size_t* left) {
  std::vector<WireField> out;
  while (!bytes.empty()) {
    const std::optional<uint64_t> key = TakeVarint(&bytes);
    if (!key || *key >> 3 == 0 || *key >> 3 >= 1 << 29 || *left == 0) return std::nullopt;
    --*left;
    WireField field;
    field.number = static_cast<uint32_t>(*key >> 3);
    field.type = static_cast<WireType>(*key & 7);
    if (!ParseValue(&bytes, level, left, &field)) return std::nullopt;
    out.push_back(std::move(field));
  }
  return out;
}

}  // namespace

std::optional<std::vector<WireField>> ParseWireTree(std::string_view bytes) {
  size_t left = kMostFields;
  return Parse(bytes, 0, &left);
}

std::string WireOf(const std::vector<WireField>& fields) {
  std::string out;
  for (const WireField& field : fields) {
    AppendVarint(static_cast<uint64_t>(field.number) << 3 | static_cast<uint64_t>(field.type), &out);
    if (field.type == WireType::kVarint) {
      AppendVarint(field.value, &out);
    } else if (field.type == WireType::kBytes) {
      const std::string bytes = field.is_message ? WireOf(field.children) : field.bytes;
      AppendVarint(bytes.size(), &out);
      out += bytes;
    } else {
      out.append(reinterpret_cast<const char*>(&field.value), field.type == WireType::kFixed64 ? 8 : 4);
    }
  }
  return out;
}

}  // namespace tfprof
