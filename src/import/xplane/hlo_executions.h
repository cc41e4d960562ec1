// How often the computations of a program run, by what the compiler knows of its loops. Fused computations
// and those of reductions run inside their instruction and count 0 here.
#pragma once

#include <cstdint>
#include <vector>

#include "import/xplane/hlo.h"

namespace tfprof::xplane {

struct Executions {
  std::vector<int64_t> times;     // per computation, of one execution of the program; saturates
  std::vector<uint32_t> callees;  // computations that the entry reaches, what is called before its caller
  int64_t loops = 0, unknown_loops = 0, conditionals = 0;  // unknown: counted once
};

// Calls that lead in a circle are cut where they close it. Linear.
Executions CountExecutions(const HloModule& module);

// Whether an instruction runs the computations that it calls one after another, as instructions of their own.
inline bool RunsComputations(const Instruction& i) {
  return i.opcode == Opcode::kWhile || i.opcode == Opcode::kCall || i.opcode == Opcode::kConditional;
}

}  // namespace tfprof::xplane
