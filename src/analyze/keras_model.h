// The report of a .keras archive: layers, output shapes and parameters. It has no graph, so float ops and
// activations are not known.
#pragma once

#include "load/model_input.h"
#include "tfprof/model.h"

namespace tfprof {

void DescribeKeras(const KerasModel& model, ModelReport* out);

}  // namespace tfprof
