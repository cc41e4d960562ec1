// Which arguments of a comparison are inputs, what each consists of, and what it is called.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tfprof/options.h"
#include "tfprof/result.h"

namespace tfprof {

struct GivenInput {
  std::string source;              // as given
  std::string name;                // left, right, ...
  std::vector<std::string> paths;  // more than one: files joined by commas
  std::optional<StepChoice> step;  // @step=N
  std::string run, host;           // @run=NAME, @host=NAME: of a log directory of captures

  bool SameFiles(const GivenInput& other) const {
    return paths == other.paths && run == other.run && host == other.host;
  }
};

// The first two arguments, all further ones that exist, and options.extra_files are inputs; the arguments
// behind them are names.
Result<std::vector<GivenInput>> FindDiffInputs(const Options& options);

}  // namespace tfprof
