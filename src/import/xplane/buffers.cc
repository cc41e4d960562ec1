#include "import/xplane/buffers.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>

#include "base/checked.h"
#include "base/wide.h"
#include "import/xplane/wire.h"

namespace tfprof::xplane {
namespace {

constexpr uint64_t kAlloc = 0, kFree = 1, kShareWith = 2;

}  // namespace

// What is live while a heap trace is replayed. Buffers that share memory are one, known by its canonical one,
// with as many users as there are names for it.
class ProgramBuffers::Replay {
 public:
  explicit Replay(const std::vector<LogicalBuffer>& buffers) : buffers_(buffers) {}

  void Apply(const Change& change) {
    if (change.buffer == IdTable::kNone) return;
    if (change.kind == kAlloc) {
      canonical_[change.buffer] = change.buffer;
      Use(change.buffer);
    } else if (change.kind == kShareWith && change.canonical != IdTable::kNone) {
      const uint32_t root = RootOf(change.canonical);
      canonical_[change.buffer] = root;
      Use(root);
    } else if (change.kind == kFree) {
      const uint32_t root = RootOf(change.buffer);
      const auto users = users_.find(root);
      if (users == users_.end() || users->second == 0) return;
      if (--users->second == 0) sum_ -= buffers_[root].size;
    }
  }

  int64_t sum() const { return static_cast<int64_t>(std::min<Wide>(sum_, INT64_MAX)); }
  template <class UseBuffer>
  void ForEachLive(UseBuffer&& use) const {
    for (const uint32_t root : order_) {
      if (users_.at(root) > 0) use(root);
    }
  }

 private:
  uint32_t RootOf(uint32_t buffer) const {
    const auto known = canonical_.find(buffer);
    return known == canonical_.end() ? buffer : known->second;
  }
  void Use(uint32_t root) {
    const auto [users, fresh] = users_.try_emplace(root, 0);
    if (fresh) order_.push_back(root);
    if (users->second++ == 0) sum_ += buffers_[root].size;
  }

