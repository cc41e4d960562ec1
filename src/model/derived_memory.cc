#include "model/derived_memory.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "base/checked.h"

namespace tfprof {
namespace {

// Lists of T per node, in one array.
template <class T>
class PerNode {
 public:
  explicit PerNode(size_t nodes) : begin_(nodes + 1) {}

  // First Count() every element, then Add() every element in the same order.
  void Count(NodeId node) { ++begin_[node.value + 1]; }
  void Allocate() {
    for (size_t n = 1; n < begin_.size(); ++n) begin_[n] += begin_[n - 1];
    items_.resize(begin_.back());
    next_ = begin_;
  }
  void Add(NodeId node, T item) { items_[next_[node.value]++] = item; }
  std::span<T> operator[](NodeId node) {
    return {items_.data() + begin_[node.value], begin_[node.value + 1] - begin_[node.value]};
  }

 private:
  std::vector<uint32_t> begin_, next_;
  std::vector<T> items_;
};

struct Interval {
  int64_t start = 0, end = 0;
};

// For each node the op that uses its inputs: itself, or, when it did not run (fused into another op, folded,
// not taken), the op downstream that ends last.
std::vector<NodeId> WhoRan(const Profile& profile, const Step& step) {
  std::vector<NodeId> out(profile.size());
  for (const NodeId node : step.node_of_row) {
    if (step.Find(node)->last_end > 0) out[node.value] = node;
  }
  std::vector<NodeId> latest_first;
  for (const NodeId node : step.node_of_row) {
    if (out[node.value]) latest_first.push_back(node);
  }
  std::sort(latest_first.begin(), latest_first.end(), [&](NodeId a, NodeId b) {
    const int64_t end_a = step.Find(a)->last_end, end_b = step.Find(b)->last_end;
    return end_a != end_b ? end_a > end_b : a < b;
  });
  std::vector<NodeId> open;
  for (const NodeId user : latest_first) {
    for (open.push_back(user); !open.empty();) {
      const NodeId node = open.back();
      open.pop_back();
      for (const Input& input : profile.Inputs(node)) {
        if (!input.node || out[input.node.value]) continue;
        out[input.node.value] = user;
        open.push_back(input.node);
      }
    }
  }
  return out;
}

// Who consumes a node's outputs, and when they are done with them.
class Consumers {
 public:
  Consumers(const Profile& profile, const Step& step)
      : step_(step), consumers_(profile.size()), runs_(profile.size()) {
    AddEdges(profile);
    AddRuns(profile);
  }

  // When what `node` made at `moment` was last used; kStillLive: nothing that ran consumes it. In a loop each
  // execution's output goes to the next execution of its consumers; what ran once serves all of theirs.
  int64_t LastUse(NodeId node, int64_t moment) {
    int64_t last = 0;
    for (const NodeId consumer : consumers_[node]) {
      const auto runs = runs_[consumer];
      int64_t end = step_.Find(consumer)->last_end;
      if (runs_[node].size() > 1 && !runs.empty()) {
        const auto next = std::lower_bound(runs.begin(), runs.end(), moment,
                                           [](const Interval& a, int64_t m) { return a.start < m; });
        if (next != runs.end()) end = next->end;
      }
      last = std::max(last, end);
    }
    return last == 0 ? kStillLive : std::max(last, moment);
  }

  // When the execution that ended at `moment` began.
  int64_t StartOf(NodeId node, int64_t moment) {
    const auto runs = runs_[node];
    const auto after = std::upper_bound(runs.begin(), runs.end(), moment,
                                        [](int64_t m, const Interval& a) { return m < a.start; });
    return after == runs.begin() ? moment : (after - 1)->start;
  }

 private:
  void AddEdges(const Profile& profile) {
    const std::vector<NodeId> who = WhoRan(profile, step_);
    const auto each_edge = [&](auto&& visit) {
      for (size_t n = 0; n < profile.size(); ++n) {
        if (!who[n]) continue;
        for (const Input& input : profile.Inputs(NodeId(n))) {
          if (input.node) visit(input.node, who[n]);
        }
      }
    };
    each_edge([&](NodeId source, NodeId) { consumers_.Count(source); });
    consumers_.Allocate();
    each_edge([&](NodeId source, NodeId consumer) { consumers_.Add(source, consumer); });
  }

