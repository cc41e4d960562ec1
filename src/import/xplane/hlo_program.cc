#include "import/xplane/hlo_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/checked.h"
#include "import/sniff.h"
#include "import/xplane/buffers.h"
#include "import/xplane/hlo_executions.h"
#include "import/xplane/hlo_float_ops.h"
#include "import/xplane/hlo_liveness.h"
#include "import/xplane/hlo_moved_bytes.h"
#include "import/xplane/jax_names.h"
#include "import/xplane/names.h"
#include "import/xplane/wire.h"

namespace tfprof::xplane {
namespace {

// An opcode is small letters and dashes, which no name of a node or a file is beside a name.
bool IsOpcode(std::string_view text) {
  return !text.empty() && text.size() < 64 &&
         std::ranges::all_of(text, [](char c) { return (c >= 'a' && c <= 'z') || c == '-'; });
}

// {1: name, 2: {1: name, 2: opcode, 3: shape}}
bool LooksLikeComputation(std::string_view message) {
  Cursor c(message);
  if (!c.Next() || c.tag() != Bytes(1) || !IsName(c.bytes()) || !c.Next() || c.tag() != Bytes(2))
    return false;
  Cursor instruction(c.bytes());
  return instruction.Next() && instruction.tag() == Bytes(1) && IsName(instruction.bytes()) &&
         instruction.Next() && instruction.tag() == Bytes(2) && IsOpcode(instruction.bytes()) &&
         instruction.Next() && instruction.tag() == Bytes(3);
}

// {1: name, 2: name of the entry, 3: computation}
bool LooksLikeModule(std::string_view message) {
  Cursor c(message);
  return c.Next() && c.tag() == Bytes(1) && IsName(c.bytes()) && c.Next() && c.tag() == Bytes(2) &&
         IsName(c.bytes()) && c.Next() && c.tag() == Bytes(3) && LooksLikeComputation(c.bytes());
}

bool IsProto(std::string_view bytes) {
  Cursor c(bytes);
  return c.Next() && c.tag() == Bytes(1) && LooksLikeModule(c.bytes());
}

class Describer {
 public:
  Describer(std::string_view bytes, HloForm form, const Options& options)
      : options_(options),
        module_(bytes, strings_, shapes_, form),
        float_ops_(module_, shapes_),
        executions_(CountExecutions(module_)) {
    out_.form = form == HloForm::kProto ? "HloProto" : "HloModuleProto";
  }

  bool has_entry() const { return module_.entry() != IdTable::kNone; }

  ProgramReport Run() {
    out_.name = CleanText(module_.name());
    out_.scheduled = module_.is_scheduled();
    out_.loops = executions_.loops;
    out_.unknown_loops = executions_.unknown_loops;
    out_.conditionals = executions_.conditionals;
    ReadAliases();
    AddTensors();
    AddInstructions();
    SumUpOps();
    AddMemory();
    return std::move(out_);
  }

 private:
  const Computation& entry() const { return module_.computations()[module_.entry()]; }

  std::string NameOf(uint32_t row) {
    std::string name = InstructionNode(module_, module_[row], strings_[module_[row].name], std::nullopt).name;
    const size_t slash = name.rfind('/');
    if (options_.names == Names::kRaw || slash == std::string::npos) return name;
    const std::string folded = FoldJaxName(std::string_view(name).substr(0, slash));
    return folded.empty() ? name : folded + name.substr(slash);
  }

  // {1: {1: place in the result, packed, 2: parameter}}
  void ReadAliases() {
    for (Cursor entries(module_.aliases()); entries.Next();) {
      if (entries.tag() != Bytes(1)) continue;
      uint64_t output = 0, parameter = 0;
      for (Cursor c(entries.bytes()); c.Next();) {
        if (c.tag() >> 3 == 1) ForEachNumber(c, [&](uint64_t n) { output = n; });
        if (c.tag() == Varint(2)) parameter = c.value();
      }
      parameter_of_output_[output] = parameter;
    }
  }

