// Memory profiles (pprof): bytes to reports.
#include "import/memory_profile.h"

#include "target.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tfprof;
  (void)IsPprof(Bytes(data, size));
  ImportEveryWay(Bytes(data, size), ImportMemoryProfile);
  ProfileBuilder builder(Detail::kMeans, true);
  if (!ImportMemoryProfile({"fuzzed", Bytes(data, size)}, builder)) return 0;
  const Result<MadeReport> made = FindReportKind("memory")->make({builder.Finish(), {}});
  if (made) Print(*made->document, size);
  return 0;
}