  void AddRuns(const Profile& profile) {
    const auto each_run = [&](auto&& visit) {
      for (const Execution& e : step_.executions) {
        if (e.track == Track::kCpu && profile.device[e.node] == e.device) visit(e);
      }
    };
    each_run([&](const Execution& e) { runs_.Count(e.node); });
    runs_.Allocate();
    bool ignored = false;
    each_run([&](const Execution& e) {
      // In whole microseconds, as the ends of ops are known.
      const int64_t start = e.start_nanos - e.start_nanos % kNanosPerMicro;
      const int64_t length = NanosOfMicros(WholeMicros(e.nanos));
      runs_.Add(e.node, {start, SaturatingAdd(start, length, &ignored)});
    });
    for (const NodeId node : step_.node_of_row) {
      const auto runs = runs_[node];
      std::sort(runs.begin(), runs.end(),
                [](const Interval& a, const Interval& b) { return a.start < b.start; });
    }
  }

  const Step& step_;
  PerNode<NodeId> consumers_;
  PerNode<Interval> runs_;
};

struct Tensor {
  uint32_t device;  // index of the entry
  uint64_t address;
  MemoryBlock block;
};

class Deriver {
 public:
  Deriver(const Profile& profile, const Step& step, const std::vector<DeviceId>& recorded)
      : profile_(profile),
        step_(step),
        consumers_(profile, step),
        persistent_(profile.size(), -1),
        persisted_(profile.size()) {
    for (const DeviceId device : recorded) entry_of_device_[device.value] = kLeftOut;
  }

  std::vector<DeviceMemory> Take() {
    for (const MemoryUse& use : step_.memory) {
      if (use.outputs_begin == use.outputs_end && use.temp_bytes <= 0 && use.persistent_bytes <= 0 &&
          TemporaryOf(use) <= 0) {
        continue;
      }
      const uint32_t entry = EntryOf(profile_.device[use.node]);
      if (entry == kLeftOut) continue;
      const bool outputs_persist = AddPersistent(entry, use);
      AddOutputs(entry, use, outputs_persist);
      AddTemporary(entry, use);
    }
    MergeBuffers();
    std::erase_if(entries_, [](const DeviceMemory& m) { return m.blocks.empty(); });
    for (DeviceMemory& memory : entries_) {
      std::stable_sort(memory.blocks.begin(), memory.blocks.end(),
                       [](const MemoryBlock& a, const MemoryBlock& b) { return a.begin < b.begin; });
    }
    return std::move(entries_);
  }

 private:
  static constexpr uint32_t kLeftOut = MemoryChange::kNoBlock;

  uint32_t EntryOf(DeviceId device) {
    if (!device) return kLeftOut;
    const auto [place, fresh] = entry_of_device_.try_emplace(device.value, entries_.size());
    if (fresh) {
      DeviceMemory& memory = entries_.emplace_back();
      memory.device = device;
      memory.evidence = MemoryEvidence::kDerived;
    }
    return place->second;
  }

  // The statistics' own figure, or what allocators held at most beyond what they held at the end: files of
  // 2017 have that alone.
  static int64_t TemporaryOf(const MemoryUse& use) {
    bool ignored = false;
    const int64_t beyond = SaturatingAdd(use.peak_bytes, -std::max<int64_t>(use.residual_bytes, 0), &ignored);
    return std::max(use.temp_bytes, SaturatingAdd(beyond, -std::max<int64_t>(use.temp_bytes, 0), &ignored));
  }

  void AddTemporary(uint32_t entry, const MemoryUse& use) {
    const int64_t bytes = TemporaryOf(use);
    if (bytes <= 0) return;
    const int64_t begin = use.start_nanos > 0 ? use.start_nanos : consumers_.StartOf(use.node, use.end_nanos);
    bool ignored = false;
    const int64_t end = std::max(use.end_nanos, SaturatingAdd(begin, kNanosPerMicro, &ignored));
    entries_[entry].blocks.push_back({use.node, bytes, begin, end, BlockKind::kTemporary, IndexOf(use)});
  }

  uint32_t IndexOf(const MemoryUse& use) const { return static_cast<uint32_t>(&use - step_.memory.data()); }

