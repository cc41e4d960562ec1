// The fields of a protobuf message one by one, without exceptions and without copies: for walking what may be
// damaged, and for reading small parts of large messages.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
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

inline bool FieldWalker::Varint(uint64_t* value) {
  if (next_ < end_ && static_cast<unsigned char>(*next_) < 0x80) [[likely]] {
    *value = static_cast<unsigned char>(*next_++);
    return true;
  }
  uint64_t out = 0;
  for (int shift = 0; shift < 70 && next_ < end_; shift += 7) {
    const auto byte = static_cast<unsigned char>(*next_++);
    if (shift < 64) out |= uint64_t{byte & 0x7Fu} << shift;
    if (byte < 0x80) {
      *value = out;
      return true;
    }
  }
  return false;
}

inline bool FieldWalker::Next(Field* field) {
  if (damaged() || next_ == end_) return false;
  field_ = next_;
  uint64_t tag;
  if (!Varint(&tag)) return Fail("unreadable field tag");
  field->number = static_cast<uint32_t>(tag >> 3);
  field->type = static_cast<protozero::pbf_wire_type>(tag & 7);
  field->bytes = {};
  field->value = 0;
  if (field->number == 0 || tag >> 32) return Fail("impossible field number");
  const auto left = [&] { return static_cast<uint64_t>(end_ - next_); };
  switch (field->type) {
    case protozero::pbf_wire_type::varint:
      return Varint(&field->value) || Fail("unreadable number");
    case protozero::pbf_wire_type::length_delimited: {
      uint64_t length;
      if (!Varint(&length)) return Fail("unreadable length");
      if (length > left()) {
        problem_ = "a field is longer than the rest of the message";
        length = left();
      }
      field->bytes = {next_, static_cast<size_t>(length)};
      next_ += length;
      return true;
    }
    case protozero::pbf_wire_type::fixed64:
    case protozero::pbf_wire_type::fixed32: {
      const size_t size = field->type == protozero::pbf_wire_type::fixed64 ? 8 : 4;
      if (left() < size) return Fail("a number is cut off");
      std::memcpy(&field->value, next_, size);
      next_ += size;
      return true;
    }
    default:
      return Fail("unknown wire type");
  }
}

// Asks for what lies `ahead` bytes behind this field: the memory is read in order, but for the processor each
// page is a surprise. (g++ leaves out a call of what only fetches ahead, unless it is inlined.)
[[gnu::always_inline]] inline void Prefetch(const Field& field, std::string_view message, size_t ahead) {
  constexpr size_t kLine = 64, kMost = 1024;
  if (!field.is_bytes()) return;
  const size_t left = static_cast<size_t>(message.data() + message.size() - field.bytes.data());
  const size_t size = std::min(field.bytes.size(), kMost);
  if (left < ahead + size) return;
  for (size_t at = 0; at < size; at += kLine) __builtin_prefetch(field.bytes.data() + ahead + at);
}

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
