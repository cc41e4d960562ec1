// Steps with memory records, made by hand.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/profile_builder.h"

namespace tfprof {

struct MadeUse {
  int64_t start = 0, end = 0;  // of the op
  std::string_view allocator = "cpu";
  std::vector<std::pair<int64_t, int64_t>> records = {};  // moment, bytes
  int64_t in_use = 0;
  std::vector<OutputMemory> outputs = {};
  int64_t temp = 0, persistent = 0;
};

class MemoryMaker {
 public:
  // Moments are given in ticks of so many nanoseconds.
  explicit MemoryMaker(int64_t tick = 1) : builder_(Detail::kExecutions, false), tick_(tick) {}

  NodeId Node(const std::string& name, const std::vector<std::string>& inputs = {},
              std::string_view device = "/task:0/device:cpu:0") {
    const NodeId node = *builder_.AddNode(Keep(name), "Op");
    uint32_t position = 0;
    for (const std::string& input : inputs)
      builder_.AddInput(position++, builder_.profile().strings.InternCopy(input));
    builder_.profile().device[node] =
        builder_.TensorFlowDevice(builder_.profile().strings.InternCopy(device));
    return node;
  }

  void Step(int64_t number) { step_ = *builder_.AddStep(number); }

  // One execution of a node on its device.
  void Run(NodeId node, const MadeUse& made) {
    const int64_t start = made.start * tick_, end = made.end * tick_;
    Profile& profile = builder_.profile();
    StepRow& row = builder_.Row(*step_, node);
    row.first_start = row.run_count == 0 ? start : std::min(row.first_start, start);
    row.last_end = std::max(row.last_end, end);
    ++row.run_count;
    step_->executions.push_back({node, profile.device[node], start, end - start, Track::kCpu});
    MemoryUse use;
    use.node = node;
    use.start_nanos = start;
    use.end_nanos = end;
    use.temp_bytes = use.peak_bytes = made.temp;
    use.persistent_bytes = made.persistent;
    use.outputs_begin = static_cast<uint32_t>(step_->outputs.size());
    step_->outputs.insert(step_->outputs.end(), made.outputs.begin(), made.outputs.end());
    use.outputs_end = static_cast<uint32_t>(step_->outputs.size());
    use.allocators_begin = static_cast<uint32_t>(step_->allocators.size());
    if (!made.records.empty() || made.in_use != 0) {
      AllocatorUse& allocator = step_->allocators.emplace_back();
      if (!made.allocator.empty()) allocator.name = profile.strings.InternCopy(made.allocator);
      allocator.in_use_bytes = made.in_use;
      allocator.allocations_begin = static_cast<uint32_t>(step_->allocations.size());
      for (const auto& [moment, bytes] : made.records) step_->allocations.push_back({moment * tick_, bytes});
      allocator.allocations_end = static_cast<uint32_t>(step_->allocations.size());
    }
    use.allocators_end = static_cast<uint32_t>(step_->allocators.size());
    step_->memory.push_back(use);
    step_->has_memory = true;
  }

  std::shared_ptr<const Profile> Finish() { return builder_.Finish(); }

 private:
  // Nodes keep views of their names.
  std::string_view Keep(const std::string& text) {
    return builder_.profile().strings[builder_.profile().strings.InternCopy(text)];
  }

  ProfileBuilder builder_;
  int64_t tick_;
  tfprof::Step* step_ = nullptr;
};

}  // namespace tfprof
