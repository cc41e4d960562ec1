// JAX's op names made readable. A name says through which transformations the compiler got to an op:
// `jit(train)/transpose(jvp(layers))/while/body/checkpoint/rematted_computation/mlp/dot_general` is the
// matrix product of layers/mlp, computed once more for the backward pass.
#pragma once

#include <string>
#include <string_view>

namespace tfprof::xplane {

// The scopes that the user named, then in parentheses which pass it is, then the op:
// `train/layers/mlp/(recomputed)/dot_general`. Passes are siblings below the innermost scope. What has no
// transformation in its name stays as it is but for jit(...).
std::string FoldJaxName(std::string_view op_name);

}  // namespace tfprof::xplane
