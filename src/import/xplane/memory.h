// Owners of what a capture's allocators handed out: framework ops by name, and the instructions of XLA
// programs by their buffer assignment.
#pragma once

#include "import/xplane/capture.h"
#include "model/captured_memory.h"

namespace tfprof::xplane {

// Names are of the capture's pool. Sorts the capture's memory events by time.
CapturedMemory BuildMemory(Capture& capture);

}  // namespace tfprof::xplane
