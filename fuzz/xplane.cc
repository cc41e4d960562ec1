#include "import/xplane/import.h"
#include "target.h"

namespace tfprof {

void FuzzXPlane(std::string_view bytes) {
  // One host, and the same bytes as two of them.
  for (const size_t hosts : {1, 2}) {
    ImportEveryWay(bytes, [&](const WireFile& file, ProfileBuilder& builder) {
      const std::string path = "fuzzed.xplane.pb";
      const std::vector<ImportInput> inputs(hosts,
                                            {file, path, 0, hosts == 1 ? Names::kFolded : Names::kRaw});
      return xplane::ImportCaptures(inputs, builder);
    });
  }
  ProfileBuilder builder(Detail::kExecutions, true);
  const WireFile file{"fuzzed", bytes};
  const std::string path = "fuzzed.xplane.pb";
  const ImportInput input{file, path};
  if (!xplane::ImportCaptures({&input, 1}, builder)) return;
  const std::shared_ptr<const Profile> profile = builder.Finish();
  for (const char* kind : {"kernels", "memory", "summary", "advise"}) {
    const Result<MadeReport> made = FindReportKind(kind)->make({profile, {}});
    if (made) Print(*made->document, bytes.size());
  }
}

}  // namespace tfprof
