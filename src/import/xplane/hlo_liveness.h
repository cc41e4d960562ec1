// The temporary memory of a program by how long its values live in the order of the schedule: for programs
// whose file has no buffer assignment, and to say whose the block is where the assignment has no trace.
//
// A value lives from the instruction that makes it to the last one that uses it; tuples, bitcasts and loops
// pass values on; an update in place and a plain elementwise operation take over an operand that nobody else
// needs. The compiler may share more, so the peak is an upper bound.
#pragma once

#include <optional>
#include <vector>

#include "import/xplane/buffers.h"
#include "import/xplane/hlo_executions.h"

namespace tfprof::xplane {

struct SchedulePeak {
  int64_t bytes = 0;
  std::vector<OwnedBytes> owners;  // live at the peak, in the order in which they are made
};

// None: the file has no schedule, or one that is too tangled to follow. About linear in the operands.
std::optional<SchedulePeak> PeakOfSchedule(const HloModule& module, const ShapePool& shapes,
                                           const Executions& executions);

}  // namespace tfprof::xplane
