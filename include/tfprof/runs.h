// The runs below what a user gave: a folder of runs is a list of them, a file or a run is itself. Nothing is
// loaded.
//
//   for (const RunPlace& run : FindRuns(options)) Load(run.options);
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "tfprof/options.h"

namespace tfprof {

struct RunPlace {
  std::string name;      // within the folder that was given, or its last part
  std::string path;      // as a user would give it
  Options options;       // those given, with the inputs of this run
  int64_t modified = 0;  // of its newest file, seconds since 1970; 0: not known
  int64_t bytes = 0;     // of its files
  std::string error;     // why it is refused without a look at what it holds; "": it is not
};

// Every directory is a run or a folder of runs, at any depth; files that belong together (a graph and its
// steps) are one run, others one each. Links that lead out of a directory that was given are refused. By
// name.
std::vector<RunPlace> FindRuns(const Options& options);

// The same, one at a time as they are found: for folders of very many. What to do with folders that have
// files of which none is known, and nothing below: something else may lie there, or a run that is broken.
enum class UnknownRuns : uint8_t { kLeaveOut, kTell };
using VisitRun = std::function<void(RunPlace run)>;
void VisitRuns(const Options& options, UnknownRuns unknown, const VisitRun& visit);

// Whether an input is a folder that holds nothing to read itself, but has folders that may.
bool HasFolderOfRuns(const Options& options);

// The same place, with the time and size of its files now.
RunPlace Refreshed(RunPlace run);

}  // namespace tfprof
