#include "import/xplane/instruction_sequence.h"

#include <algorithm>

namespace tfprof::xplane {
namespace {

constexpr size_t kMostEntries = 1 << 20;
constexpr int64_t kMostCallsVisited = 1
                                      << 23;  // calls of calls of nothing can be many without making an entry

bool LaunchesNothing(Opcode opcode) {
  return opcode == Opcode::kNoWork || opcode == Opcode::kParameter || opcode == Opcode::kTuple ||
         opcode == Opcode::kGetTupleElement || opcode == Opcode::kBitcast;
}

struct Place {
  uint32_t computation;
  std::vector<uint32_t> order;
  size_t next = 0;
};

class Walk {
 public:
  explicit Walk(const HloModule& module) : module_(module), open_(module.computations().size(), false) {}

  std::vector<uint32_t> Run(uint32_t computation, int64_t* budget) {
    Enter(computation);
    while (!path_.empty() && sequence_.size() < kMostEntries &&
           visits_ < std::min(kMostCallsVisited, *budget)) {
      Place& here = path_.back();
      if (here.next == here.order.size()) {
        open_[here.computation] = false;
        path_.pop_back();
        continue;
      }
      Visit(here.order[here.next++]);
    }
    *budget -= std::min(*budget, visits_);
    return std::move(sequence_);
  }

 private:
  void Enter(uint32_t computation) {
    if (computation == IdTable::kNone || open_[computation]) return;
    open_[computation] = true;
    Place place{computation, {}, 0};
    const Computation& body = module_.computations()[computation];
    module_.ForEachScheduled(body, [&](uint32_t i) {
      if (!LaunchesNothing(module_[i].opcode)) place.order.push_back(i);
    });
    visits_ += body.end - body.begin + 1;
    path_.push_back(std::move(place));
  }

  void Visit(uint32_t row) {
    const Instruction& instruction = module_[row];
    const std::span<const uint32_t> called = module_.Called(instruction);
    // What is entered last runs first.
    switch (instruction.opcode) {
      case Opcode::kWhile:  // body, condition
        for (size_t i = 0; i < std::min<size_t>(2, called.size()); ++i) Enter(called[i]);
        break;
      case Opcode::kConditional:
        sequence_.push_back(row);
        [[fallthrough]];
      case Opcode::kCall:
      case Opcode::kAsyncStart:
        for (size_t i = called.size(); i-- > 0;) Enter(called[i]);
        break;
      default:
        sequence_.push_back(row);
    }
  }

  const HloModule& module_;
  std::vector<bool> open_;
  std::vector<Place> path_;
  std::vector<uint32_t> sequence_;
  int64_t visits_ = 0;
};

}  // namespace

std::vector<uint32_t> InstructionSequence(const HloModule& module, uint32_t computation, int64_t* budget) {
  return Walk(module).Run(computation, budget);
}

}  // namespace tfprof::xplane
