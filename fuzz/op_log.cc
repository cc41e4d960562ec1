#include "import/op_log.h"

#include "target.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tfprof;
  ImportEveryWay(Bytes(data, size), [](const WireFile& file, ProfileBuilder& builder) -> Status {
    for (const char* name : {"a", "b", "x", "hidden/w", "gradients/a_grad/MatMul"}) {
      if (Result<NodeId> node = builder.AddNode(name, "Op"); !node) return node.error();
    }
    return ImportOpLog(file, builder);
  });
  return 0;
}
