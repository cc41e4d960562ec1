// What a compiled program takes, as a Document: the model report of an HLO file.
#include <algorithm>

#include "base/units.h"
#include "report/documents.h"

namespace tfprof {
namespace {

constexpr size_t kTopOpsOfProgram = 12, kTensors = 10;

std::string_view EvidenceName(ProgramEvidence evidence) {
  return kProgramEvidenceNames[static_cast<size_t>(evidence)];
}

std::string EvidenceText(const ProgramMemoryPlan& m) {
  switch (m.evidence) {
    case ProgramEvidence::kAssigned:
      return "by the compiler's buffer assignment";
    case ProgramEvidence::kScheduled:
      return "the file has no buffer assignment: temporaries by how long values live in the schedule, at "
             "most so much (a dump of --xla_dump_hlo_as_proto has the assignment)";
    case ProgramEvidence::kShapes:
      break;
  }
  return "the file has neither a buffer assignment nor a schedule: temporaries are not known (dump the "
         "program "
         "after optimizations)";
}

// Does it fit?
Fact Fits(const ProgramMemoryPlan& m, int64_t device_bytes) {
  const std::optional<int64_t> room = m.Room(device_bytes);
  const bool fits = room && *room >= 0;
  const bool at_most = m.evidence == ProgramEvidence::kScheduled;
  std::string words = "not known: temporaries are not";
  if (fits) words = fmt::format("yes, with {} to spare", SizeText(*room));
  if (room && !fits)
    words = fmt::format("{}, {} {}too much", at_most ? "perhaps not" : "no", SizeText(-*room),
                        at_most ? "at most " : "");
  return {"fits", fmt::format("fits into {}", SizeText(device_bytes)),
          room ? cell::Flag(fits).Says(std::move(words)) : cell::Missing().Says(std::move(words))};
}

Block Memory(const ModelReport& report, const ProgramReport& p) {
  const ProgramMemoryPlan& m = p.memory;
  const std::string donated =
      m.donated_bytes > 0 ? fmt::format("({} of them hold results at the end)", SizeText(m.donated_bytes))
                          : "";
  Facts facts = {
      {"evidence", "", cell::Text(EvidenceName(m.evidence))},
      {"argument_bytes", "arguments", Size(m.argument_bytes), donated},
      {"donated_bytes", "", cell::Bytes(m.donated_bytes)},
      {"output_bytes", "outputs", Size(m.output_bytes), m.donated_bytes > 0 ? "besides" : ""},
      {"constant_bytes", "constants", Size(m.constant_bytes)},
      {"temp_bytes", "temporaries", Size(m.temp_bytes)},
      {"peak_bytes", "peak", Size(m.peak_bytes), m.evidence == ProgramEvidence::kScheduled ? "at most" : ""}};
  if (const int64_t device = report.options.device_memory; device > 0) {
    facts.push_back({"device_bytes", "", cell::Bytes(device)});
    facts.push_back({"room_bytes", "", cell::Bytes(m.Room(device))});
    facts.push_back(Fits(m, device));
  }
  Group group;
  group.blocks.push_back({"memory", "", std::move(facts)});
  group.blocks.push_back({"", "", ProseOf(EvidenceText(m)), kForPeople});
  return {"", "memory of one execution", std::move(group)};
}

Block Owners(const ModelReport& report, const ProgramReport& p) {
  const int64_t whole = p.memory.temp_bytes.value_or(0);
  Table table = TableOf({{"name", "temporaries at the peak", Look::kCode, 80},
                         {"bytes", "bytes", kRight},
                         {"share", "share", kRight},
                         {"", "", Look::kBar}},
                        p.memory.owners, [whole](const ProgramOwner& owner, RowCells& out) {
                          out.Add(cell::Text(owner.name), cell::Bytes(owner.bytes),
                                  cell::ShareOf(owner.bytes, whole), cell::ShareOf(owner.bytes, whole));
                        });
  table.most = report.options.top > 0 ? static_cast<size_t>(report.options.top) : SIZE_MAX;
  table.rest = "instructions: -top 0 shows all";
  return {"temp_rows", "", std::move(table)};
}

Block Tensors(const std::vector<ProgramTensor>& tensors, const char* id, const char* title) {
  std::vector<size_t> order(tensors.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return tensors[a].bytes > tensors[b].bytes; });
  Table table{{{"name", title, Look::kCode, 60},
               {"shape", "shape"},
               {"bytes", "bytes", kRight},
               {"donated", "donated"}},
              tensors.size(),
              [&tensors, order](size_t r, RowCells& out) {
                const ProgramTensor& t = tensors[order[r]];
                out.Add(cell::Text(t.name), cell::Text(t.shape), cell::Bytes(t.bytes),
                        cell::Flag(t.donated).Says(t.donated ? "yes" : ""));
              }};
  table.most = kTensors;
  table.rest = title;
  return {id, "", std::move(table)};
}

Block FloatOps(const ProgramReport& p) {
  const std::string at_least = p.unknown > 0 || p.unknown_loops > 0 ? "at least " : "";
  const bool loops = p.float_ops_once != p.float_ops;
  std::map<std::string, int64_t> unknown;
  for (const ProgramInstruction& i : p.instructions) {
    if (!i.float_ops) ++unknown[i.op];
  }
  Cell::Fields by_op, not_counted, why;
  for (const ProgramOp& op : p.ops) by_op.emplace_back(op.op, cell::Count(op.float_ops));
  for (const auto& [op, count] : unknown) not_counted.emplace_back(op, cell::Count(count));
  if (p.unknown > 0) why.emplace_back("a library call without a rule", cell::Count(p.unknown));
  Facts facts = {{"total", "float ops", cell::Count(p.float_ops).Says(at_least + FormatGrouped(p.float_ops))},
                 {"once", loops ? "  as XLA counts" : "", cell::Count(p.float_ops_once),
                  "(each loop body once, no library calls)"},
                 {"moved_bytes", "  bytes moved", Size(p.moved_bytes)}};
  if (p.moved_bytes > 0) {
    facts.push_back(
        {"", "  intensity",
         cell::Text(fmt::format("{:.2f} float ops per byte",
                                static_cast<double>(p.float_ops) / static_cast<double>(p.moved_bytes)))});
  }
  if (p.unknown > 0) {
    facts.push_back({"", "  not counted", cell::Count(p.unknown), "library calls"});
  }
  facts.insert(facts.end(), {{"by_op", "", cell::Object(std::move(by_op))},
                             {"loops", p.loops > 0 ? "loops" : "", cell::Count(p.loops),
                              p.unknown_loops > 0 ? fmt::format("({} of unknown length: counted once)",
                                                                FormatGrouped(p.unknown_loops))
                                                  : "(each as often as it runs)"},
                             {"unknown_loops", "", cell::Count(p.unknown_loops)},
                             {"conditionals", p.conditionals > 0 ? "conditionals" : "",
                              cell::Count(p.conditionals), "(all branches are counted)"},
                             {"not_counted", "", cell::Count(p.unknown)},
                             {"not_counted_by_op", "", cell::Object(std::move(not_counted))},
                             {"not_counted_by_reason", "", cell::Object(std::move(why))}});
  return {"float_ops", "", std::move(facts)};
}

Block Ops(const ProgramReport& p) {
  Table table = TableOf({{"", "op type"},
                         {"", "instructions", kRight},
                         {"", "float ops", kRight},
                         {"", "share", kRight},
                         {"", "bytes moved", kRight},
                         {"", "share", kRight}},
                        p.ops, [&p](const ProgramOp& op, RowCells& row) {
                          row.Add(cell::Text(op.op), cell::Count(op.instructions), cell::Count(op.float_ops),
                                  p.float_ops > 0 ? cell::ShareOf(op.float_ops, p.float_ops) : Cell(),
                                  Size(op.moved_bytes),
                                  p.moved_bytes > 0 ? cell::ShareOf(op.moved_bytes, p.moved_bytes) : Cell());
                        });
  table.most = kTopOpsOfProgram;
  table.rest = "op types";
  return {"", "", std::move(table), kForPeople};
}

Table Instructions(const ProgramReport& p) {
  return TableOf({{"name", ""},
                  {"op", ""},
                  {"opcode", ""},
                  {"shape", ""},
                  {"times", ""},
                  {"float_ops", ""},
                  {"moved_bytes", ""},
                  {"output_bytes", ""}},
                 p.instructions, [](const ProgramInstruction& i, RowCells& row) {
                   row.Add(cell::Text(i.name), cell::Text(i.op), cell::Text(i.opcode), cell::Text(i.shape),
                           cell::Count(i.times), cell::Count(i.float_ops), cell::Bytes(i.moved_bytes),
                           cell::Bytes(i.output_bytes));
                 });
}

}  // namespace

