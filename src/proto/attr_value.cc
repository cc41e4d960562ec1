#include "proto/attr_value.h"

namespace tfprof {

std::optional<std::string_view> FindAttr(std::string_view message, uint32_t number, std::string_view name) {
  FieldWalker walker(message);
  Field field;
  std::optional<std::string_view> found;
  while (walker.Next(&field)) {
    if (field.number != number || !field.is_bytes()) continue;
    MapEntry entry;
    if (Survives([&] { entry = ReadMapEntry(field.bytes); }) && entry.text_key == name) found = entry.bytes;
  }
  return found;
}

}  // namespace tfprof