  // True when the persistent memory is the outputs themselves.
  bool AddPersistent(uint32_t entry, const MemoryUse& use) {
    if (use.persistent_bytes <= 0) return false;
    int64_t outputs = 0;
    bool ignored = false;
    for (uint32_t o = use.outputs_begin; o < use.outputs_end; ++o) {
      outputs = SaturatingAdd(outputs, step_.outputs[o].bytes, &ignored);
    }
    if (outputs == use.persistent_bytes) return true;
    auto& blocks = entries_[entry].blocks;
    int64_t& known = persistent_[use.node.value];
    if (known < 0) {
      known = static_cast<int64_t>(blocks.size());
      blocks.push_back(
          {use.node, use.persistent_bytes, use.end_nanos, kStillLive, BlockKind::kPersistent, IndexOf(use)});
    } else {
      MemoryBlock& block = blocks[static_cast<size_t>(known)];
      block.bytes = std::max(block.bytes, use.persistent_bytes);
    }
    return false;
  }

  void AddOutputs(uint32_t entry, const MemoryUse& use, bool persist) {
    if (use.outputs_begin == use.outputs_end) return;
    const int64_t end = persist ? kStillLive : consumers_.LastUse(use.node, use.end_nanos);
    const BlockKind kind = persist ? BlockKind::kPersistent : BlockKind::kOutlives;
    const bool repeated = persist && persisted_[use.node.value];
    if (persist) persisted_[use.node.value] = true;
    for (uint32_t o = use.outputs_begin; o < use.outputs_end; ++o) {
      const OutputMemory& output = step_.outputs[o];
      if (output.bytes <= 0) continue;
      const MemoryBlock block{use.node, output.bytes, use.end_nanos,          end,
                              kind,     IndexOf(use), static_cast<int32_t>(o)};
      if (output.address != 0) {
        buffers_.push_back({entry, output.address, block});
      } else if (!repeated) {
        entries_[entry].blocks.push_back(block);
      }
    }
  }

  void MergeBuffers() {
    std::stable_sort(buffers_.begin(), buffers_.end(), [](const Tensor& a, const Tensor& b) {
      if (a.device != b.device) return a.device < b.device;
      return a.address != b.address ? a.address < b.address : a.block.begin < b.block.begin;
    });
    for (size_t i = 0; i < buffers_.size();) {
      MemoryBlock merged = buffers_[i].block;
      const Tensor& first = buffers_[i++];
      while (i < buffers_.size() && buffers_[i].device == first.device &&
             buffers_[i].address == first.address &&
             (buffers_[i].block.begin < merged.end || buffers_[i].block.begin == merged.begin)) {
        merged.bytes = std::max(merged.bytes, buffers_[i].block.bytes);
        merged.end = std::max(merged.end, buffers_[i].block.end);
        if (buffers_[i].block.kind == BlockKind::kPersistent) merged.kind = BlockKind::kPersistent;
        ++i;
      }
      entries_[first.device].blocks.push_back(merged);
    }
    for (DeviceMemory& memory : entries_) {
      memory.without_consumer = std::count_if(
          memory.blocks.begin(), memory.blocks.end(),
          [](const MemoryBlock& b) { return b.end == kStillLive && b.kind == BlockKind::kOutlives; });
    }
  }

  const Profile& profile_;
  const Step& step_;
  Consumers consumers_;
  std::vector<int64_t> persistent_;  // by node: position of its persistent block; -1: none yet
  std::vector<bool> persisted_;      // by node: its outputs are persistent and counted
  std::unordered_map<uint32_t, uint32_t> entry_of_device_;
  std::vector<DeviceMemory> entries_;
  std::vector<Tensor> buffers_;
};

}  // namespace

std::vector<DeviceMemory> DeriveMemory(const Profile& profile, const Step& step,
                                       const std::vector<DeviceId>& recorded) {
  // Most steps have records of every device: then nothing of the graph needs to be looked at.
  const bool needed = std::any_of(step.memory.begin(), step.memory.end(), [&](const MemoryUse& use) {
    const DeviceId device = profile.device[use.node];
    return device && std::find(recorded.begin(), recorded.end(), device) == recorded.end();
  });
  if (!needed) return {};
  return Deriver(profile, step, recorded).Take();
}

}  // namespace tfprof