  const std::vector<LogicalBuffer>& buffers_;
  std::map<uint32_t, uint32_t> canonical_;
  std::map<uint32_t, uint64_t> users_;
  std::vector<uint32_t> order_;  // of first use
  Wide sum_ = 0;                 // what is freed was added, so it must not be cut on the way
};

ProgramBuffers::ProgramBuffers(const HloModule& module) : module_(module) {
  place_in_schedule_.assign(module.instructions().size(), -1);
  if (module.entry() != IdTable::kNone) {
    int64_t place = 0;
    module.ForEachScheduled(module.computations()[module.entry()],
                            [&](uint32_t i) { place_in_schedule_[i] = place++; });
  }
  std::vector<Assigned> assigned;
  for (Cursor c(module.buffer_assignment()); c.Next();) {
    if (c.tag() == Bytes(1)) ReadBuffer(c.bytes());
    if (c.tag() == Bytes(3)) ReadAllocation(c.bytes(), assigned);
  }
  buffer_rows_.Finish();
  for (const Assigned& a : assigned) assigned_.push_back(buffer_rows_.Find(a.id));
  std::ranges::stable_sort(allocations_, {}, &BufferAllocation::index);
  block_of_allocation_.assign(allocations_.size(), IdTable::kNone);
  for (uint32_t a = 0; a < allocations_.size(); ++a) {
    for (uint32_t i = allocations_[a].assigned_begin; i < allocations_[a].assigned_end; ++i) {
      if (assigned_[i] == IdTable::kNone) continue;
      buffers_[assigned_[i]].allocation = a;
      buffers_[assigned_[i]].offset = assigned[i].offset;
    }
    if (allocations_[a].is_temporary() || allocations_[a].is_output())
      by_size_.emplace_back(allocations_[a].size, a);
    if (!allocations_[a].is_temporary()) continue;
    block_of_allocation_[a] = static_cast<uint32_t>(blocks_.size());
    blocks_.push_back({a, false, allocations_[a].size, {}});
  }
  for (Cursor c(module.buffer_assignment()); c.Next();) {
    if (c.tag() == Bytes(4)) ReplayTrace(ReadTrace(c.bytes()));
  }
  std::ranges::sort(by_size_);
  SumUp();
}

void ProgramBuffers::ReadBuffer(std::string_view message) {
  LogicalBuffer buffer;
  uint64_t id = 0;
  std::string_view defined_at;
  for (Cursor c(message); c.Next();) {
    if (c.tag() == Varint(1)) id = c.value();
    if (c.tag() == Varint(2)) buffer.size = std::max<int64_t>(0, c.signed_value());
    if (c.tag() == Bytes(3)) defined_at = c.bytes();
  }
  for (Cursor c(defined_at); c.Next();) {
    if (c.tag() == Varint(4)) buffer.instruction = module_.FindById(c.value());
  }
  buffer_rows_.Add(id, static_cast<uint32_t>(buffers_.size()));
  buffers_.push_back(buffer);
}

void ProgramBuffers::ReadAllocation(std::string_view message, std::vector<Assigned>& assigned) {
  BufferAllocation allocation;
  allocation.assigned_begin = static_cast<uint32_t>(assigned.size());
  for (Cursor c(message); c.Next();) {
    switch (c.tag()) {
      case Varint(1):
        allocation.index = c.signed_value();
        break;
      case Varint(2):
        allocation.size = std::max<int64_t>(0, c.signed_value());
        break;
      case Varint(3):
        allocation.is_thread_local = c.value() != 0;
        break;
      case Varint(5):
        allocation.is_parameter = c.value() != 0;
        break;
      case Varint(7):
        allocation.maybe_live_out = c.value() != 0;
        break;
      case Varint(12):
        allocation.is_constant = c.value() != 0;
        break;
      case Bytes(9):
        assigned.emplace_back();
        for (Cursor a(c.bytes()); a.Next();) {
          if (a.tag() == Varint(1)) assigned.back().id = a.value();
          if (a.tag() == Varint(2)) assigned.back().offset = std::max<int64_t>(0, a.signed_value());
        }
        break;
      default:
        break;
    }
  }
  allocation.assigned_end = static_cast<uint32_t>(assigned.size());
  allocations_.push_back(allocation);
}

std::vector<ProgramBuffers::Change> ProgramBuffers::ReadTrace(std::string_view message) const {
  std::vector<Change> trace;
  for (Cursor events(message); events.Next();) {
    if (events.tag() != Bytes(1)) continue;
    Change& change = trace.emplace_back();
    uint64_t buffer = 0, canonical = 0;
    for (Cursor c(events.bytes()); c.Next();) {
      if (c.tag() == Varint(1)) change.kind = c.value();
      if (c.tag() == Varint(2)) buffer = c.value();
      if (c.tag() == Varint(5)) canonical = c.value();
    }
    change.buffer = buffer_rows_.Find(buffer);
    if (change.kind == kShareWith) change.canonical = buffer_rows_.Find(canonical);
  }
  return trace;
}

void ProgramBuffers::ReplayTrace(const std::vector<Change>& trace) {
  if (trace.empty() || trace[0].buffer == IdTable::kNone) return;
  const uint32_t allocation = buffers_[trace[0].buffer].allocation;
  if (allocation == IdTable::kNone || block_of_allocation_[allocation] == IdTable::kNone) return;
  TemporaryBlock& block = blocks_[block_of_allocation_[allocation]];
  int64_t peak = 0;
  size_t at = 0;
  Replay first(buffers_);
  for (size_t i = 0; i < trace.size(); ++i) {
    first.Apply(trace[i]);
    if (first.sum() <= peak) continue;
    peak = first.sum();
    at = i + 1;
  }
  if (block.has_trace && peak <= block.peak) return;  // of several, the one with the largest sum
  block.has_trace = true;
  block.peak = peak;
  block.owners.clear();
  Replay second(buffers_);
  for (size_t i = 0; i < at; ++i) second.Apply(trace[i]);
  std::map<uint32_t, size_t> row_of;
  second.ForEachLive([&](uint32_t buffer) {
    const LogicalBuffer& live = buffers_[buffer];
    const auto [known, fresh] = row_of.try_emplace(live.instruction, block.owners.size());
    if (fresh) block.owners.push_back({live.instruction, 0});
    block.owners[known->second].bytes = SaturatingAdd(block.owners[known->second].bytes, live.size);
  });
}

void ProgramBuffers::SumUp() {
  for (const BufferAllocation& a : allocations_) {
    if (a.is_thread_local) continue;
    int64_t& sum = a.is_parameter     ? argument_bytes_
                   : a.is_constant    ? constant_bytes_
                   : a.maybe_live_out ? output_bytes_
                                      : temporary_bytes_;
    sum = SaturatingAdd(sum, a.size);
  }
  peak_bytes_ = SaturatingAdd(SaturatingAdd(argument_bytes_, constant_bytes_), output_bytes_);
  for (const TemporaryBlock& block : blocks_) peak_bytes_ = SaturatingAdd(peak_bytes_, block.peak);
}

void ProgramBuffers::FillUntraced(std::span<const OwnedBytes> live) {
  std::map<uint32_t, size_t> place;  // of what is live, by instruction
  for (size_t i = 0; i < live.size(); ++i) place.try_emplace(live[i].instruction, i);
  for (TemporaryBlock& block : blocks_) {
    if (block.has_trace) continue;
    const BufferAllocation& allocation = allocations_[block.allocation];
    std::vector<std::pair<size_t, uint32_t>> inside;  // place, buffer
    for (uint32_t i = allocation.assigned_begin; i < allocation.assigned_end; ++i) {
      if (assigned_[i] == IdTable::kNone || buffers_[assigned_[i]].size == 0) continue;
      const auto found = place.find(buffers_[assigned_[i]].instruction);
      if (found != place.end()) inside.emplace_back(found->second, assigned_[i]);
    }
    std::ranges::sort(inside, std::greater());
    std::map<int64_t, int64_t> taken;  // from offset to end, none of which overlap
    std::map<uint32_t, int64_t> held;  // by instruction
    for (const auto& [at, row] : inside) {
      const LogicalBuffer& buffer = buffers_[row];
      const int64_t end = SaturatingAdd(buffer.offset, buffer.size);
      const auto after = taken.lower_bound(buffer.offset);
      if (after != taken.end() && after->first < end) continue;
      if (after != taken.begin() && std::prev(after)->second > buffer.offset) continue;
      taken.emplace(buffer.offset, end);
      held[buffer.instruction] = SaturatingAdd(held[buffer.instruction], buffer.size);
    }
    for (const auto& [instruction, bytes] : held) block.owners.push_back({instruction, bytes});
  }
}

const TemporaryBlock* ProgramBuffers::FindBlock(uint32_t allocation) const {
  const uint32_t block = block_of_allocation_[allocation];
  return block == IdTable::kNone ? nullptr : &blocks_[block];
}

uint32_t ProgramBuffers::FindAllocated(int64_t size, uint32_t first) const {
  const auto found = std::ranges::lower_bound(by_size_, std::pair(size, first));
  return found == by_size_.end() || found->first != size ? IdTable::kNone : found->second;
}

uint32_t ProgramBuffers::OwnerOf(const BufferAllocation& allocation) const {
  uint32_t owner = IdTable::kNone;
  for (uint32_t i = allocation.assigned_begin; i < allocation.assigned_end; ++i) {
    if (assigned_[i] == IdTable::kNone) continue;
    const uint32_t instruction = buffers_[assigned_[i]].instruction;
    if (instruction == IdTable::kNone) continue;
    if (owner == IdTable::kNone || place_in_schedule_[instruction] > place_in_schedule_[owner])
      owner = instruction;
  }
  return owner;
}

}  // namespace tfprof::xplane
