#include "import/xplane/memory.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <memory>
#include <unordered_map>

#include "import/xplane/buffers.h"
#include "import/xplane/names.h"

namespace tfprof::xplane {
namespace {

// The number in GPU_N_... and GPU_collectivememory_N_...; -1: another allocator.
int64_t GpuOrdinal(std::string_view allocator) {
  if (!allocator.starts_with("GPU_")) return -1;
  allocator.remove_prefix(4);
  constexpr std::string_view kCollective = "collectivememory_";
  if (allocator.starts_with(kCollective)) allocator.remove_prefix(kCollective.size());
  int64_t ordinal = -1;
  const auto [end, error] = std::from_chars(allocator.data(), allocator.data() + allocator.size(), ordinal);
  return error == std::errc() && end != allocator.data() + allocator.size() && *end == '_' ? ordinal : -1;
}

class Builder {
 public:
  explicit Builder(Capture& capture) : capture_(capture) {}

  CapturedMemory Run() {
    for (const Allocator& allocator : capture_.memory.allocators) AddAllocator(allocator);
    const BlockList<MemoryEvent>& events = capture_.memory.events;
    const std::vector<uint32_t> rows = ByTime(capture_.memory);
    memory_.events.reserve(rows.size());
    for (const uint32_t row : rows) {
      const MemoryEvent& event = events[row];
      memory_.events.push_back({event.time_ps, event.in_use, event.available, event.lifetime_peak,
                                event.bytes, event.address, capture_.steps[event.step], event.allocator,
                                CapturedMemoryEvent::kNoOwner, event.is_free, event.is_temporary,
                                event.fragmentation, event.dtype, ShapeOf(event)});
    }
    FindBuffers(rows);
    owner_of_op_.resize(capture_.memory.ops.size(), kNotAsked);
    for (size_t e = 0; e < rows.size(); ++e) {
      uint32_t& owner = memory_.events[e].owner;
      const MemoryEvent& event = events[rows[e]];
      if (!event.is_free && owner == CapturedMemoryEvent::kNoOwner) owner = OwnerOfOp(event.op);
    }
    capture_.memory.events = {};
    for (uint32_t p = 0; p < capture_.programs.size(); ++p) {
      if (capture_.programs[p].ran) AddProgram(p);
    }
    return std::move(memory_);
  }

 private:
  StringId Copy(const std::string& text) { return capture_.strings->InternCopy(text); }

  StringId ShapeOf(const MemoryEvent& event) {
    if (event.is_free || event.shape.empty()) return {};
    const auto [known, fresh] = shapes_.try_emplace(event.shape);
    if (fresh) known->second = Copy(CleanText(event.shape));
    return known->second;
  }

  void AddAllocator(const Allocator& allocator) {
    const int64_t gpu = GpuOrdinal(allocator.name);
    if (allocator.name.empty()) {
      const std::string index = std::to_string(allocator.index);
      memory_.allocators.push_back({Copy("/device:tpu:" + index), Copy("TPU_" + index), 0});
    } else {
      const std::string device = gpu >= 0 ? "/device:gpu:" + std::to_string(gpu) : "/device:cpu:0";
      memory_.allocators.push_back({Copy(device), Copy(CleanText(allocator.name)), 0});
    }
  }

  uint32_t OwnerOfOp(uint32_t row) {
    uint32_t& owner = owner_of_op_[row];
    if (owner != kNotAsked) return owner;
    owner = CapturedMemoryEvent::kNoOwner;
    const std::string_view text = capture_.memory.ops[row], op = text.substr(0, text.find(':'));
    if (op.empty() || op == "dummy") return owner;
    const auto [known, fresh] = owner_of_name_.try_emplace(op, static_cast<uint32_t>(memory_.owners.size()));
    if (fresh) memory_.owners.push_back({0, 0, Copy(CleanText(op)), false, false});
    return owner = known->second;
  }

  const ProgramBuffers& BuffersOf(uint32_t program) {
    std::unique_ptr<ProgramBuffers>& buffers = buffers_[program];
    if (!buffers) buffers = std::make_unique<ProgramBuffers>(capture_.programs.Module(program));
    return *buffers;
  }

  StringId NameOf(uint32_t program, uint32_t instruction) {
    const auto [known, fresh] = names_.try_emplace(uint64_t{program} << 32 | instruction);
    if (!fresh) return known->second;
    const HloModule& module = capture_.programs.Module(program);
    const Program& owner = capture_.programs[program];
    const auto id = owner.shares_name ? std::optional(owner.id) : std::nullopt;
    return known->second = Copy(
               InstructionNode(module, module[instruction], (*capture_.strings)[module[instruction].name], id)
                   .name);
  }

  void AddShares(uint32_t program, const TemporaryBlock& block) {
    for (const OwnedBytes& owned : block.owners) {
      if (owned.instruction == IdTable::kNone || owned.bytes == 0) continue;
      memory_.shares.push_back({NameOf(program, owned.instruction), owned.bytes});
    }
  }

