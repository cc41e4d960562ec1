// Start here. tfprof is three calls: Load() reads files into a Profile, a row of the table of kinds
// (report_kinds.h) makes a report of it, Render() (document.h) prints that.
//
//   Options options;
//   options.inputs = {"run/"};
//   Result<Loaded> loaded = Load(options);
//   Result<MadeReport> made = FindReportKind("scope")->make({loaded->profile, options});
//   Render(*made->document, Format::kText, {}, [](std::string_view text) { ... });
//
// nodes.h reads the Profile itself: nodes, edges, figures. The other headers are one report each, as data.
//
// In CMake: find_package(tfprof), then link tfprof::tfprof.
//
// A Profile is immutable and shared; any number of reports may be made from it, from any thread.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tfprof/options.h"
#include "tfprof/result.h"

namespace tfprof {

struct Profile;  // read it with nodes.h

struct Loaded {
  std::shared_ptr<const Profile> profile;
  std::vector<std::string> notes;  // what was taken from directories, what was left out
};

// Each has what the one before has.
enum class LoadDetail {
  kMeans,       // sums per node; of many steps only their mean: all that views need unless options.step names
                // steps
  kStepTimes,   // also each node's time in every step: comparisons of nodes
  kFigures,     // sums per node and step: views of single steps, comparisons of op types and lines
  kExecutions,  // also every single execution and allocation: for saving and timelines
};

// What is needed with these options, where the mean of the steps needs `least`.
inline LoadDetail DetailFor(LoadDetail least, const Options& options) {
  return !options.step.by_number() ? least : std::max(least, LoadDetail::kFigures);
}

// Called now and then while files are read: what is being read, and how much of all input is done (0 to 1).
using Progress = std::function<void(std::string_view file, double done)>;

// Reads the inputs that `options` name. Errors say which file, where in it, and what to do.
Result<Loaded> Load(const Options& options, LoadDetail detail = LoadDetail::kFigures,
                    const Progress& progress = {});

// Writes everything into one ProfileProto file, which TensorFlow's tfprof reads too. Needs
// LoadDetail::kExecutions.
Status SaveProfile(const Profile& profile, const std::string& path);

// The same as bytes.
std::string SerializeProfile(const Profile& profile);

// Names that the prompt completes: nodes and their scopes that begin with `prefix`, up to the next '/'; at
// most `limit`.
std::vector<std::string> CompleteNames(const Profile& profile, std::string_view prefix, size_t limit);

}  // namespace tfprof