Document ProgramDocument(ModelReport made) {
  Document out;
  const ModelReport& report = Keep(std::move(made), out);
  const ProgramReport& p = *report.program;
  out.title = "Compiled program";
  out.inputs = InputsOf({report.path});
  out.warnings = report.warnings;
  out.blocks.push_back(OptionsBlock(report.options, {"names", "top", "device_memory"}));
  out.blocks.push_back({"", "",
                        Facts{{"format", "", cell::Text(p.form)},
                              {"program", "", cell::Text(p.name)},
                              {"scheduled", "", cell::Flag(p.scheduled)}},
                        kInJson});
  out.blocks.push_back({"", "",
                        ProseOf(fmt::format("{} ({}{}, program {})", report.path, p.form,
                                            p.scheduled ? "" : ", not scheduled", p.name)),
                        kForPeople});
  out.blocks.push_back(Memory(report, p));
  out.blocks.push_back(Owners(report, p));
  out.blocks.push_back(Tensors(p.arguments, "arguments", "arguments"));
  out.blocks.push_back(Tensors(p.results, "results", "results"));
  out.blocks.push_back(FloatOps(p));
  out.blocks.push_back(Ops(p));
  out.blocks.push_back({"notes", "", ProseOf(report.notes), kInJson});
  out.blocks.push_back({"instructions", "", Instructions(p), kInJson});
  out.csv = Instructions(p);
  return out;
}

}  // namespace tfprof
