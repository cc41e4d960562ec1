// Compiled programs by themselves: bytes to report, in both forms of names.
#include "import/xplane/hlo_program.h"
#include "target.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tfprof;
  for (const Names names : {Names::kFolded, Names::kRaw}) {
    Options options;
    options.names = names;
    (void)xplane::LooksLikeHlo(Bytes(data, size));
    (void)xplane::DescribeProgram(Bytes(data, size), "fuzzed.hlo.pb", options);
  }
  return 0;
}
