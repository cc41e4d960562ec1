#include "proto/wire.h"

namespace tfprof {

const char* ProblemOf(const protozero::exception& exception) {
  if (dynamic_cast<const protozero::end_of_buffer_exception*>(&exception)) {
    return "a field in it is longer than the record";
  }
  if (dynamic_cast<const protozero::varint_too_long_exception*>(&exception)) return "unreadable number";
  if (dynamic_cast<const protozero::invalid_tag_exception*>(&exception)) return "impossible field number";
  if (dynamic_cast<const protozero::unknown_pbf_wire_type_exception*>(&exception)) return "unknown wire type";
  return "a field in it has an impossible length";
}

}  // namespace tfprof
