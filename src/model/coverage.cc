#include "model/coverage.h"

#include <vector>

#include "base/checked.h"

namespace tfprof {

Coverage ComputeCoverage(const Profile& profile) {
  Coverage c;
  bool saturated = false;
  std::vector<bool> ran(profile.size()), memory(profile.size());
  for (const Step& step : profile.steps) {
    for (size_t r = 0; r < step.rows.size(); ++r) {
      const NodeId node = step.node_of_row[r];
      const int64_t micros =
          MicrosOfPicos(SaturatingAdd(step.rows[r].accelerator_picos, step.rows[r].cpu_picos, &saturated));
      const auto add = [&](bool has, int64_t* sum) {
        if (has) *sum = SaturatingAdd(*sum, micros, &saturated);
      };
      ran[node.value] = true;
      const bool has_memory = step.has_memory && profile.device[node].valid();
      if (has_memory) memory[node.value] = true;
      add(true, &c.micros);
      add(has_memory, &c.micros_with_memory);
      add(profile.float_ops[node] != kNotRecorded, &c.micros_with_float_ops);
      add(profile.stack[node].valid(), &c.micros_with_stack);
    }
  }
  for (size_t n = 0; n < profile.size(); ++n) {
    const NodeId node(n);
    c.nodes += profile.in_graph[node];
    c.nodes_run += profile.in_graph[node] && ran[n];
    c.nodes_only_run += !profile.in_graph[node];
    c.with_params += profile.shape[node].valid();
    c.with_float_ops += profile.float_ops[node] != kNotRecorded;
    c.with_memory += memory[n];
    c.with_stack += profile.stack[node].valid();
  }
  return c;
}

}  // namespace tfprof
