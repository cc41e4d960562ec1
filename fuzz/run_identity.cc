// run.json beside a graph and its steps.
#include "load/run_identity.h"

#include <fstream>

#include "memory_file.h"
#include "target.h"

namespace tfprof {
namespace {

OpenInput Opened(const std::string& path, FileKind kind) {
  OpenInput out;
  out.path = path;
  out.kind = kind;
  return out;
}

}  // namespace

void FuzzRunIdentity(std::string_view text) {
  static const FolderInMemory kFolder;
  const std::string& folder = kFolder.path();
  std::ofstream(folder + "/run.json", std::ios::binary) << text;
  std::vector<OpenInput> files;
  files.push_back(Opened(folder + "/graph.pb", FileKind::kGraphDef));
  files.push_back(Opened(folder + "/run_meta_1", FileKind::kRunMetadata));
  files.push_back(Opened("/elsewhere/run_meta_2", FileKind::kRunMetadata));
  std::vector<std::string> notes;
  const Status status = CheckOneRun(files, false, &notes);
  Require(status.ok() || !status.error().message.empty(), "an error says something");
  Require(CheckOneRun(files, true, &notes).ok(), "with keep_going nothing is refused");
  const size_t before = files.size();
  notes.clear();
  LeaveOutOtherRuns(folder, &files, &notes);
  Require(files.size() + notes.size() == before, "what is left out is named");
}

}  // namespace tfprof
