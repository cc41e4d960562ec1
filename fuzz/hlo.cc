// Compiled programs by themselves: bytes to report, in both forms of names.
#include "import/xplane/hlo_program.h"
#include "target.h"

namespace tfprof {

void FuzzHlo(std::string_view bytes) {
  for (const Names names : {Names::kFolded, Names::kRaw}) {
    Options options;
    options.names = names;
    (void)xplane::LooksLikeHlo(bytes);
    (void)xplane::DescribeProgram(bytes, "fuzzed.hlo.pb", options);
  }
}

}  // namespace tfprof
