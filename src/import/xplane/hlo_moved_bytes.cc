#include "import/xplane/hlo_moved_bytes.h"

#include <algorithm>
#include <unordered_map>

#include "base/checked.h"
#include "import/xplane/hlo_executions.h"
#include "import/xplane/wire.h"

namespace tfprof::xplane {
namespace {

bool IsPartReader(const Instruction& i) {
  return i.opcode_name == "slice" || i.opcode_name == "dynamic-slice" || i.opcode_name == "gather";
}
bool IsUpdate(const Instruction& i) { return i.opcode_name == "dynamic-update-slice"; }

class Counter {
 public:
  Counter(const HloModule& module, const ShapePool& shapes) : module_(module), shapes_(shapes) {}

  int64_t Of(const Instruction& instruction) {
    if (const Computation* body =
            instruction.opcode == Opcode::kFusion ? module_.Body(instruction) : nullptr) {
      OfFusion(instruction, *body);
    } else if (IsUpdate(instruction)) {
      Add(2, UpdateSize(instruction));
    } else {
      const auto operands = module_.Operands(instruction);
      for (size_t k = 0; k < operands.size(); ++k) {
        if (operands[k] != IdTable::kNone && !(k == 0 && IsPartReader(instruction)))
          Add(1, Size(operands[k]));
      }
      Add(IsPartReader(instruction) ? 2 : 1, ResultSize(instruction));
    }
    return sum_;
  }

 private:
  void Add(int64_t times, int64_t bytes) {
    bool saturated = false;
    sum_ = SaturatingAdd(sum_, SaturatingMul(times, bytes, &saturated), &saturated);
  }
  int64_t Size(uint32_t row) const { return shapes_.ByteSize(module_[row].shape); }
  int64_t ResultSize(const Instruction& i) const {
    // A library call returns its workspace beside the result.
    const auto first = shapes_.FirstArray(i.shape);
    return i.opcode == Opcode::kCustomCall && first ? ShapePool::ByteSize(*first) : shapes_.ByteSize(i.shape);
  }
  int64_t UpdateSize(const Instruction& update) const {
    const auto operands = module_.Operands(update);
    return operands.size() > 1 && operands[1] != IdTable::kNone ? Size(operands[1])
                                                                : shapes_.ByteSize(update.shape);
  }

  // What a body reads of each parameter: the whole of it, unless everything that uses it takes a part.
  void OfFusion(const Instruction& fusion, const Computation& body) {
    std::unordered_map<uint32_t, int64_t> parts;  // parameters: bytes read in parts; kWhole: all of it
    constexpr int64_t kWhole = -1;
    for (uint32_t row = body.begin; row < body.end; ++row) {
      const Instruction& user = module_[row];
      const auto operands = module_.Operands(user);
      for (size_t k = 0; k < operands.size(); ++k) {
        const uint32_t from = Unwrapped(operands[k]);
        if (from == IdTable::kNone || module_[from].opcode != Opcode::kParameter) continue;
        if (user.opcode == Opcode::kBitcast) continue;  // counted where that is used
        int64_t& read = parts.try_emplace(from, 0).first->second;
        bool saturated = false;
        if (k == 0 && IsUpdate(user)) continue;  // only written to
        if (k == 0 && IsPartReader(user) && read != kWhole) {
          read = SaturatingAdd(read, shapes_.ByteSize(user.shape), &saturated);
        } else {
          read = kWhole;
        }
      }
    }
    for (const auto& [parameter, read] : parts) {
      const int64_t whole = Size(parameter);
      Add(1, read == kWhole ? whole : std::min(read, whole));
    }
    Add(1, Written(fusion, body));
  }

  // A result that is its operand updated in place is written in part.
  int64_t Written(const Instruction& fusion, const Computation& body) const {
    const uint32_t root = body.root == IdTable::kNone ? IdTable::kNone : Unwrapped(body.root);
    if (root == IdTable::kNone) return shapes_.ByteSize(fusion.shape);
    if (IsUpdate(module_[root])) return UpdateSize(module_[root]);
    if (module_[root].opcode != Opcode::kTuple) return shapes_.ByteSize(fusion.shape);
    bool saturated = false;
    int64_t sum = 0;
    for (const uint32_t element : module_.Operands(module_[root])) {
      const uint32_t part = Unwrapped(element);
      if (part == IdTable::kNone) continue;
      sum = SaturatingAdd(sum, IsUpdate(module_[part]) ? UpdateSize(module_[part]) : Size(part), &saturated);
    }
    return sum;
  }

  // Through what only says the same bytes in another shape.
  uint32_t Unwrapped(uint32_t row) const {
    for (int i = 0; i < 8 && row != IdTable::kNone && module_[row].opcode == Opcode::kBitcast; ++i) {
      const auto operands = module_.Operands(module_[row]);
      row = operands.empty() ? IdTable::kNone : operands[0];
    }
    return row;
  }

  const HloModule& module_;
  const ShapePool& shapes_;
  int64_t sum_ = 0;
};

}  // namespace

int64_t MovedBytes(const HloModule& module, const ShapePool& shapes, uint32_t row) {
  const Instruction& instruction = module[row];
  switch (instruction.opcode) {
    case Opcode::kNoWork:
    case Opcode::kParameter:
    case Opcode::kTuple:
    case Opcode::kGetTupleElement:
    case Opcode::kBitcast:
      return 0;
    default:
      return RunsComputations(instruction) ? 0 : Counter(module, shapes).Of(instruction);
  }
}

}  // namespace tfprof::xplane
