// An out-of-memory report joined with a run: chunks by size with tensors by size.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "advise/step_facts.h"
#include "base/checked.h"
#include "base/op_kinds.h"
#include "base/units.h"
#include "model/node_attr.h"
#include "model/profile.h"
#include "tfprof/oom.h"
#include "tfprof/tensor.h"

namespace tfprof {
namespace {

constexpr int64_t kAlignment = 256;  // of chunks
constexpr size_t kSizes = 30, kOwners = 6;
constexpr int32_t kFloat = 1;  // DT_FLOAT

// What hands on its input, in the same memory.
constexpr std::array<std::string_view, 8> kForwarding = {"Identity", "Reshape",      "Squeeze", "ExpandDims",
                                                         "_Retval",  "StopGradient", "_Arg",    "NoOp"};

enum class Kind : uint8_t { kActivation, kGradient, kParameter, kSlot, kTemporary };
constexpr std::array<const char*, 5> kKindNames = {"activation", "gradient", "parameter", "optimizer_slot",
                                                   "temporary"};

struct Tensor {
  NodeId node;
  int64_t bytes = 0;
  Kind kind = Kind::kActivation;
  int64_t first_dim = 0;  // 0: not known
};

int64_t Rounded(int64_t bytes) {
  return bytes > INT64_MAX - kAlignment ? bytes : (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

bool IsSlot(std::string_view name) {
  for (const std::string_view part :
       {"/Adam", "/Momentum", "/RMSProp", "/Adagrad", "/Ftrl", "optimizer/", "/m/", "/v/"}) {
    if (name.find(part) != std::string_view::npos) return true;
  }
  return false;
}

Kind KindOf(const Profile& profile, NodeId node) {
  const std::string_view op = profile.Op(node);
  if (IsVariableOp(op) || op == "ReadVariableOp")
    return IsSlot(profile.Name(node)) ? Kind::kSlot : Kind::kParameter;
  return advise::IsGradient(profile, node) ? Kind::kGradient : Kind::kActivation;
}

int64_t FirstDim(const Profile& profile, NodeId node, int32_t slot) {
  const auto shapes = profile.OutputShapes(node);
  if (slot < 0 || static_cast<size_t>(slot) >= shapes.size() || !shapes[static_cast<size_t>(slot)]) return 0;
  const auto dims = profile.shapes[shapes[static_cast<size_t>(slot)]];
  return dims.size() > 1 && dims[0] > 0 ? dims[0] : 0;
}

bool IsFloat(const Profile& profile, NodeId node) {
  for (const char* name : {"T", "dtype", "DstT"}) {
    if (const auto type = AttrType(profile, node, name)) return *type == kFloat;
  }
  return false;
}

// The tensors of a step by rounded size; each node once per size and output.
class Inventory {
 public:
  Inventory(const Profile& profile, const Step& step) : profile_(profile), step_(step) {
    std::set<std::tuple<uint32_t, int32_t, int64_t>> seen;
    const auto add = [&](NodeId node, int32_t slot, int64_t bytes, Kind kind) {
      if (bytes <= 0 || !seen.insert({node.value, slot, bytes}).second) return;
      by_size_[Rounded(bytes)].push_back({node, bytes, kind, slot < 0 ? 0 : FirstDim(profile, node, slot)});
    };
    for (const MemoryUse& use : step.memory) {
      if (std::find(kForwarding.begin(), kForwarding.end(), profile.Op(use.node)) != kForwarding.end())
        continue;
      const Kind kind = KindOf(profile, use.node);
      for (uint32_t i = use.outputs_begin; i < use.outputs_end; ++i) {
        add(use.node, step.outputs[i].slot, step.outputs[i].bytes, kind);
      }
      add(use.node, -1, use.temp_bytes, Kind::kTemporary);
    }
    AddVariables(add);
    FindBatch();
  }

  const std::vector<Tensor>* OfSize(int64_t size) const {
    const auto at = by_size_.find(size);
    return at == by_size_.end() ? nullptr : &at->second;
  }
  bool empty() const { return by_size_.empty(); }
  int64_t batch() const { return batch_; }
  const Profile& profile() const { return profile_; }
  const Step& step() const { return step_; }

 private:
  template <class Add>
  void AddVariables(const Add& add) {
    for (size_t n = 0; n < profile_.size(); ++n) {
      const NodeId node(n);
      if (!profile_.shape[node] || !IsVariableOp(profile_.Op(node))) continue;
      bool saturated = false;
      auto bytes = static_cast<int64_t>(DataTypeBytes(AttrType(profile_, node, "dtype").value_or(0)));
      for (const int64_t dim : profile_.shapes[profile_.shape[node]])
        bytes = SaturatingMul(bytes, dim, &saturated);
      add(node, -2, bytes, KindOf(profile_, node));
    }
  }
  // The first dimension that most bytes of activations have.
  void FindBatch() {
    std::map<int64_t, double> bytes;
    for (const auto& [size, tensors] : by_size_) {
      for (const Tensor& tensor : tensors) {
        if (tensor.kind == Kind::kActivation && tensor.first_dim > 1) {
          bytes[tensor.first_dim] += static_cast<double>(tensor.bytes);
        }
      }
    }
    double most = 0;
    for (const auto& [dim, sum] : bytes) {
      if (sum > most) batch_ = dim, most = sum;
    }
  }

  const Profile& profile_;
  const Step& step_;
  std::map<int64_t, std::vector<Tensor>> by_size_;
  int64_t batch_ = 0;
};

// How many of the tensors of a size something holds for, as a share.
template <class Holds>
double ShareOf(const std::vector<Tensor>& tensors, Holds holds) {
  return static_cast<double>(std::count_if(tensors.begin(), tensors.end(), holds)) /
         static_cast<double>(tensors.size());
}

OomMatch Match(const Inventory& run, const OomChunks& chunks) {
  OomMatch match;
  match.size = chunks.size;
  match.count = chunks.count;
  match.bytes = chunks.bytes;
  const std::vector<Tensor>* tensors = run.OfSize(chunks.size);
  if (tensors == nullptr) return match;
  match.tensors = static_cast<int64_t>(tensors->size());
  std::array<int64_t, kKindNames.size()> kinds{};
  std::map<std::pair<uint32_t, Kind>, int64_t> owners;
  for (const Tensor& tensor : *tensors) {
    ++kinds[static_cast<size_t>(tensor.kind)];
    ++owners[{tensor.node.value, tensor.kind}];
  }
  match.kind = kKindNames[static_cast<size_t>(std::max_element(kinds.begin(), kinds.end()) - kinds.begin())];
  match.nodes = static_cast<int64_t>(owners.size());
  for (const auto& [owner, count] : owners) {
    if (match.owners.size() >= kOwners) break;
    const NodeId node(owner.first);
    match.owners.push_back({std::string(run.profile().Name(node)), std::string(run.profile().Op(node)),
                            kKindNames[static_cast<size_t>(owner.second)], count});
  }
  return match;
}

// Figures of one event that the three kinds of help need.
struct Need {
  int64_t request = 0, in_use = 0, ceiling = 0;
  std::optional<int64_t> short_by;
};

std::optional<Need> NeedOf(const OomEvent& event) {
  const std::optional<int64_t> ceiling = event.evidence.ceiling ? event.evidence.ceiling : event.pool_bytes;
  if (!event.evidence.request || !event.in_use_bytes || !ceiling) return std::nullopt;
  return Need{*event.evidence.request, *event.in_use_bytes, *ceiling, event.short_by};
}

void Say(OomHelp help, const Need& need, std::vector<OomHelp>& out) {
  if (need.short_by) help.suffices = help.frees_bytes >= *need.short_by;
  out.push_back(std::move(help));
}

// Bytes of the chunks of which most tensors of that size have the property.
template <class Holds>
int64_t BytesWhere(const Inventory& run, const OomEvent& event, Holds holds) {
  bool saturated = false;
  int64_t bytes = 0;
  for (const OomChunks& chunks : event.chunks) {
    const std::vector<Tensor>* tensors = chunks.in_use ? run.OfSize(chunks.size) : nullptr;
    if (tensors != nullptr && ShareOf(*tensors, holds) > 0.5)
      bytes = SaturatingAdd(bytes, chunks.bytes, &saturated);
  }
  return bytes;
}

void HelpByBatch(const Inventory& run, const OomEvent& event, const Need& need, std::vector<OomHelp>& out) {
  const int64_t batch = run.batch();
  if (batch <= 1) return;
  const auto scales = [&](const Tensor& tensor) { return tensor.first_dim == batch; };
  const int64_t held = BytesWhere(run, event, scales);
  const std::vector<Tensor>* like_request = run.OfSize(need.request);
  const bool request_scales = (event.shape && !event.shape->empty() && (*event.shape)[0] == batch) ||
                              (like_request != nullptr && ShareOf(*like_request, scales) > 0.5);
  const double moves = static_cast<double>(held) + (request_scales ? static_cast<double>(need.request) : 0);
  if (moves <= 0) return;
  const double fixed = static_cast<double>(need.in_use) + static_cast<double>(need.request) - moves;
  const double fits = static_cast<double>(batch) * (static_cast<double>(need.ceiling) - fixed) / moves;
  OomHelp help;
  help.what = "smaller_batch";
  help.batch = std::clamp<int64_t>(static_cast<int64_t>(std::clamp(fits, 0.0, 1e18)), 0, batch);
  help.frees_bytes =
      static_cast<int64_t>(moves * static_cast<double>(batch - *help.batch) / static_cast<double>(batch));
  help.says = *help.batch >= 1
                  ? fmt::format("a batch of {} in place of {} frees {}", *help.batch, batch,
                                FormatBinary(help.frees_bytes))
                  : fmt::format("even a batch of 1 in place of {} does not fit: {} do not depend on it",
                                batch, FormatBinary(static_cast<int64_t>(std::min(fixed, 9e18))));
  help.assumption = fmt::format(
      "chunks of sizes that tensors with a first dimension of {} have ({} in all) shrink with it; "
      "holes between chunks are not counted",
      batch, FormatBinary(static_cast<int64_t>(std::min(moves, 9e18))));
  Say(std::move(help), need, out);
}

void HelpByHalf(const Inventory& run, const OomEvent& event, const Need& need, std::vector<OomHelp>& out) {
  const int64_t bytes = BytesWhere(run, event, [&](const Tensor& tensor) {
    return (tensor.kind == Kind::kActivation || tensor.kind == Kind::kGradient) &&
           IsFloat(run.profile(), tensor.node);
  });
  const int64_t request = event.dtype == "float" ? need.request / 2 : 0;
  if (bytes / 2 + request <= 0) return;
  OomHelp help;
  help.what = "half_precision";
  help.frees_bytes = bytes / 2 + request;
  help.says =
      fmt::format("activations and gradients in half precision free {}", FormatBinary(help.frees_bytes));
  help.assumption = fmt::format(
      "{} of chunks have sizes of float activations and gradients of the run; parameters stay float",
      FormatBinary(bytes));
  Say(std::move(help), need, out);
}

// Outputs of the forward pass that wait for the backward pass.
void HelpByRecomputing(const Inventory& run, const OomEvent& event, const Need& need,
                       std::vector<OomHelp>& out) {
  const Profile& profile = run.profile();
  std::vector<NodeId> nodes;
  std::vector<int64_t> sizes;
  for (const OomChunks& chunks : event.chunks) {
    const std::vector<Tensor>* tensors = chunks.in_use ? run.OfSize(chunks.size) : nullptr;
    for (size_t i = 0; tensors != nullptr && i < tensors->size(); ++i) {
      if ((*tensors)[i].kind != Kind::kActivation) continue;
      nodes.push_back((*tensors)[i].node);
      sizes.push_back(chunks.size);
    }
  }
  const std::vector<NodeId> readers = advise::LastReaders(profile, run.step(), nodes);
  std::map<int64_t, int64_t> waiting;  // size -> tensors
  int64_t micros = 0, count = 0;
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (!readers[i] || !advise::IsGradient(profile, readers[i])) continue;
    ++waiting[sizes[i]];
    ++count;
    const StepRow* row = run.step().Find(nodes[i]);
    if (row != nullptr) micros = advise::Sum(micros, advise::MicrosOf(*row));
  }
  OomHelp help;
  bool saturated = false;
  for (const OomChunks& chunks : event.chunks) {
    const auto at = chunks.in_use ? waiting.find(chunks.size) : waiting.end();
    if (at == waiting.end()) continue;
    help.frees_bytes =
        SaturatingAdd(help.frees_bytes,
                      SaturatingMul(chunks.size, std::min(chunks.count, at->second), &saturated), &saturated);
  }
  if (help.frees_bytes <= 0) return;
  help.what = "recompute";
  help.says = fmt::format(
      "recomputing activations in the backward pass frees up to {} ({} of the run, {} of {} a step to make)",
      FormatBinary(help.frees_bytes), advise::Count(count, "activation"), FormatTime(micros),
      FormatTime(advise::MicrosOf(run.step())));
  help.assumption =
      "as many of these chunks as the run has activations of that size wait for the backward pass";
  Say(std::move(help), need, out);
}

}  // namespace

Status MatchOom(const Profile& profile, OomReport* report) {
  const auto step = std::find_if(profile.steps.begin(), profile.steps.end(),
                                 [](const Step& s) { return !s.memory.empty(); });
  if (step == profile.steps.end()) {
    return Error::Input("the run has no memory recorded; trace a step with FULL_TRACE (run metadata)");
  }
  const Inventory run(profile, *step);
  for (OomEvent& event : report->events) {
    for (const OomChunks& chunks : event.chunks) {
      if (chunks.in_use && event.matches.size() < kSizes) event.matches.push_back(Match(run, chunks));
    }
    const std::optional<Need> need = NeedOf(event);
    if (!need) continue;
    HelpByBatch(run, event, *need, event.help);
    HelpByHalf(run, event, *need, event.help);
    HelpByRecomputing(run, event, *need, event.help);
  }
  return {};
}

}  // namespace tfprof
