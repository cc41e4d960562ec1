// ProfileBuilder: what importers write into. It interns, resolves names, keeps the rules that hold for every
// format (the first definition of a name wins, first canonical device wins, ...) and hands out the finished
// Profile.
//
// What a recording of any kind brings, and where it goes:
//
//   a node                  AddNode(), AddInput(), AddOutputShape(), AddType(); its call stack AddFrame(),
//                           AddStack() into profile().stack
//   a device, stream,       AddDevice() with what the format says, or TensorFlowDevice(). Several hosts: the
//   host thread             host is part of the name and stands in Device::host as well
//   a step                  AddStep(), EndStep(); steps of one number on several hosts are one: the importer
//                           fills the one that it added first
//   what a node did in it   Row(): first_start, last_end, sums of picoseconds and bytes, run_count. Sums are
//                           the importer's, so kernels below an op add to the op's row, and self time or time
//                           of several streams is its own affair
//   a single execution      Step::executions, with keeps_executions(): node, the lane it ran on, moment,
//                           length. Several per run of a node are fine (one per kernel)
//   memory by allocators    Step::memory with its allocators and allocations, with keeps_executions(); an
//                           allocator's own figures go into AllocatorUse::in_use_bytes
//   float ops of one run    profile().float_ops; kNotRecorded is not 0
//
// Time: moments are nanoseconds, sums picoseconds (time.h). Nothing here rounds.
//
// Damage: importers call Damaged() for what they can step over. By default that is an error; with keep_going
// it is counted, warned about once per kind, and the import goes on.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model/profile.h"
#include "tfprof/result.h"

namespace tfprof {

// Each keeps what the one before keeps.
enum class Detail {
  kMeans,       // sums per node; per step only totals, once there are more steps than a few
  kStepTimes,   // of these steps the times of nodes too
  kFigures,     // sums per node and step
  kExecutions,  // single executions and allocations
};

class ProfileBuilder {
 public:
  ProfileBuilder(Detail detail, bool keep_going);

  // --- text and shapes
  Profile& profile() { return *profile_; }
  const Profile& profile() const { return *profile_; }
  bool keeps_executions() const { return detail_ == Detail::kExecutions; }
  bool keep_going() const { return keep_going_; }
  // The bytes that are being imported: messages say where in them something is.
  void SetInput(std::string path, std::string_view bytes) {
    input_path_ = std::move(path);
    input_ = bytes;
  }
  // Interns a string that will be shown. Invalid UTF-8 is damage; the bytes are then shown as \xNN.
  Result<StringId> Text(std::string_view text, std::string_view what);
  ShapeId Shape(std::span<const int64_t> dims) { return profile_->shapes.Intern(dims); }

  // --- nodes
  // None when the name is defined already; the definition that came first stays.
  Result<NodeId> AddNode(std::string_view name, std::string_view op);
  NodeId AddNode(StringId name, StringId op);
  // About so many nodes with so many inputs in all will be added: tables grow once.
  void ExpectNodes(size_t nodes, size_t inputs);
  NodeId FindNode(std::string_view name) const;
  // Where the name was looked up before: none, or what it is interned as.
  NodeId FindNode(std::string_view name, StringId looked_up) const {
    const NodeId known = NodeOf(looked_up);
    return known ? known : FindNode(name);
  }
  // Inputs and outputs belong to the node added last. Inputs stand for names until EndNodes(): a graph may
  // name a node before it defines it.
  void AddInput(uint32_t position, StringId source) {
    profile_->inputs_or_texts.push_back({position, NodeId(source.value)});
  }
  Status AddInput(uint32_t position, std::string_view source);  // text of the input file
  // There are no more nodes: who their inputs are can be asked. Finish() does that too.
  void EndNodes();
  void AddOutputShape(ShapeId shape) { profile_->output_shapes.push_back(shape); }
  void AddType(NodeId node, StringId type);

  // --- devices
  // By TensorFlow's names and rules (device.h).
  DeviceId TensorFlowDevice(StringId name);
  // By what a format says itself. The first device of a name stays.
  DeviceId AddDevice(const Device& device);

  // --- call stacks
  FrameId AddFrame(const Frame& frame);
  StackId AddStack(std::span<const FrameId> outermost_first);
  StackId AddStack(StackId caller, FrameId frame);

  // --- steps
  Result<Step*> AddStep(int64_t number);
  StepRow& Row(Step& step, NodeId node);
  void ExpectRows(Step& step, size_t records);  // about so many records of nodes will come
  // Nothing more will come for this step: it may be folded away. Formats that mix steps need not call it.
  // Pointers to steps end here.
  void EndStep(Step& step);
  // The same for formats that know all steps before they fill the first, and fill them in order: folds this
  // one alone, and with Detail::kStepTimes none.
  void EndNextStep(Step& step);
  SetId With(SetId set, StringId member);

  // --- outcome
  // How far the import has come, in bytes of the input at hand; cheap enough to call for every few thousand
  // records.
  void SetProgress(std::function<void(size_t bytes)> progress) { progress_ = std::move(progress); }
  void Progress(size_t bytes) const {
    if (progress_) progress_(bytes);
  }
  Status Damaged(const std::string& kind, const std::string& message);
  void Count(const std::string& kind, int64_t by = 1) { profile_->damage[kind] += by; }
  void Warn(std::string message) { profile_->warnings.push_back(std::move(message)); }
  std::shared_ptr<const Profile> Finish();

 private:
  NodeId NodeOf(StringId name) const {
    const auto& known = profile_->node_of_name;
    return name.value < known.size() ? known[name] : NodeId();
  }
  SetId Grown(SetId set, StringId member);
  void Fold(Step& step);

  Detail detail_;
  bool keep_going_;
  std::function<void(size_t)> progress_;
  std::string input_path_ = "input";
  std::string_view input_;
  std::shared_ptr<Profile> profile_;
  bool ended_nodes_ = false;
  std::unordered_map<uint64_t, SetId> grown_sets_;
  uint64_t last_grown_ = 0;  // of them; most records of a device follow one another
  SetId last_grown_set_;     // none: there is no such set yet
  std::unordered_map<uint32_t, DeviceId> device_of_name_;
  std::unordered_multimap<uint64_t, FrameId> frame_by_hash_;
  std::unordered_map<uint64_t, StackId> stack_by_link_;
};

}  // namespace tfprof