  uint32_t OwnerOfBuffer(uint32_t program, uint32_t allocation) {
    const auto [known, fresh] = owner_of_buffer_.try_emplace(uint64_t{program} << 32 | allocation, 0);
    if (!fresh) return known->second;
    const ProgramBuffers& buffers = BuffersOf(program);
    MemoryOwner owner;
    owner.is_program = true;
    owner.shares_begin = owner.shares_end = static_cast<uint32_t>(memory_.shares.size());
    const uint32_t instruction = buffers.allocations()[allocation].is_output()
                                     ? buffers.OwnerOf(buffers.allocations()[allocation])
                                     : IdTable::kNone;
    if (instruction != IdTable::kNone) {
      owner.rest = NameOf(program, instruction);
      owner.is_output = true;
    } else {
      if (const TemporaryBlock* block = buffers.FindBlock(allocation)) AddShares(program, *block);
      owner.shares_end = static_cast<uint32_t>(memory_.shares.size());
      owner.rest = Copy(CleanText(capture_.programs[program].name) + "/(other temporary memory)");
    }
    known->second = static_cast<uint32_t>(memory_.owners.size());
    memory_.owners.push_back(owner);
    return known->second;
  }

  // The program that ran under this name; of several the first with a buffer of this size.
  uint32_t FindProgram(std::string_view module, int64_t size) {
    const auto [known, fresh] = programs_named_.try_emplace(module);
    if (fresh) {
      for (uint32_t p = 0; p < capture_.programs.size(); ++p) {
        if (capture_.programs[p].ran && capture_.programs[p].name == module) known->second.push_back(p);
      }
    }
    if (known->second.size() <= 1) return known->second.empty() ? Programs::kNone : known->second[0];
    for (const uint32_t program : known->second) {
      if (BuffersOf(program).FindAllocated(size, 0) != IdTable::kNone) return program;
    }
    return known->second[0];
  }

  // The allocations of one run come in the order of the program's buffers, each allocator by itself.
  void FindBuffers(const std::vector<uint32_t>& rows) {
    struct Progress {
      uint32_t program = Programs::kNone;
      uint32_t next = 0;  // first buffer allocation that was not passed yet
    };
    std::map<std::pair<uint32_t, uint32_t>, Progress> progress;  // by run and allocator
    for (size_t e = 0; e < memory_.events.size(); ++e) {
      const MemoryEvent& event = capture_.memory.events[rows[e]];
      if (event.is_free || event.run == MemoryEvent::kNoRun) continue;
      const auto [at, fresh] = progress.try_emplace({event.run, event.allocator});
      Progress& here = at->second;
      if (fresh) here.program = FindProgram(capture_.memory.runs[event.run].module, event.requested);
      if (here.program == Programs::kNone) continue;
      const uint32_t buffer = BuffersOf(here.program).FindAllocated(event.requested, here.next);
      if (buffer == IdTable::kNone) continue;
      here.next = buffer + 1;
      memory_.events[e].owner = OwnerOfBuffer(here.program, buffer);
    }
  }

  void AddProgram(uint32_t row) {
    const Program& program = capture_.programs[row];
    const ProgramBuffers& buffers = BuffersOf(row);
    ProgramMemory out;
    out.name = Copy(CleanText(program.name));
    out.id = program.id;
    out.argument_bytes = buffers.argument_bytes();
    out.constant_bytes = buffers.constant_bytes();
    out.output_bytes = buffers.output_bytes();
    out.temporary_bytes = buffers.temporary_bytes();
    out.peak_bytes = buffers.peak_bytes();
    out.shares_begin = static_cast<uint32_t>(memory_.shares.size());
    for (const TemporaryBlock& block : buffers.temporary_blocks()) AddShares(row, block);
    out.shares_end = static_cast<uint32_t>(memory_.shares.size());
    memory_.programs.push_back(out);
  }

  Capture& capture_;
  CapturedMemory memory_;
  std::unordered_map<uint32_t, std::unique_ptr<ProgramBuffers>> buffers_;
  std::unordered_map<uint64_t, StringId> names_;
  static constexpr uint32_t kNotAsked = CapturedMemoryEvent::kNoOwner - 1;
  std::vector<uint32_t> owner_of_op_;  // per row of MemoryLog::ops
  std::unordered_map<std::string_view, uint32_t> owner_of_name_;
  std::unordered_map<std::string_view, StringId> shapes_;
  std::unordered_map<uint64_t, uint32_t> owner_of_buffer_;
  std::unordered_map<std::string_view, std::vector<uint32_t>> programs_named_;
};

}  // namespace

CapturedMemory BuildMemory(Capture& capture) { return Builder(capture).Run(); }

}  // namespace tfprof::xplane
