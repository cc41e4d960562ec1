// Which inputs a profile is made of: those that options and arguments name, found in directories, opened,
// recognised, and put into the order in which they must be imported.
#pragma once

#include <string>
#include <vector>

#include "load/input_file.h"
#include "tfprof/options.h"
#include "tfprof/result.h"

namespace tfprof {

struct FoundInputs {
  std::vector<OpenInput> inputs;
  std::vector<std::string> notes;  // what was taken from directories, what was left out
  std::vector<Buffer> containers;  // of files that hold several inputs; must outlive them
};

// Errors say what cannot be given together, and what is missing.
Result<FoundInputs> FindInputs(const Options& options);

// What a path given as a plain argument stands for: a file, the inputs of a directory, a checkpoint's prefix.
Status AddPath(const std::string& path, const Options& options, FoundInputs* out);

// A directory often holds the same thing twice (text and binary, raw files and a saved profile): of the
// inputs of one role the best is kept, notes name the rest. Two that were given by name are an error.
Status KeepOne(InputRole role, bool prefer_models, FoundInputs* found);

}  // namespace tfprof
