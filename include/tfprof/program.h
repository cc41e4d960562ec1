// What a compiled program (XLA's HLO) takes, before anything ran: memory at its worst moment and whose it is,
// float ops, bytes moved. Plain data; `tfprof model FILE` shows it (docs/models.md says how to read it).
//
// Figures of one execution of the program. A loop's body counts as often as the compiler knows that it runs;
// where it does not know, once, and `unknown_loops` says so.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tfprof {

// What the memory figures rest on.
enum class ProgramEvidence : uint8_t {
  kAssigned,   // the compiler's buffer assignment: exact
  kScheduled,  // how long values live in the order of the schedule: more than the compiler may need
  kShapes,     // neither is in the file: arguments and results alone
};
inline constexpr std::array<std::string_view, 3> kProgramEvidenceNames = {"assigned", "scheduled", "shapes"};

struct ProgramTensor {
  std::string name, shape;  // "params[0]", "f32[256,16]"
  int64_t bytes = 0;
  bool donated = false;  // an argument whose memory a result takes over
};

// Temporary memory of one instruction at the peak.
struct ProgramOwner {
  std::string name;
  int64_t bytes = 0;
};

struct ProgramMemoryPlan {
  ProgramEvidence evidence = ProgramEvidence::kShapes;
  int64_t argument_bytes = 0;
  int64_t output_bytes = 0;   // less those in donated arguments
  int64_t donated_bytes = 0;  // of arguments whose memory results take over
  int64_t constant_bytes = 0;
  std::optional<int64_t> temp_bytes, peak_bytes;  // peak = all four; none: not known
  // What a device of so many bytes has left at the peak, below 0: lacks. None: the peak is not known.
  std::optional<int64_t> Room(int64_t device_bytes) const {
    return peak_bytes ? std::optional(device_bytes - *peak_bytes) : std::nullopt;
  }
  ProgramEvidence owners_evidence = ProgramEvidence::kShapes;
  std::vector<ProgramOwner> owners;  // of temporary memory at the peak, largest first
};

struct ProgramInstruction {
  std::string name, op, opcode, shape;
  int64_t times = 1;                 // executions; 0: in a computation that nothing calls
  std::optional<int64_t> float_ops;  // of all executions; none: not known
  int64_t moved_bytes = 0, output_bytes = 0;
};

struct ProgramOp {
  std::string op;
  int64_t instructions = 0, float_ops = 0, moved_bytes = 0;
};

struct ProgramReport {
  std::string name, form;  // HloProto, HloModuleProto
  bool scheduled = false;
  std::vector<ProgramTensor> arguments, results;
  ProgramMemoryPlan memory;
  int64_t float_ops = 0;       // of those that are known
  int64_t float_ops_once = 0;  // the same with every loop body once and without library calls, as XLA counts
  int64_t moved_bytes = 0;
  int64_t unknown = 0;  // instructions without a number of float ops
  int64_t loops = 0, unknown_loops = 0, conditionals = 0;
  std::vector<ProgramOp> ops;  // by op type, most float ops first
  std::vector<ProgramInstruction> instructions;
};

}  // namespace tfprof
