// An XLA program as the capture holds it: computations, instructions, schedule, call stacks, decoded into
// columns. What only a few instructions need (windows, dimension numbers, library settings) stays in the
// bytes and is read when somebody asks.
//
// Ids of the file become row numbers here; one that leads nowhere becomes kNone, and nothing in a module is
// taken to be free of cycles. Cost: about 130 bytes an instruction. Only programs that ran are decoded.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/ids.h"
#include "base/string_pool.h"
#include "import/xplane/id_table.h"
#include "import/xplane/shapes.h"

namespace tfprof::xplane {

// What an opcode means to the importer.
enum class Opcode : uint8_t {
  kOther,  // launches work, 0 float ops: data movement, sort, rng, collectives, transcendentals
  kFft,
  kSolver,       // cholesky, triangular-solve: float ops that nobody counts
  kElementwise,  // one float op per element of the result
  kNoWork,       // launches nothing: parameter, constant, tuple, bitcast, *-done, ...
  kParameter,
  kTuple,
  kGetTupleElement,
  kBitcast,
  kCopy,   // copy, copy-start
  kSlice,  // slice, dynamic-slice, dynamic-update-slice
  kBroadcast,
  kConcatenate,
  kFusion,
  kCall,
  kAsyncStart,
  kWhile,
  kConditional,
  kCustomCall,
  kDot,
  kConvolution,
  kReduce,
  kReduceWindow,
  kMap,
  kScatter,
  kSelectAndScatter,
};

Opcode OpcodeOf(std::string_view name);

struct Instruction {
  StringId name;  // of the capture's pool
  std::string_view opcode_name, op_name, op_type, source_file, fusion_kind, custom_call_target;
  std::string_view message;  // for the rest
  Opcode opcode = Opcode::kOther;
  ShapeId shape;
  int32_t source_line = 0;
  uint32_t number = 0;  // of a parameter; of get-tuple-element: which element
  uint32_t frame = 0;   // of the module's frame index, 1-based; 0: none
  uint32_t computation = 0;
  uint32_t operands_begin = 0, operands_end = 0, called_begin = 0, called_end = 0;

  bool has_place() const { return frame != 0 || !source_file.empty(); }
};

struct Computation {
  uint32_t begin = 0, end = 0;  // of the instructions, in the order of the file
  uint32_t root = IdTable::kNone;
  // The instruction that stands for all: the root, or else the last one, that has an op name (a place in the
  // code). kNone: no one has.
  uint32_t named = IdTable::kNone, placed = IdTable::kNone;
  bool is_fused = false;
  bool only_moves = false;                        // has slices, copies or broadcasts and no matrix product
  uint32_t schedule_begin = 0, schedule_end = 0;  // empty: not scheduled, the order of the file counts
};

// What the bytes of a program are: with its buffer assignment (captures, dumps), or the module alone.
enum class HloForm : uint8_t { kProto, kModule };

class HloModule {
 public:
  HloModule(std::string_view bytes, StringPool& strings, ShapePool& shapes, HloForm form = HloForm::kProto);

  std::string_view name() const { return name_; }
  std::string_view buffer_assignment() const { return buffer_assignment_; }
  std::string_view frame_index() const { return frame_index_; }
  std::string_view aliases() const { return aliases_; }  // results that take over arguments
  bool is_scheduled() const { return !schedule_.empty(); }
  std::span<const Instruction> instructions() const { return instructions_; }
  std::span<const Computation> computations() const { return computations_; }
  uint32_t entry() const { return entry_; }  // a computation; kNone: not in the file

  const Instruction& operator[](uint32_t row) const { return instructions_[row]; }
  std::span<const uint32_t> Operands(const Instruction& i) const {
    return {links_.data() + i.operands_begin, i.operands_end - i.operands_begin};  // kNone: not in the file
  }
  std::span<const uint32_t> Called(const Instruction& i) const {
    return {links_.data() + i.called_begin, i.called_end - i.called_begin};  // computations
  }
  // The order in which a computation's instructions run; without a schedule that of the file.
  template <class Use>
  void ForEachScheduled(const Computation& c, Use&& use) const {
    if (c.schedule_begin == c.schedule_end) {
      for (uint32_t i = c.begin; i < c.end; ++i) use(i);
    } else {
      for (uint32_t i = c.schedule_begin; i < c.schedule_end; ++i) use(schedule_[i]);
    }
  }

  uint32_t FindByName(StringId name) const {
    const auto found = by_name_.find(name.value);
    return found == by_name_.end() ? IdTable::kNone : found->second;
  }
  uint32_t FindById(uint64_t id) const { return by_id_.Find(id); }

  // The body of a fusion, call or async-start; null: it has none in the file.
  const Computation* Body(const Instruction& instruction) const {
    const std::span<const uint32_t> called = Called(instruction);
    return called.empty() || called[0] == IdTable::kNone ? nullptr : &computations_[called[0]];
  }

 private:
  struct Unresolved;
  void ReadModule(std::string_view message, Unresolved& unresolved);
  void ReadComputation(std::string_view message, Unresolved& unresolved);
  void ReadInstruction(std::string_view message, Unresolved& unresolved);
  void ReadSchedule(std::string_view message);
  void Resolve(const Unresolved& unresolved);
  void SumUpBodies();

  StringPool& strings_;
  ShapePool& shapes_;
  std::string_view name_, buffer_assignment_, frame_index_, aliases_;
  std::vector<Instruction> instructions_;
  std::vector<Computation> computations_;
  std::vector<uint32_t> links_;     // operands and called computations
  std::vector<uint32_t> schedule_;  // instructions
  std::unordered_map<uint32_t, uint32_t> by_name_;
  IdTable by_id_, computation_by_id_;
  uint32_t entry_ = IdTable::kNone;
};

// The name of the module alone, without decoding it.
std::string_view ModuleName(std::string_view hlo_proto);

}  // namespace tfprof::xplane
