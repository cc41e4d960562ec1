// Event files (events.out.tfevents.*), as tf.summary.FileWriter of TensorFlow 1 writes them: records with
// checksums, some of which hold the graph, a meta graph, or the run metadata of a step under a tag. Summaries
// are passed over, but those in which TensorFlow 2 keeps the run metadata of a traced function.
//
// The parts lie in the file as inputs of their own and are read in place.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "import/input_format.h"

namespace tfprof {

bool IsEventFile(std::string_view bytes);

// The newest graph and meta graph, and all run metadata. The step of run metadata is the number at the end of
// its tag, or else that of the event. A record whose checksum is wrong is damage and left out.
InputParts SplitEventFile(std::string_view bytes, const std::string& path);

// A directory with event files, or a log directory whose runs (its directories) have some; by their names.
bool HoldsEventFiles(const std::string& path);

// The newest first. Of a log directory those of one run: Options::run, or the last by name that has a graph
// or run metadata.
Result<std::vector<FoundInput>> FindEventFiles(const std::string& path, const Options& options);

}  // namespace tfprof