  void AddTensors() {
    std::map<uint32_t, uint32_t> parameters;  // by number
    for (uint32_t i = entry().begin; i < entry().end; ++i) {
      if (module_[i].opcode == Opcode::kParameter) parameters.emplace(module_[i].number, i);
    }
    for (const auto& [number, row] : parameters) {
      const Instruction& p = module_[row];
      // JAX names an argument as the program's code does.
      const std::string_view name = p.op_name.empty() ? strings_[p.name] : p.op_name;
      const auto takes = [number = number](const auto& alias) { return alias.second == number; };
      out_.arguments.push_back({CleanText(name), shapes_.Text(p.shape), shapes_.ByteSize(p.shape),
                                std::ranges::any_of(parameter_of_output_, takes)});
    }
    if (entry().root == IdTable::kNone) return;
    const Instruction& root = module_[entry().root];
    const auto add = [&](uint32_t row, size_t place) {
      const Instruction& result = module_[row];
      out_.results.push_back({NameOf(row), shapes_.Text(result.shape), shapes_.ByteSize(result.shape),
                              parameter_of_output_.contains(place)});
    };
    if (root.opcode != Opcode::kTuple) return add(entry().root, 0);
    const auto operands = module_.Operands(root);
    for (size_t k = 0; k < operands.size(); ++k) {
      if (operands[k] != IdTable::kNone) add(operands[k], k);
    }
  }

  void AddInstructions() {
    for (const uint32_t computation : executions_.callees) {
      const Computation& c = module_.computations()[computation];
      const int64_t times = executions_.times[computation];
      for (uint32_t row = c.begin; row < c.end; ++row) AddInstruction(row, times);
    }
    std::ranges::reverse(out_.instructions);  // callers first, each in the order of the file
    auto begin = out_.instructions.begin();
    for (size_t i = executions_.callees.size(); i-- > 0;) {
      const auto end = begin + added_[executions_.callees[i]];
      std::reverse(begin, end);
      begin = end;
    }
  }

  void AddInstruction(uint32_t row, int64_t times) {
    const Instruction& instruction = module_[row];
    if (instruction.opcode == Opcode::kNoWork || instruction.opcode == Opcode::kParameter ||
        instruction.opcode == Opcode::kTuple || instruction.opcode == Opcode::kGetTupleElement ||
        instruction.opcode == Opcode::kBitcast)
      return;
    ProgramInstruction added;
    added.name = NameOf(row);
    added.op = InstructionNode(module_, instruction, {}, std::nullopt).type;
    added.opcode = CleanText(instruction.opcode_name);
    added.shape = shapes_.Text(instruction.shape);
    added.times = times;
    const std::optional<int64_t> once = float_ops_.Of(row);
    if (once) added.float_ops = SaturatingMul(*once, times);
    if (instruction.opcode != Opcode::kCustomCall) SaturatingAddTo(out_.float_ops_once, once.value_or(0));
    added.moved_bytes = SaturatingMul(MovedBytes(module_, shapes_, row), times);
    added.output_bytes = shapes_.ByteSize(instruction.shape);
    out_.unknown += once ? 0 : 1;
    SaturatingAddTo(out_.float_ops, added.float_ops.value_or(0));
    SaturatingAddTo(out_.moved_bytes, added.moved_bytes);
    ++added_[instruction.computation];
    out_.instructions.push_back(std::move(added));
  }

  void SumUpOps() {
    std::map<std::string_view, ProgramOp> ops;
    for (const ProgramInstruction& i : out_.instructions) {
      ProgramOp& op = ops[i.op];
      op.op = i.op;
      ++op.instructions;
      SaturatingAddTo(op.float_ops, i.float_ops.value_or(0));
      SaturatingAddTo(op.moved_bytes, i.moved_bytes);
    }
    for (auto& [name, op] : ops) out_.ops.push_back(std::move(op));
    std::ranges::stable_sort(out_.ops, [](const ProgramOp& a, const ProgramOp& b) {
      return std::pair(a.float_ops, a.moved_bytes) > std::pair(b.float_ops, b.moved_bytes);
    });
  }

  void AddOwners(std::span<const OwnedBytes> owners) {
    for (const OwnedBytes& owner : owners) {
      if (owner.instruction != IdTable::kNone && owner.bytes > 0)
        out_.memory.owners.push_back({NameOf(owner.instruction), owner.bytes});
    }
  }

