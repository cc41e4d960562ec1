// The matrix products and convolutions of a program: what is multiplied, for checks of padding and peaks.
#pragma once

#include <cstdint>
#include <optional>

#include "import/xplane/hlo.h"
#include "import/xplane/hlo_float_ops.h"

namespace tfprof::xplane {

struct HloProduct {
  int64_t batch = 1, rows = 0, inner = 0, columns = 0;  // rows 0: a convolution
  int32_t element_bits = 0;                             // of the left side
};

// Of a dot, a library call, or the largest of those in a fusion; none: it is no such thing.
std::optional<HloProduct> ProductOf(const HloModule& module, const ShapePool& shapes, HloFloatOps& float_ops,
                                    uint32_t instruction);

}  // namespace tfprof::xplane
