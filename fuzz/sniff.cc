#include "import/input_format.h"
#include "target.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tfprof;
  Require(!KindName(SniffWire(Bytes(data, size))).empty(), "every kind has a name");
  return 0;
}
