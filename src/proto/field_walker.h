// The fields of a protobuf message one by one, without exceptions and without copies: for walking what may be
// damaged, and for reading small parts of large messages.
#pragma once

#include <cstdint>
#include <optional>
#include <protozero/types.hpp>
#include <string_view>

namespace tfprof {

struct Field {
  uint32_t number = 0;
  protozero::pbf_wire_type type = protozero::pbf_wire_type::unknown;
  std::string_view bytes;  // length-delimited fields
  uint64_t value = 0;      // all others
  bool is_bytes() const { return type == protozero::pbf_wire_type::length_delimited; }
  bool is_varint() const { return type == protozero::pbf_wire_type::varint; }
};

// Stops at the end or at the first damage.
class FieldWalker {
 public:
  explicit FieldWalker(std::string_view message)
      : next_(message.data()), end_(message.data() + message.size()) {}

  // False at the end and at damage; a field that is cut short by the end is still yielded, with what there is
  // of it, and damaged() is set.
  bool Next(Field* field);

  bool damaged() const { return problem_ != nullptr; }
  const char* problem() const { return problem_; }
  const char* position() const { return field_; }  // where the last field starts

 private:
  bool Varint(uint64_t* value);
  bool Fail(const char* problem) {
    problem_ = problem;
    return false;
  }

  const char* next_;
  const char* end_;
  const char* field_ = nullptr;
  const char* problem_ = nullptr;
};

// The last field of this number, as protobuf reads singular fields; of a length-delimited one its bytes. Both
// look at the whole message.
std::optional<Field> LastField(std::string_view message, uint32_t number);
std::string_view LastBytes(std::string_view message, uint32_t number);  // "" when there is none

// The number of a varint field, repeated or packed: calls use(uint64_t) for each.
template <class Use>
void ForEachVarint(const Field& field, Use&& use) {
  if (field.is_varint()) {
    use(field.value);
    return;
  }
  uint64_t value = 0;
  int shift = 0;
  for (const char c : field.bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (shift < 64) value |= uint64_t{byte & 0x7Fu} << shift;
    shift += 7;
    if (byte < 0x80) {
      use(value);
      value = 0;
      shift = 0;
    }
  }
}

}  // namespace tfprof
