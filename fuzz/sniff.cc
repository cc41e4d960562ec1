#include "import/input_format.h"
#include "target.h"

namespace tfprof {

void FuzzSniff(std::string_view bytes) {
  Require(!KindName(SniffWire(bytes)).empty(), "every kind has a name");
}

}  // namespace tfprof
