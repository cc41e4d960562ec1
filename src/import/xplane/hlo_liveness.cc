#include "import/xplane/hlo_liveness.h"

#include <algorithm>
#include <limits>

#include "base/checked.h"
#include "base/wide.h"

namespace tfprof::xplane {
namespace {

constexpr int64_t kMostValuesVisited = 1 << 26;  // of values, per program: more is no program but an attack
constexpr uint32_t kAllElements = 0xFFFFFFFF;    // of a tuple: all elements
constexpr size_t kDeepestAtPeak = 64;            // computations in computations at the peak

bool PassesOn(const Instruction& i) {
  return i.opcode == Opcode::kTuple || i.opcode == Opcode::kGetTupleElement || i.opcode == Opcode::kBitcast ||
         i.opcode == Opcode::kWhile || (i.opcode == Opcode::kNoWork && i.opcode_name.ends_with("-done")) ||
         i.opcode_name == "opt-barrier" || i.opcode_name == "add-dependency";
}

// The whole program. A buffer is an element of the result of an instruction that makes something new.
class Liveness {
 public:
  Liveness(const HloModule& module, const ShapePool& shapes, const Executions& executions)
      : module_(module), executions_(executions) {
    const size_t instructions = module.instructions().size();
    place_.assign(instructions, -1);
    stamp_.assign(instructions, 0);
    for (uint32_t i = 0; i < instructions; ++i) {
      first_buffer_.push_back(static_cast<uint32_t>(size_.size()));
      const Instruction& instruction = module[i];
      const bool makes_nothing = PassesOn(instruction) || instruction.opcode == Opcode::kParameter ||
                                 instruction.opcode == Opcode::kNoWork;
      for (const int64_t bytes : shapes.ElementByteSizes(instruction.shape))
        size_.push_back(makes_nothing ? 0 : bytes);
    }
    first_buffer_.push_back(static_cast<uint32_t>(size_.size()));
    last_use_.assign(size_.size(), -1);
    flows_out_.assign(size_.size(), false);
    peaks_.resize(module.computations().size());
  }

  std::optional<SchedulePeak> Run() {
    for (const uint32_t computation : executions_.callees) {
      FindPeak(computation);
      if (visits_ > kMostValuesVisited) return std::nullopt;
    }
    SchedulePeak out;
    out.bytes = peaks_[module_.entry()].bytes;
    uint32_t at = module_.entry();
    for (size_t depth = 0; at != IdTable::kNone && depth < kDeepestAtPeak; ++depth) {
      out.owners.insert(out.owners.end(), peaks_[at].owners.begin(), peaks_[at].owners.end());
      at = peaks_[at].inner;
    }
    return out;
  }

 private:
  struct Peak {
    int64_t bytes = 0;
    uint32_t inner = IdTable::kNone;  // the computation that runs at the peak
    std::vector<OwnedBytes> owners;   // of this computation alone
  };

  // Calls use(buffer) for all that an element of a value, or all of it, consists of.
  template <class Use>
  void ForEachBuffer(uint32_t value, Use&& use) {
    ++round_;
    todo_.assign(1, {value, kAllElements});
    while (!todo_.empty() && ++visits_ <= kMostValuesVisited) {
      const auto [row, element] = todo_.back();
      todo_.pop_back();
      if (row == IdTable::kNone) continue;
      if (element == kAllElements) {
        if (stamp_[row] == round_) continue;
        stamp_[row] = round_;
      }
      const Instruction& instruction = module_[row];
      const auto operands = module_.Operands(instruction);
      if (!PassesOn(instruction)) {
        const uint32_t begin = first_buffer_[row], end = first_buffer_[row + 1];
        if (element != kAllElements && element < end - begin) {
          use(begin + element);
        } else {
          for (uint32_t b = begin; b < end; ++b) use(b);
        }
      } else if (instruction.opcode == Opcode::kTuple) {
        if (element != kAllElements && element < operands.size()) {
          todo_.emplace_back(operands[element], kAllElements);
        } else {
          for (const uint32_t operand : operands) todo_.emplace_back(operand, kAllElements);
        }
      } else if (!operands.empty()) {
        const bool picks = instruction.opcode == Opcode::kGetTupleElement;
        todo_.emplace_back(operands[0], picks ? instruction.number : element);
      }
    }
  }

