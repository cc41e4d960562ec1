// Bytes that one execution of an instruction reads and writes: operands and results, but of what is sliced
// or updated in place the part alone, also inside a fusion, as the compiler's own cost analysis has it.
#pragma once

#include <cstdint>

#include "import/xplane/hlo.h"

namespace tfprof::xplane {

// 0 for what launches nothing, and for loops, branches and calls, whose instructions count themselves.
int64_t MovedBytes(const HloModule& module, const ShapePool& shapes, uint32_t instruction);

}  // namespace tfprof::xplane
