// Which instruction each kernel of a CUDA graph is: kernels run in the order of the schedule, so the list of
// kernel names is aligned with the list of instructions, best score first.
//
// A kernel that XLA generated is named after its fusion, but an identical fusion elsewhere runs the first
// one's kernel; libraries name theirs as they like, and launch several for one call. So names alone do not
// tell, and order alone does not either. The table of scores is in the source.
//
// Cost: events x instructions, a byte each, of which at most a fixed number in all: what goes beyond (no real
// program does) stays without an instruction.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/sequence_pool.h"
#include "import/xplane/hlo.h"

namespace tfprof::xplane {

// What the names of kernels say about the instructions of one program.
class KernelScores {
 public:
  KernelScores(const HloModule& module, const StringPool& strings);

  // The score of placing an event at an instruction.
  struct Score {
    int8_t score = -1;     // -1: never
    bool further = false;  // the instruction may take further events after it
  };
  // What an event's name says, looked up once.
  struct EventKind {
    std::string_view name;
    bool sets_condition = false, copies = false, fills = false, names_instruction = false;
    std::vector<uint32_t> signatures;  // of the fusions that it is the name of, sorted
  };
  EventKind KindOf(std::string_view event) const;
  Score Of(const EventKind& event, uint32_t instruction) const;
  // How many instructions outside of fused computations are called so, once sanitized.
  size_t Named(std::string_view event) const;

  // "" inside fused computations.
  std::string_view SanitizedName(uint32_t instruction) const { return sanitized_[instruction]; }

 private:
  bool Copies(const Instruction& instruction) const;

  const HloModule& module_;
  std::unordered_map<std::string, std::vector<uint32_t>> by_name_;  // sanitized
  std::vector<std::string> sanitized_;                              // per instruction
  std::vector<uint32_t> signature_;  // per instruction: fusions of one kind and the same shapes share it
  std::vector<bool> copies_;         // per instruction
};

// Cells that may still be looked at, for a whole capture.
using AlignmentBudget = int64_t;
inline constexpr AlignmentBudget kAlignmentBudget = int64_t{1} << 30;

inline constexpr uint32_t kUnplaced = 0xFFFFFFFF;

// Patterns are lists of event names, one per buffer in the order in which the program reaches them. The
// result has for each event its position in `sequence`, or kUnplaced.
std::vector<std::vector<uint32_t>> Align(const KernelScores& scores, std::span<const uint32_t> sequence,
                                         std::span<const std::vector<std::string_view>> patterns,
                                         AlignmentBudget* budget);

}  // namespace tfprof::xplane
