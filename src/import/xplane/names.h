// What nodes of a capture are called, and of which type they are: the rules of the XPlane inputs in one
// place.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "import/xplane/hlo.h"

namespace tfprof::xplane {

struct OpName {
  std::string name, type;
};

// Bytes that are no UTF-8 as U+FFFD, each.
std::string CleanText(std::string_view text);

// The framework op of an instruction: its own op_name, for a fusion, call or async-start else that of its
// body;
// "" when neither has one.
std::string_view FrameworkOp(const HloModule& module, const Instruction& instruction);

// OP_NAME/INSTRUCTION and its type. `label` is the instruction's name, with the program's id where two
// programs of one name ran.
OpName InstructionNode(const HloModule& module, const Instruction& instruction,
                       std::string_view instruction_name, std::optional<uint64_t> program_id);

// The type in a framework op's name: its last part that is not empty, cut at `[`, less a trailing _DIGITS.
std::string_view TypeInName(std::string_view op_name);

// A host event named NAME:TYPE, or a tf.data iterator; none: it is no op.
std::optional<OpName> HostOp(std::string_view event_name);

// A device or XLA:CPU event with an instruction that is not in the file.
OpName UnknownInstruction(std::string_view prefix, std::string_view name, std::string_view module,
                          std::string_view hlo_op);

// A GPU event of a framework op that no compiler made: `tf_op` = NAME:TYPE.
std::optional<OpName> FrameworkGpuOp(std::string_view tf_op);

// An op of a TPU without HLO: `tf_op` = NAME: or NAME:TYPE, and the instruction.
OpName TpuOp(std::string_view tf_op, std::string_view module, std::string_view instruction);

// A copy, fill or kernel that no op owns.
OpName BareCopy(std::string_view event_name, bool is_fill);
OpName BareKernel(std::string_view event_name);

// The instruction in the name of a TPU's event: what is before ` = `, less `%`.
std::string_view TpuInstruction(std::string_view event_name);

// The innermost part of an `hlo_op` that is a nest joined by `::`.
std::string_view InnermostHloOp(std::string_view hlo_op);

// `prefix` of "... Execute (MODULE)": the module; "" when the event is no execution.
std::string_view ExecutedModule(std::string_view event_name);

bool IsCopyName(std::string_view event_name);  // Memcpy*, Memset*
bool IsFillName(std::string_view event_name);  // Memset*

// `size:N` or `num_bytes:N` in the details of a copy, separated by spaces or newlines; none: not there.
std::optional<int64_t> CopiedBytes(std::string_view details);

}  // namespace tfprof::xplane
