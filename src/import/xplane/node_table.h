// The nodes of a capture: each made once, found by what it is.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>

#include "import/xplane/capture.h"
#include "import/xplane/names.h"

namespace tfprof::xplane {

// What the stats of an event say about the instruction that it ran.
struct InstructionLookup {
  uint32_t program = Programs::kNone;     // in the file
  uint32_t instruction = IdTable::kNone;  // in the program
  StringId hlo_op;                        // its innermost part; none: the event names no instruction
};

class NodeTable {
 public:
  explicit NodeTable(Capture& capture) : capture_(capture) {}

  uint32_t OfInstruction(uint32_t program, uint32_t instruction);
  uint32_t OfName(NodeKind kind, const OpName& name);

  // Marks the program as one that ran.
  InstructionLookup LookUp(const StatSet& stats);
  InstructionLookup LookUp(const StatSet& stats, std::string_view hlo_op);

  // The node of an event whose instruction the file does not have.
  uint32_t OfUnknownInstruction(const StatSet& stats, const InstructionLookup& lookup);
  // The same for a kernel in a graph, which tells its buffer alone.
  uint32_t OfUnplaced(const StatSet& stats, const InstructionLookup& lookup);

  // Once it is known which programs ran.
  void NameInstructions();

 private:
  std::string_view ModuleOf(const StatSet& stats, const InstructionLookup& lookup) const;

  Capture& capture_;
  std::unordered_map<uint64_t, uint32_t> by_instruction_;
  std::unordered_map<uint32_t, uint32_t> by_name_;
};

}  // namespace tfprof::xplane
