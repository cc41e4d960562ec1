#include "import/graph_def.h"

#include "target.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tfprof;
  ImportEveryWay(Bytes(data, size), [](const WireFile& file, ProfileBuilder& builder) {
    return ImportGraphDef(file, file.bytes, builder);
  });
  return 0;
}