  void AddMemory() {
    ProgramMemoryPlan& memory = out_.memory;
    if (module_.buffer_assignment().empty()) {
      PlanBySchedule();
    } else {
      ProgramBuffers buffers(module_);
      memory.evidence = memory.owners_evidence = ProgramEvidence::kAssigned;
      const auto traced = [](const TemporaryBlock& block) { return block.has_trace || block.peak == 0; };
      if (!std::ranges::all_of(buffers.temporary_blocks(), traced)) {
        const std::optional<SchedulePeak> peak = PeakOfSchedule(module_, shapes_, executions_);
        memory.owners_evidence = peak ? ProgramEvidence::kScheduled : ProgramEvidence::kShapes;
        if (peak) buffers.FillUntraced(peak->owners);
      }
      memory.argument_bytes = buffers.argument_bytes();
      memory.output_bytes = buffers.output_bytes();
      memory.constant_bytes = buffers.constant_bytes();
      memory.temp_bytes = buffers.temporary_bytes();
      memory.peak_bytes = buffers.peak_bytes();
      for (const BufferAllocation& a : buffers.allocations()) {
        if (a.is_parameter && a.maybe_live_out) SaturatingAddTo(memory.donated_bytes, a.size);
      }
      for (const TemporaryBlock& block : buffers.temporary_blocks()) AddOwners(block.owners);
    }
    std::ranges::stable_sort(memory.owners, std::greater(), &ProgramOwner::bytes);
  }

  void PlanBySchedule() {
    ProgramMemoryPlan& memory = out_.memory;
    for (const ProgramTensor& argument : out_.arguments) {
      SaturatingAddTo(memory.argument_bytes, argument.bytes);
      if (argument.donated) SaturatingAddTo(memory.donated_bytes, argument.bytes);
    }
    for (const ProgramTensor& result : out_.results) {
      if (!result.donated) SaturatingAddTo(memory.output_bytes, result.bytes);
    }
    for (const uint32_t c : executions_.callees) {
      for (uint32_t i = module_.computations()[c].begin; i < module_.computations()[c].end; ++i) {
        if (module_[i].opcode_name == "constant")
          SaturatingAddTo(memory.constant_bytes, shapes_.ByteSize(module_[i].shape));
      }
    }
    const std::optional<SchedulePeak> peak = PeakOfSchedule(module_, shapes_, executions_);
    if (!peak) return;
    memory.evidence = memory.owners_evidence = ProgramEvidence::kScheduled;
    memory.temp_bytes = peak->bytes;
    memory.peak_bytes = 0;
    for (const int64_t part :
         {memory.argument_bytes, memory.output_bytes, memory.constant_bytes, peak->bytes})
      SaturatingAddTo(*memory.peak_bytes, part);
    AddOwners(peak->owners);
  }

  const Options& options_;
  StringPool strings_;
  ShapePool shapes_;
  HloModule module_;
  HloFloatOps float_ops_;
  Executions executions_;
  std::map<uint64_t, uint64_t> parameter_of_output_;
  std::map<uint32_t, ptrdiff_t> added_;  // instructions, by computation
  ProgramReport out_;
};

}  // namespace

bool LooksLikeHlo(std::string_view bytes) { return IsProto(bytes) || LooksLikeModule(bytes); }

Result<ProgramReport> DescribeProgram(std::string_view bytes, std::string_view path, const Options& options) {
  // A cut file would be told as a smaller program.
  Cursor outer(bytes);
  while (outer.Next()) {
  }
  if (outer.damaged()) {
    return Error::Input(fmt::format("{}: {} at byte {} of {}; the file is damaged or cut short", path,
                                    outer.problem(), outer.position() - bytes.data(), bytes.size()));
  }
  Describer describer(bytes, IsProto(bytes) ? HloForm::kProto : HloForm::kModule, options);
  if (!describer.has_entry())
    return Error::Input(fmt::format("{}: the program has no entry computation; the file is damaged", path));
  return describer.Run();
}

}  // namespace tfprof::xplane
