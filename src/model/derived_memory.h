// Memory of devices without allocation records, derived from what their ops reported: output tensors with
// size and address, and memory statistics. Sizes are recorded; lifetimes are derived and upper bounds:
//
// - an output lives from its op's end until the last op that consumes it (by the graph's inputs, control
//   inputs included, whatever the output's index) has ended; a consumer that did not run (fused, folded) is
//   taken to hand it on to its own consumers; without any that ran it lives to the end of the step;
// - outputs at one address whose lifetimes overlap are one buffer, counted once, as large as the largest,
//   and belong to the op that came first;
// - temporary memory lives while its op runs, persistent memory until the end of the step. An op reports its
//   persistent memory with each execution, so it counts once per node; when it is exactly as large as the
//   op's outputs, it is those outputs (constants).
//
// Output that was there before the step (variables) counts from the first op that hands it out.
#pragma once

#include <vector>

#include "model/memory_timeline.h"

namespace tfprof {

// One entry per device that has outputs or memory statistics and is not in `recorded`. Linear in executions,
// outputs and edges, plus sorts.
std::vector<DeviceMemory> DeriveMemory(const Profile& profile, const Step& step,
                                       const std::vector<DeviceId>& recorded);

}  // namespace tfprof
