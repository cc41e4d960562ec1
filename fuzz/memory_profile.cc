// Memory profiles (pprof): bytes to reports.
#include "import/memory_profile.h"

#include "target.h"

namespace tfprof {

void FuzzMemoryProfile(std::string_view bytes) {
  (void)IsPprof(bytes);
  ImportEveryWay(bytes, ImportMemoryProfile);
  ProfileBuilder builder(Detail::kMeans, true);
  if (!ImportMemoryProfile({"fuzzed", bytes}, builder)) return;
  const Result<MadeReport> made = FindReportKind("memory")->make({builder.Finish(), {}});
  if (made) Print(*made->document, bytes.size());
}

}  // namespace tfprof
