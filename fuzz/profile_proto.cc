#include "import/profile_proto.h"

#include "target.h"

namespace tfprof {

void FuzzProfileProto(std::string_view bytes) {
  ImportEveryWay(
      bytes, [](const WireFile& file, ProfileBuilder& builder) { return ImportProfileProto(file, builder); });
}

}  // namespace tfprof
