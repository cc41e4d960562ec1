#include "import/run_metadata.h"

#include "target.h"

namespace tfprof {

void FuzzRunMetadata(std::string_view bytes) {
  // Once for the graphs inside the metadata, once beside a graph; the same bytes twice are two steps.
  ImportEveryWay(bytes, [](const WireFile& file, ProfileBuilder& builder) {
    return ImportRunMetadata(file, 0, builder);
  });
  ImportEveryWay(bytes, [](const WireFile& file, ProfileBuilder& builder) -> Status {
    for (const char* name : {"a", "b", "hidden/MatMul"}) {
      if (Result<NodeId> node = builder.AddNode(name, "Op"); !node) return node.error();
    }
    if (Status s = ImportRunMetadata(file, 5, builder); !s) return s;
    return ImportRunMetadata(file, 1, builder);
  });
}

}  // namespace tfprof
