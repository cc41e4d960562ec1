#include "import/op_log.h"

#include "target.h"

namespace tfprof {

void FuzzOpLog(std::string_view bytes) {
  ImportEveryWay(bytes, [](const WireFile& file, ProfileBuilder& builder) -> Status {
    for (const char* name : {"a", "b", "x", "hidden/w", "gradients/a_grad/MatMul"}) {
      if (Result<NodeId> node = builder.AddNode(name, "Op"); !node) return node.error();
    }
    return ImportOpLog(file, builder);
  });
}

}  // namespace tfprof
