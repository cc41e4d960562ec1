#include "import/profile_proto.h"

#include "target.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tfprof;
  ImportEveryWay(Bytes(data, size), [](const WireFile& file, ProfileBuilder& builder) {
    return ImportProfileProto(file, builder);
  });
  return 0;
}
