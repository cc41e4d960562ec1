#include "proto/field_walker.h"

namespace tfprof {

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
