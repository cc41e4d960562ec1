#include "proto/field_walker.h"

#include <cstring>

namespace tfprof {

using protozero::pbf_wire_type;

bool FieldWalker::Varint(uint64_t* value) {
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

bool FieldWalker::Next(Field* field) {
  if (damaged() || next_ == end_) return false;
  field_ = next_;
  uint64_t tag;
  if (!Varint(&tag)) return Fail("unreadable field tag");
  field->number = static_cast<uint32_t>(tag >> 3);
  field->type = static_cast<pbf_wire_type>(tag & 7);
  field->bytes = {};
  field->value = 0;
  if (field->number == 0 || tag >> 32) return Fail("impossible field number");
  const auto left = [&] { return static_cast<uint64_t>(end_ - next_); };
  switch (field->type) {
    case pbf_wire_type::varint:
      return Varint(&field->value) || Fail("unreadable number");
    case pbf_wire_type::length_delimited: {
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
    case pbf_wire_type::fixed64:
    case pbf_wire_type::fixed32: {
      const size_t size = field->type == pbf_wire_type::fixed64 ? 8 : 4;
      if (left() < size) return Fail("a number is cut off");
      std::memcpy(&field->value, next_, size);
      next_ += size;
      return true;
    }
    default:
      return Fail("unknown wire type");
  }
}

std::optional<Field> LastField(std::string_view message, uint32_t number) {
  FieldWalker walker(message);
  Field field;
  std::optional<Field> found;
  while (walker.Next(&field)) {
    if (field.number == number) found = field;
  }
  return found;
}

std::string_view LastBytes(std::string_view message, uint32_t number) {
  const std::optional<Field> field = LastField(message, number);
  return field ? field->bytes : std::string_view();
}

}  // namespace tfprof