  // The buffer that the result may take over: that of an operand which is updated, or of the same size.
  void TakeOver(uint32_t row) {
    const Instruction& instruction = module_[row];
    const Computation* body = instruction.opcode == Opcode::kFusion ? module_.Body(instruction) : nullptr;
    const bool updates =
        instruction.opcode_name == "dynamic-update-slice" ||
        (body && body->root != IdTable::kNone && module_[body->root].opcode_name == "dynamic-update-slice");
    if (!updates && instruction.opcode != Opcode::kElementwise) return;
    const uint32_t own = first_buffer_[row];
    if (first_buffer_[row + 1] != own + 1 || size_[own] == 0) return;
    for (const uint32_t operand : module_.Operands(instruction)) {
      uint32_t only = IdTable::kNone, count = 0;
      ForEachBuffer(operand, [&](uint32_t buffer) {
        only = buffer;
        ++count;
      });
      if (count != 1 || only == own || size_[only] != size_[own] || last_use_[only] != place_[row]) continue;
      last_use_[only] = std::max(last_use_[only], last_use_[own]);
      flows_out_[only] = flows_out_[only] || flows_out_[own];
      size_[own] = 0;
      return;
    }
  }

  void FindPeak(uint32_t computation) {
    const Computation& c = module_.computations()[computation];
    std::vector<uint32_t> order;
    module_.ForEachScheduled(c, [&](uint32_t i) {
      if (module_[i].computation != computation || place_[i] >= 0) return;
      place_[i] = static_cast<int64_t>(order.size());
      order.push_back(i);
    });
    for (const uint32_t row : order) {
      for (uint32_t b = first_buffer_[row]; b < first_buffer_[row + 1]; ++b) last_use_[b] = place_[row];
    }
    for (const uint32_t row : order) {
      if (PassesOn(module_[row]) && module_[row].opcode != Opcode::kWhile) continue;
      for (const uint32_t operand : module_.Operands(module_[row]))
        ForEachBuffer(operand, [&](uint32_t b) { last_use_[b] = std::max(last_use_[b], place_[row]); });
    }
    // What leaves is the caller's, or an output of the program.
    if (c.root != IdTable::kNone) ForEachBuffer(c.root, [&](uint32_t b) { flows_out_[b] = true; });
    for (size_t i = order.size(); i-- > 0;) TakeOver(order[i]);
    Sweep(order, peaks_[computation]);
  }

  void Sweep(const std::vector<uint32_t>& order, Peak& peak) {
    std::vector<Wide> freed(order.size() + 1, 0);  // after this place; wide, since what is freed was added
    Wide live = 0;
    int64_t at = -1;
    for (size_t place = 0; place < order.size(); ++place) {
      const uint32_t row = order[place];
      for (uint32_t b = first_buffer_[row]; b < first_buffer_[row + 1]; ++b) {
        if (flows_out_[b]) continue;
        live += size_[b];
        freed[static_cast<size_t>(last_use_[b])] += size_[b];
      }
      uint32_t inner = IdTable::kNone;
      if (RunsComputations(module_[row])) {
        for (const uint32_t callee : module_.Called(module_[row])) {
          if (callee == IdTable::kNone) continue;
          if (inner == IdTable::kNone || peaks_[callee].bytes > peaks_[inner].bytes) inner = callee;
        }
      }
      const Wide whole = live + (inner == IdTable::kNone ? 0 : peaks_[inner].bytes);
      const auto now = static_cast<int64_t>(std::min<Wide>(whole, std::numeric_limits<int64_t>::max()));
      if (now > peak.bytes) {
        peak.bytes = now;
        peak.inner = inner;
        at = static_cast<int64_t>(place);
      }
      live -= freed[place];
    }
    for (int64_t place = 0; place <= at; ++place) {
      const uint32_t row = order[static_cast<size_t>(place)];
      int64_t held = 0;
      for (uint32_t b = first_buffer_[row]; b < first_buffer_[row + 1]; ++b) {
        if (!flows_out_[b] && last_use_[b] >= at) held = SaturatingAdd(held, size_[b]);
      }
      if (held > 0) peak.owners.push_back({row, held});
    }
  }

  const HloModule& module_;
  const Executions& executions_;
  std::vector<uint32_t> first_buffer_;  // per instruction, and the end
  std::vector<int64_t> size_, last_use_;
  std::vector<bool> flows_out_;
  std::vector<int64_t> place_;  // per instruction, in its computation's order; -1: not in it
  std::vector<Peak> peaks_;
  std::vector<uint64_t> stamp_;
  uint64_t round_ = 0;
  int64_t visits_ = 0;
  std::vector<std::pair<uint32_t, uint32_t>> todo_;  // instruction, element
};

}  // namespace

std::optional<SchedulePeak> PeakOfSchedule(const HloModule& module, const ShapePool& shapes,
                                           const Executions& executions) {
  if (!module.is_scheduled()) return std::nullopt;
  return Liveness(module, shapes, executions).Run();
}

}  // namespace tfprof::xplane
