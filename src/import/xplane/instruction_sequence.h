// The instructions of a program that launch work, in the order in which they run.
#pragma once

#include <cstdint>
#include <vector>

#include "import/xplane/hlo.h"

namespace tfprof::xplane {

// Walks the schedule of a computation: the body of a loop, call or asynchronous start takes its place, the
// branches of a conditional follow it. Cycles are cut, and no program makes more than a million entries.
// What was looked at is taken from `budget`.
std::vector<uint32_t> InstructionSequence(const HloModule& module, uint32_t computation, int64_t* budget);

}  // namespace tfprof::xplane
