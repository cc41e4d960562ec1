#include "import/graph_def.h"

#include "target.h"

namespace tfprof {

void FuzzGraphDef(std::string_view bytes) {
  ImportEveryWay(bytes, [](const WireFile& file, ProfileBuilder& builder) {
    return ImportGraphDef(file, file.bytes, builder);
  });
}

}  // namespace tfprof
