#include "export/timeline_args.h"

#include "base/format.h"
#include "base/units.h"
#include "model/user_code.h"

namespace tfprof {

TimelineArgs::TimelineArgs(const Profile& profile)
    : profile_(profile), user_frames_(InnermostUserFrames(profile)) {}

std::span<const TraceArg> TimelineArgs::OfExecution(const Step& step, NodeId node) {
  args_.clear();
  const std::string_view name = profile_.Name(node);
  const size_t slash = name.rfind('/');
  Add("op", profile_.Op(node));
  Add("scope", slash == std::string_view::npos ? std::string_view() : name.substr(0, slash));
  FormatInputs(node);
  Add("input_shapes", inputs_);
  FormatOutputs(node);
  Add("output_shape", outputs_);
  const StepRow* row = step.Find(node);
  if (row && step.has_memory) Add("bytes", row->requested_bytes);
  if (row && row->run_count > 1) Add("runs", row->run_count);
  Add("code", CodeLine(node));
  return args_;
}

void TimelineArgs::AskFor(const Step& step, NodeId node) const {
  __builtin_prefetch(&profile_.name[node]);
  __builtin_prefetch(&profile_.op[node]);
  __builtin_prefetch(&profile_.stack[node]);
  __builtin_prefetch(&profile_.inputs_begin[node.value]);
  __builtin_prefetch(&profile_.outputs_begin[node.value]);
  if (node.value < step.row_of_node.size()) __builtin_prefetch(&step.row_of_node[node]);
}

void TimelineArgs::AskMore(const Step& step, NodeId node) const {
  profile_.strings.Prefetch(profile_.name[node]);
  if (!profile_.Inputs(node).empty()) __builtin_prefetch(profile_.Inputs(node).data());
  if (!profile_.OutputShapes(node).empty()) __builtin_prefetch(profile_.OutputShapes(node).data());
  if (const StepRow* row = step.Find(node)) {
    __builtin_prefetch(&row->requested_bytes);
    __builtin_prefetch(&row->run_count);
  }
}

std::span<const TraceArg> TimelineArgs::OfBlock(NodeId node, int64_t bytes, bool released) {
  args_.clear();
  Add("bytes", bytes);
  Add("op", profile_.Op(node));
  Add("code", CodeLine(node));
  if (!released) Add("released", "not within the step");
  return args_;
}

std::string_view TimelineArgs::Shape(ShapeId shape) {
  auto [known, fresh] = shapes_.try_emplace(shape.value);
  if (fresh) {
    const auto dims = profile_.shapes[shape];
    known->second = dims.empty() ? "unknown" : FormatShape(dims);
  }
  return known->second;
}

// As the views print them: input i has the shape of output 0 of its source.
void TimelineArgs::FormatInputs(NodeId node) {
  inputs_.clear();
  for (const Input& input : profile_.Inputs(node)) {
    if (!input.node) continue;
    const auto outputs = profile_.OutputShapes(input.node);
    fmt::format_to(std::back_inserter(inputs_), "{}{}:{}", inputs_.empty() ? "" : "|", input.position,
                   outputs.empty() ? std::string_view("unknown") : Shape(outputs[0]));
  }
}

// One output is a plain shape, several are numbered as inputs are.
void TimelineArgs::FormatOutputs(NodeId node) {
  outputs_.clear();
  const auto outputs = profile_.OutputShapes(node);
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (outputs.size() > 1) fmt::format_to(std::back_inserter(outputs_), "{}{}:", i > 0 ? "|" : "", i);
    outputs_ += Shape(outputs[i]);
  }
}

std::string_view TimelineArgs::CodeLine(NodeId node) {
  const StackId stack = profile_.stack[node];
  if (!stack) return {};
  const FrameId id = user_frames_[stack];
  auto [known, fresh] = lines_.try_emplace(id.value);
  if (fresh) {
    const Frame& frame = profile_.frames[id];
    const auto text = [&](StringId s) { return s ? profile_.strings[s] : std::string_view("none"); };
    known->second = fmt::format("{}:{}:{}", text(frame.file), frame.line, text(frame.function));
  }
  return known->second;
}

}  // namespace tfprof
