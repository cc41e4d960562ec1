#include "import/xplane/node_table.h"

namespace tfprof::xplane {

uint32_t NodeTable::OfInstruction(uint32_t program, uint32_t instruction) {
  const auto [known, fresh] = by_instruction_.try_emplace(uint64_t{program} << 32 | instruction,
                                                          static_cast<uint32_t>(capture_.nodes.size()));
  if (fresh) {
    CaptureNode& node = capture_.nodes.emplace_back();
    node.kind = NodeKind::kInstruction;
    node.program = program;
    node.instruction = instruction;
  }
  return known->second;
}

uint32_t NodeTable::OfName(NodeKind kind, const OpName& name) {
  const StringId id = capture_.strings->InternCopy(name.name);
  const auto [known, fresh] = by_name_.try_emplace(id.value, static_cast<uint32_t>(capture_.nodes.size()));
  if (fresh) {
    CaptureNode& node = capture_.nodes.emplace_back();
    node.kind = kind;
    node.name = id;
    node.type = capture_.strings->InternCopy(name.type);
  }
  return known->second;
}

InstructionLookup NodeTable::LookUp(const StatSet& stats) {
  return LookUp(stats, InnermostHloOp(stats.Text(Stat::kHloOp)));
}

InstructionLookup NodeTable::LookUp(const StatSet& stats, std::string_view hlo_op) {
  InstructionLookup lookup;
  if (const auto id = stats.Integer(Stat::kProgramId)) {
    lookup.program = capture_.programs.Find(*id);
    if (lookup.program != Programs::kNone) capture_.programs[lookup.program].ran = true;
  }
  if (hlo_op.empty()) return lookup;
  lookup.hlo_op = capture_.strings->Intern(hlo_op);
  if (lookup.program != Programs::kNone) {
    lookup.instruction = capture_.programs.Module(lookup.program).FindByName(lookup.hlo_op);
  }
  return lookup;
}

std::string_view NodeTable::ModuleOf(const StatSet& stats, const InstructionLookup& lookup) const {
  const std::string_view told = stats.Text(Stat::kHloModule);
  if (!told.empty() || lookup.program == Programs::kNone) return told;
  return capture_.programs[lookup.program].name;
}

uint32_t NodeTable::OfUnknownInstruction(const StatSet& stats, const InstructionLookup& lookup) {
  return OfName(NodeKind::kUnknownInstruction,
                UnknownInstruction(stats.Text(Stat::kPrefix), stats.Text(Stat::kName),
                                   ModuleOf(stats, lookup), (*capture_.strings)[lookup.hlo_op]));
}

uint32_t NodeTable::OfUnplaced(const StatSet& stats, const InstructionLookup& lookup) {
  return OfName(NodeKind::kUnknownInstruction,
                UnknownInstruction({}, {}, ModuleOf(stats, lookup), (*capture_.strings)[lookup.hlo_op]));
}

void NodeTable::NameInstructions() {
  for (CaptureNode& node : capture_.nodes) {
    if (node.kind != NodeKind::kInstruction) continue;
    const Program& program = capture_.programs[node.program];
    const Instruction& instruction = (*program.module)[node.instruction];
    const auto id = program.shares_name ? std::optional(program.id) : std::nullopt;
    const OpName name =
        InstructionNode(*program.module, instruction, (*capture_.strings)[instruction.name], id);
    node.name = capture_.strings->InternCopy(name.name);
    node.type = capture_.strings->InternCopy(name.type);
  }
}

}  // namespace tfprof::xplane
