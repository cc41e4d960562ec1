// What tfprof reads, from the table of inputs: for help and messages.
#pragma once

#include <string>

namespace tfprof {

// "graphs (GraphDef, text or binary), run metadata (run_meta_STEP), ...": all that can be given.
std::string InputsInWords();

}  // namespace tfprof
