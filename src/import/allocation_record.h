// AllocationRecord, as run metadata and saved profiles embed it.
#pragma once

#include "import/wire.h"
#include "model/profile.h"

namespace tfprof {

inline Allocation ReadAllocation(protozero::pbf_reader record) {
  Allocation out;
  while (record.next()) {
    switch (record.tag_and_type()) {
      case VarintTag(1):
        out.nanos = NanosOfMicros(record.get_int64());
        break;
      case VarintTag(2):
        out.bytes = record.get_int64();
        break;
      default:
        record.skip();
    }
  }
  return out;
}

}  // namespace tfprof
