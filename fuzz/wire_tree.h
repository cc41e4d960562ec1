// Protobuf bytes as a tree of fields, to be changed and written again with lengths that fit. There are no
// descriptors: what parses as a message is taken for one, which at worst changes a text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tfprof {

enum class WireType : uint8_t { kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5 };

struct WireField {
  uint32_t number = 1;
  WireType type = WireType::kVarint;
  uint64_t value = 0;  // of numbers
  std::string bytes;   // of kBytes without children
  bool is_message = false;
  std::vector<WireField> children;  // of kBytes
};

// None: this is no protobuf. At most `kMostFields` fields are looked at, deeper levels stay bytes.
inline constexpr size_t kMostFields = 20'000;
std::optional<std::vector<WireField>> ParseWireTree(std::string_view bytes);
std::string WireOf(const std::vector<WireField>& fields);

}  // namespace tfprof
