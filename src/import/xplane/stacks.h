// Call stacks of a program: HLO's index of frames, turned into stacks that share their outer part.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "import/xplane/hlo.h"

namespace tfprof::xplane {

// One line of code. An empty function: not recorded.
struct CodeLine {
  std::string_view file, function;
  int32_t line = 0;
};

// A stack is its innermost line and the stack that called it.
struct CodeStack {
  static constexpr uint32_t kNone = 0xFFFFFFFF;

  uint32_t caller = kNone;
  CodeLine line;
};

class FrameIndex {
 public:
  explicit FrameIndex(std::string_view message);

  // Row of stacks() for a frame id (1-based); kNone for 0, ids that lead nowhere and frames without a place.
  uint32_t StackOf(uint32_t frame) const {
    return frame < stack_of_frame_.size() ? stack_of_frame_[frame] : CodeStack::kNone;
  }
  std::span<const CodeStack> stacks() const { return stacks_; }

 private:
  std::vector<uint32_t> stack_of_frame_;
  std::vector<CodeStack> stacks_;
};

// Which instruction's place stands for this one: itself, or for a fusion without one its root, or else the
// last instruction in its body that has one. kNone: no place is known.
uint32_t PlacedInstruction(const HloModule& module, uint32_t instruction);

// The lines of a TPU's `source_stack`, outermost first; `source` alone when there is none.
std::vector<CodeLine> ParseSourceStack(std::string_view source_stack, std::string_view source);

}  // namespace tfprof::xplane
