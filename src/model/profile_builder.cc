#include "model/profile_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/hash.h"
#include "base/text.h"
#include "model/step_use.h"
#include "model/totals.h"

namespace tfprof {
namespace {

// Each addition makes a new set, so an endless list of types would take memory by its square. Real nodes have
// fewer than ten.
constexpr size_t kMostMembers = 256;

// A fold takes as much memory as two steps or so.
constexpr size_t kMostStepsKept = 4;

uint64_t Pair(uint32_t high, uint32_t low) { return uint64_t{high} << 32 | low; }

// `vector = {}` would only empty it.
template <class T>
void Release(T* items) {
  T().swap(*items);
}

}  // namespace

ProfileBuilder::ProfileBuilder(Detail detail, bool keep_going)
    : detail_(detail), keep_going_(keep_going), profile_(std::make_shared<Profile>()) {}

Status ProfileBuilder::Damaged(const std::string& kind, const std::string& message) {
  if (!keep_going_) {
    return Error::Input(message + "\n  --keep_going reads past such damage and reports on the rest");
  }
  if (++profile_->damage[kind] == 1) Warn(message);
  return {};
}

Result<StringId> ProfileBuilder::Text(std::string_view text, std::string_view what) {
  if (IsValidUtf8(text)) [[likely]]
    return profile_->strings.Intern(text);
  const bool inside = std::less_equal<>()(input_.data(), text.data()) &&
                      std::less<>()(text.data(), input_.data() + input_.size());
  const std::string place = inside ? fmt::format(" at byte {}", text.data() - input_.data()) : "";
  Status damaged = Damaged("invalid UTF-8", fmt::format("{}: {}{} is not valid UTF-8: {}", input_path_, what,
                                                        place, Printable(text)));
  if (!damaged) return damaged.error();
  return profile_->strings.InternCopy(Printable(text, text.size() * 4));
}

Status ProfileBuilder::AddInput(uint32_t position, std::string_view source) {
  Result<StringId> id = Text(source, "an input name");
  if (!id) return id.error();
  AddInput(position, *id);
  return {};
}

NodeId ProfileBuilder::FindNode(std::string_view name) const {
  StringId id = profile_->strings.Find(name);
  if (!id && keep_going_ && !IsValidUtf8(name)) id = profile_->strings.Find(Printable(name, name.size() * 4));
  return NodeOf(id);
}

Result<NodeId> ProfileBuilder::AddNode(std::string_view name, std::string_view op) {
  Result<StringId> name_id = Text(name, "a node name");
  if (!name_id) return name_id.error();
  if (NodeOf(*name_id)) return NodeId();
  Result<StringId> op_id = Text(op, "an op type");
  if (!op_id) return op_id.error();
  return AddNode(*name_id, *op_id);
}

void ProfileBuilder::ExpectNodes(size_t nodes, size_t inputs) {
  Profile& p = *profile_;
  p.strings.Reserve(nodes);
  p.node_of_name.reserve(nodes);
  p.name.reserve(nodes);
  p.op.reserve(nodes);
  p.device.reserve(nodes);
  p.extra_types.reserve(nodes);
  p.shape.reserve(nodes);
  p.float_ops.reserve(nodes);
  p.stack.reserve(nodes);
  p.in_graph.reserve(nodes);
  p.definition.reserve(nodes);
  p.inputs_begin.reserve(nodes + 1);
  p.outputs_begin.reserve(nodes + 1);
  p.inputs_or_texts.reserve(inputs);
}

NodeId ProfileBuilder::AddNode(StringId name, StringId op) {
  if (NodeOf(name)) return NodeId();
  Profile& p = *profile_;
  const NodeId node = p.name.push_back(name);
  if (p.node_of_name.size() <= name.value) {
    p.node_of_name.resize(std::max<size_t>(p.strings.size(), p.node_of_name.size() * 2));
  }
  p.node_of_name[name] = node;
  p.op.push_back(op);
  p.device.push_back(DeviceId());
  p.extra_types.push_back(SetId());
  p.shape.push_back(ShapeId());
  p.float_ops.push_back(kNotRecorded);
  p.stack.push_back(StackId());
  p.in_graph.push_back(true);
  p.definition.push_back({});
  p.inputs_begin.push_back(static_cast<uint32_t>(p.inputs_or_texts.size()));
  p.outputs_begin.push_back(static_cast<uint32_t>(p.output_shapes.size()));
  return node;
}

SetId ProfileBuilder::With(SetId set, StringId member) {
  const uint64_t pair = Pair(set.value, member.value);
  if (pair == last_grown_ && last_grown_set_) return last_grown_set_;
  last_grown_ = pair;
  return last_grown_set_ = Grown(set, member);
}

SetId ProfileBuilder::Grown(SetId set, StringId member) {
  auto [known, fresh] = grown_sets_.try_emplace(Pair(set.value, member.value));
  if (!fresh) return known->second;
  std::vector<StringId> members;
  if (set) {
    const std::span<const StringId> old = profile_->sets[set];
    members.assign(old.begin(), old.end());
  }
  const auto by_text = [&](StringId a, StringId b) { return profile_->strings[a] < profile_->strings[b]; };
  const auto place = std::lower_bound(members.begin(), members.end(), member, by_text);
  const bool known_member = place != members.end() && *place == member;
  if (!known_member && members.size() < kMostMembers) {
    members.insert(place, member);
  } else if (!known_member) {
    Count("types or devices beyond 256 of one node");
  }
  return known->second = profile_->sets.Intern(members);
}

void ProfileBuilder::AddType(NodeId node, StringId type) {
  profile_->extra_types[node] = With(profile_->extra_types[node], type);
}

DeviceId ProfileBuilder::TensorFlowDevice(StringId name) {
  if (const auto known = device_of_name_.find(name.value); known != device_of_name_.end())
    return known->second;
  StringPool& strings = profile_->strings;
  const std::string lower = ToLower(strings[name]);
  const DeviceParts parts = ParseTensorFlowDevice(lower);
  Device device = parts.device;
  device.name = name;
  if (!parts.host.empty()) device.host = strings.InternCopy(parts.host);
  if (!parts.lane.empty()) device.lane = strings.InternCopy(parts.lane);
  return AddDevice(device);
}

DeviceId ProfileBuilder::AddDevice(const Device& device) {
  const auto [known, fresh] = device_of_name_.try_emplace(device.name.value);
  if (fresh) known->second = profile_->devices.push_back(device);
  return known->second;
}

FrameId ProfileBuilder::AddFrame(const Frame& frame) {
  const uint32_t key[] = {frame.file.value, frame.function.value, frame.source.value,
                          static_cast<uint32_t>(frame.line), static_cast<uint32_t>(frame.function_start)};
  const uint64_t hash = HashBytes(key, sizeof key, 0);
  auto [first, last] = frame_by_hash_.equal_range(hash);
  for (; first != last; ++first) {
    if (profile_->frames[first->second] == frame) return first->second;
  }
  const FrameId id = profile_->frames.push_back(frame);
  frame_by_hash_.emplace(hash, id);
  return id;
}

StackId ProfileBuilder::AddStack(std::span<const FrameId> outermost_first) {
  StackId stack;
  for (FrameId frame : outermost_first) stack = AddStack(stack, frame);
  return stack;
}

StackId ProfileBuilder::AddStack(StackId caller, FrameId frame) {
  auto [known, fresh] = stack_by_link_.try_emplace(Pair(caller.value, frame.value));
  if (fresh) known->second = profile_->stacks.push_back({caller, frame});
  return known->second;
}

Result<Step*> ProfileBuilder::AddStep(int64_t number) {
  if (profile_->FindStep(number)) {
    return Error::Usage(
        fmt::format("step {} is given twice; name steps with --run_meta_path=STEP=FILE", number));
  }
  auto& steps = profile_->steps;
  const auto place = steps.insert(std::ranges::lower_bound(steps, number, {}, &Step::number), Step());
  place->number = number;
  return &*place;
}

void ProfileBuilder::ExpectRows(Step& step, size_t records) {
  const size_t rows = std::min(records, profile_->size());
  step.rows.reserve(rows);
  step.node_of_row.reserve(rows);
}

StepRow& ProfileBuilder::Row(Step& step, NodeId node) {
  if (step.row_of_node.size() <= node.value) {
    step.row_of_node.resize(std::max(profile_->size(), size_t{node.value} + 1), NodeId::kNone);
  }
  uint32_t& row = step.row_of_node[node];
  if (row == NodeId::kNone) {
    row = static_cast<uint32_t>(step.rows.size());
    step.rows.emplace_back();
    step.node_of_row.push_back(node);
  }
  return step.rows[row];
}

void ProfileBuilder::Fold(Step& step) {
  step.sums = SumsOf(step);
  FoldStep(step, profile_->size(), &profile_->folds);
  if (detail_ == Detail::kStepTimes) step.folded_times = TimesOf(step);
  step.folded = true;
  step.row_of_node = {};
  Release(&step.node_of_row);
  Release(&step.rows);
}

void ProfileBuilder::EndStep(Step& ended) {
  const bool folds = detail_ == Detail::kMeans || detail_ == Detail::kStepTimes;
  if (!folds || profile_->steps.size() <= kMostStepsKept || ended.folded) return;
  // The first few may be warm-up, which is in no mean.
  for (size_t s = kMostWarmUp; s < profile_->steps.size(); ++s) {
    if (!profile_->steps[s].folded) Fold(profile_->steps[s]);
  }
}

void ProfileBuilder::EndNextStep(Step& ended) {
  const bool folds = detail_ == Detail::kMeans && profile_->steps.size() > kMostStepsKept && !ended.folded;
  if (folds && &ended >= &profile_->steps[kMostWarmUp]) {
    Fold(ended);
    return;
  }
  // It is kept: what lists grow ahead of their need by adds up over steps.
  ended.rows.shrink_to_fit();
  ended.node_of_row.shrink_to_fit();
  ended.executions.shrink_to_fit();
}

void ProfileBuilder::EndNodes() {
  if (std::exchange(ended_nodes_, true)) return;
  Profile& p = *profile_;
  p.inputs_begin.push_back(static_cast<uint32_t>(p.inputs_or_texts.size()));
  p.outputs_begin.push_back(static_cast<uint32_t>(p.output_shapes.size()));
  for (size_t n = 0; n < p.size(); ++n) {
    if (p.input_texts.Has(NodeId(n))) continue;
    for (uint32_t i = p.inputs_begin[n]; i < p.inputs_begin[n + 1]; ++i)
      p.inputs_or_texts[i].node = NodeOf(StringId(p.inputs_or_texts[i].node.value));
  }
}

std::shared_ptr<const Profile> ProfileBuilder::Finish() {
  EndNodes();
  if (!profile_->input_texts.any()) profile_->node_of_name = {};
  if (!profile_->folds.empty()) profile_->folds.resize(profile_->size());
  for (Step& step : profile_->steps) {
    if (!step.folded) step.sums = SumsOf(step);
  }
  ComputeTotals(profile_.get());
  for (const auto& [kind, count] : profile_->damage) {
    if (count > 1) Warn(fmt::format("{}: {} times in all", kind, count));
  }
  return std::move(profile_);
}

}  // namespace tfprof
