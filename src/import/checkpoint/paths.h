// Which files a checkpoint is: from what a user gives (a prefix, a file, a directory) to a prefix and a
// format.
#pragma once

#include <string>
#include <vector>

#include "tfprof/result.h"

namespace tfprof {

struct CheckpointPlace {
  std::string prefix;
  bool is_bundle = false;            // V2: PREFIX.index; else V1
  std::vector<std::string> tables;   // the index file, or the V1 files
  std::vector<std::string> missing;  // V1: files that their names promise
  std::vector<std::string> notes;    // what was chosen, and what instead of
};

// An error: there is no checkpoint, or there are several and nothing says which.
Result<CheckpointPlace> FindCheckpoint(const std::string& path);

// True where FindCheckpoint would take a path that is neither a file nor a directory for a prefix.
bool IsCheckpointPrefix(const std::string& path);

// A data file of a V2 checkpoint whose index lies beside it: PREFIX.data-SSSSS-of-NNNNN.
bool IsDataFile(const std::string& path);

}  // namespace tfprof
