// Small profiles made by hand, a few nodes and one step, so that a test of a checker shows all that it sees.
#pragma once

#include <deque>
#include <memory>
#include <protozero/pbf_writer.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "model/captured_run.h"
#include "model/profile_builder.h"
#include "tfprof/advise.h"

namespace tfprof {

inline constexpr char kCpu0[] = "/job:localhost/replica:0/task:0/device:cpu:0";
inline constexpr char kGpu0[] = "/job:localhost/replica:0/task:0/device:gpu:0";
inline constexpr char kGpu1[] = "/job:localhost/replica:0/task:0/device:gpu:1";
inline constexpr int64_t kStart = 1'000'000;  // when the step begins, in microseconds

class MadeStep {
 public:
  // Inputs are names; a node may name one that comes later.
  NodeId Node(std::string_view name, std::string_view op, std::vector<std::string_view> inputs = {}) {
    const NodeId node = *builder_.AddNode(name, op);
    for (uint32_t i = 0; i < inputs.size(); ++i) builder_.AddInput(i, Text(inputs[i]));
    return node;
  }

  // Ran on this device from kStart + start on; on an accelerator `micros` is the kernel's time and scheduling
  // took 1.
  void Ran(NodeId node, const char* device, int64_t start, int64_t micros, int64_t runs = 1) {
    profile().device[node] = builder_.TensorFlowDevice(Text(device));
    StepRow& row = builder_.Row(TheStep(), node);
    const bool gpu = std::string_view(device).find("gpu") != std::string_view::npos;
    const int64_t begin = NanosOfMicros(kStart + start);
    row.first_start = row.first_start == 0 ? begin : std::min(row.first_start, begin);
    row.last_end = std::max(row.last_end, begin + NanosOfMicros(micros));
    (gpu ? row.accelerator_picos : row.cpu_picos) += micros * kPicosPerMicro;
    row.cpu_picos += gpu * kPicosPerMicro;
    row.run_count += runs;
    Execute(node, gpu ? "/device:gpu:0/stream:all" : device, start, micros,
            gpu ? Track::kAccelerator : Track::kCpu);
  }

  void Execute(NodeId node, const char* device, int64_t start, int64_t micros, Track track) {
    TheStep().executions.push_back({node, builder_.TensorFlowDevice(Text(device)),
                                    NanosOfMicros(kStart + start), NanosOfMicros(micros), track});
  }

  // The node allocated this in its run, from kStart + begin to kStart + end.
  void Held(NodeId node, int64_t bytes, int64_t begin, int64_t end) {
    Step& step = TheStep();
    step.has_memory = true;
    MemoryUse use;
    use.node = node;
    use.allocators_begin = static_cast<uint32_t>(step.allocators.size());
    AllocatorUse allocator;
    allocator.name = Text("some_allocator");
    allocator.allocations_begin = static_cast<uint32_t>(step.allocations.size());
    step.allocations.push_back({NanosOfMicros(kStart + begin), bytes});
    step.allocations.push_back({NanosOfMicros(kStart + end), -bytes});
    allocator.allocations_end = static_cast<uint32_t>(step.allocations.size());
    step.allocators.push_back(allocator);
    use.allocators_end = static_cast<uint32_t>(step.allocators.size());
    step.memory.push_back(use);
  }

  void Shape(NodeId node, std::vector<int64_t> dims) { profile().shape[node] = builder_.Shape(dims); }

  // One attribute, as an AttrValue's field: 2 string, 6 type, 8 tensor.
  void Attr(NodeId node, const std::string& name, uint32_t field, const std::string& bytes) {
    AddAttr(node, name, [&](protozero::pbf_writer& value) { value.add_bytes(field, bytes); });
  }
  void AttrType(NodeId node, const std::string& name, int32_t type) {
    AddAttr(node, name, [&](protozero::pbf_writer& value) { value.add_enum(6, type); });
  }
  void IntegerConst(NodeId node, const std::vector<int32_t>& values) {
    std::string tensor;
    protozero::pbf_writer out(tensor);
    out.add_enum(1, 3);
    out.add_packed_int32(7, values.begin(), values.end());
    Attr(node, "value", 8, tensor);
  }

  // What a capture says besides; the profile is one of a capture then. The step is filled in first.
  StringId Name(std::string_view text) { return Text(text); }
  DeviceId DeviceOf(NodeId node) { return profile().device[node]; }
  void Captured(CapturedRun run) { profile().capture = std::make_shared<const CapturedRun>(std::move(run)); }

  // The advice of one checker.
  CheckerAdvice Check(const std::string& checker) {
    finished_ = builder_.Finish();
    return Advise(finished_, {checker})->checkers.at(0);
  }

  // How many checkers answer: of all that are, or where none is named.
  size_t CheckersRun(bool named) {
    if (!finished_) finished_ = builder_.Finish();
    return Advise(finished_, named ? std::vector<std::string>(kCheckerNames.begin(), kCheckerNames.end())
                                   : std::vector<std::string>())
        ->checkers.size();
  }

 private:
  Profile& profile() { return builder_.profile(); }
  Step& TheStep() {
    if (!step_) step_ = *builder_.AddStep(0);
    return *step_;
  }
  StringId Text(std::string_view text) { return profile().strings.InternCopy(text); }
  template <class WriteValue>
  void AddAttr(NodeId node, const std::string& name, WriteValue write) {
    std::string& definition = definitions_.emplace_back(profile().definition[node]);
    {
      protozero::pbf_writer out(definition);
      protozero::pbf_writer entry(out, 5);
      entry.add_string(1, name);
      protozero::pbf_writer value(entry, 2);
      write(value);
    }
    profile().definition[node] = definition;
  }

  std::deque<std::string> definitions_;  // what the profile's definitions point into
  ProfileBuilder builder_{Detail::kExecutions, false};
  Step* step_ = nullptr;
  std::shared_ptr<const Profile> finished_;
};

inline bool Says(const CheckerAdvice& advice, std::string_view words) {
  for (const std::string& report : advice.reports) {
    if (report.find(words) != std::string::npos) return true;
  }
  return false;
}

}  // namespace tfprof
