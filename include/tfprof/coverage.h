// How much of the graph a report's figures rest on.
#pragma once

#include <cstdint>

namespace tfprof {

struct Coverage {
  int64_t nodes = 0;           // nodes of the graph
  int64_t nodes_run = 0;       // of these: seen in run metadata
  int64_t nodes_only_run = 0;  // seen in run metadata, not in the graph
  int64_t with_params = 0, with_float_ops = 0, with_memory = 0, with_stack = 0;  // nodes, all
  int64_t micros = 0;                                                            // of all steps together
  int64_t micros_with_float_ops = 0, micros_with_memory = 0, micros_with_stack = 0;
};

// Names for output, in order.
struct CoverageField {
  const char* name;
  int64_t Coverage::*member;
};
inline constexpr CoverageField kCoverageFields[] = {
    {"nodes", &Coverage::nodes},
    {"nodes_run", &Coverage::nodes_run},
    {"nodes_only_in_run_metadata", &Coverage::nodes_only_run},
    {"nodes_with_params", &Coverage::with_params},
    {"nodes_with_float_ops", &Coverage::with_float_ops},
    {"nodes_with_memory", &Coverage::with_memory},
    {"nodes_with_call_stack", &Coverage::with_stack},
    {"micros", &Coverage::micros},
    {"micros_with_float_ops", &Coverage::micros_with_float_ops},
    {"micros_with_memory", &Coverage::micros_with_memory},
    {"micros_with_call_stack", &Coverage::micros_with_stack},
};

}  // namespace tfprof
