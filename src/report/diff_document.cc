// A comparison. Text that equals that of TensorFlow's script has its own writer.
#include "base/options_table.h"
#include "base/units.h"
#include "report/diff_words.h"
#include "report/documents.h"

namespace tfprof {
namespace {

Block Inputs(const Comparison& c) {
  return ForPrograms("inputs", TableOf(Ids("name", "source", "files", "steps", "warm_up_steps"), c.inputs,
                                       [](const ComparedInput& input, RowCells& out) {
                                         out.Add(cell::Text(input.name), cell::Text(input.source),
                                                 cell::Texts(input.files), cell::Dims(input.steps.counted),
                                                 cell::Dims(input.steps.warm_up));
                                       }));
}

Block About(const Report& report) {
  const Comparison& c = *report.comparison;
  return Fields({{"view", cell::Text(ViewName(report.view))},
                 {"figures", cell::List(c.figures.size(),
                                        [&c](size_t i) { return cell::Text(ColumnName(c.figures[i])); })},
                 {"difference", cell::Text(DifferenceFormula(c, "figure", "-"))},
                 {"growth", cell::Text(fmt::format("figure({}) - figure({})", c.inputs.back().name,
                                                   c.inputs.front().name))},
                 {"rows_compared", cell::Count(c.rows_compared)},
                 {"rows_left_out", cell::Count(report.left_out.rows)}});
}

Block DiffOptions(const Options& options) {
  Block out = OptionsBlock(
      options, {"step", "account_type_regexes", "node_names", "hide_nodes", "rename", "match_renames"});
  Facts& facts = std::get<Facts>(out.body);
  facts.insert(facts.begin(),
               {{"min_size", "", cell::Bytes(options.min_size)}, {"delta", "", cell::Real(options.delta)}});
  const bool limited = options.max_depth_chosen && options.max_depth > 0;
  facts.push_back({"max_depth", "", limited ? cell::Count(options.max_depth) : cell::Missing()});
  return out;
}

Cell Breaks(const std::vector<LimitBreak>& breaks) {
  return cell::List(breaks.size(), [&breaks](size_t i) {
    const LimitBreak& b = breaks[i];
    return cell::Object({{"name", cell::Text(b.row)},
                         {"before", b.was_missing ? cell::Missing() : cell::Plain(b.before)},
                         {"after", cell::Plain(b.after)}});
  });
}

Block Limits(const Comparison& c) {
  return {"limits", "Limits",
          TableOf(Heads(Code("limit", "limit"), Left("broken", ""), Left("rows_checked", ""),
                        Left("broken_by", ""), Left("within_noise", ""), Left("", "outcome")),
                  c.limits, [](const LimitOutcome& limit, RowCells& out) {
                    const size_t breaks = limit.broken_by.size();
                    std::string outcome =
                        breaks == 0 ? "✅ holds" : "❌ broken by " + DescribeBreak(limit, limit.broken_by[0]);
                    if (breaks > 1) outcome += fmt::format(" and {} more", breaks - 1);
                    out.Add(cell::Text(limit.text), cell::Flag(breaks > 0), cell::Count(limit.checked),
                            Breaks(limit.broken_by), Breaks(limit.in_noise), cell::Text(std::move(outcome)));
                  })};
}

// --- rows

Cell Values(std::span<const ComparedCell> cells, int64_t ComparedCell::*member) {
  return cell::List(cells.size(), [cells, member](size_t i) {
    return cells[i].known ? cell::Plain(cells[i].*member) : cell::Missing();
  });
}

Cell FigureFields(const Comparison& c, size_t r, size_t f) {
  Cell::Fields fields = {{"own", Values(c.Cells(r, f), &ComparedCell::own)},
                         {"total", Values(c.Cells(r, f), &ComparedCell::total)},
                         {"own_difference", cell::Plain(c.OwnDifference(r, f))},
                         {"difference", cell::Plain(c.Difference(r, f))},
                         {"ratio", cell::Real(c.Ratio(r, f))}};
  if (const Spread* spread = SpreadOf(c, r, f)) {
    fields.emplace_back("spread", cell::Plain(spread->value));
    fields.emplace_back("significant", cell::Flag(spread->significant));
  }
  return cell::Object(std::move(fields));
}

// Names that the row has in single inputs.
Cell Was(const Comparison& c, size_t r) {
  Cell::Fields fields;
  for (size_t i = 0; i < c.inputs.size(); ++i) {
    const std::string_view was = c.was[r * c.inputs.size() + i];
    if (!was.empty()) fields.emplace_back(c.inputs[i].name, cell::Text(was));
  }
  return fields.empty() ? Cell() : cell::Object(std::move(fields));
}

Table TreeOf(const Report& report) {
  return {Ids("name", "status", "was", "figures"),
          report.rows.size(),
          [&report, &c = *report.comparison](size_t r, RowCells& out) {
            Cell::Fields figures;
            for (size_t f = 0; f < c.figures.size(); ++f)
              figures.emplace_back(std::string(ColumnName(c.figures[f])), FigureFields(c, r, f));
            out.Add(cell::Text(report.rows[r].name), cell::Text(RowStatusName(c.status[r])), Was(c, r),
                    cell::Object(std::move(figures)));
          },
          0,
          SIZE_MAX,
          "rows",
          [&report](size_t r) { return report.rows[r].depth; }};
}

Cell Brief(const Comparison& c, size_t r, size_t f, size_t input) {
  const ComparedCell& compared = c.Cells(r, f)[input];
  if (!c.Present(r, input)) return {};
  if (!compared.known) return cell::Missing();
  return cell::Plain(compared.total).Says(FormatBrief(UnitOf(c.figures[f]), compared.total));
}

Table ReadableRows(const Report& report) {
  const Comparison& c = *report.comparison;
  Table table{Heads(Code("", "name")), report.rows.size()};
  for (const ColumnId figure : c.figures) {
    const std::string_view name = ColumnName(figure);
    for (const ComparedInput& input : c.inputs)
      table.columns.push_back(Right("", fmt::format("{} {}", name, input.name)));
    table.columns.push_back(Right("", fmt::format("{} difference", name)));
    table.columns.push_back(Right("", "ratio"));
  }
  table.fill = [&report, &c](size_t r, RowCells& out) {
    const bool one_sided = c.status[r] == RowStatus::kAdded || c.status[r] == RowStatus::kRemoved;
    const std::string_view name = report.rows[r].name;
    out.Add((one_sided && !c.of_scope_files
                 ? cell::Text(fmt::format("{} ({})", name, RowStatusName(c.status[r])))
                 : cell::Text(name))
                .Indented(report.rows[r].depth));
    for (size_t f = 0; f < c.figures.size(); ++f) {
      for (size_t i = 0; i < c.inputs.size(); ++i) out.Add(Brief(c, r, f, i));
      const Unit unit = UnitOf(c.figures[f]);
      std::string difference = FormatBriefSigned(unit, c.Difference(r, f));
      if (const Spread* spread = SpreadOf(c, r, f))
        difference +=
            fmt::format(" ± {}{}", FormatBrief(unit, spread->value), spread->significant ? "" : " (noise)");
      const std::optional<double> ratio = c.Ratio(r, f);
      out.Add(cell::Plain(c.Difference(r, f)).Says(std::move(difference)),
              ratio ? cell::Text(fmt::format("x{:.2f}", *ratio)) : Cell());
    }
  };
  return table;
}

Table ExactRows(const Report& report) {
  const Comparison& c = *report.comparison;
  Table table{Ids("path", "depth", "status"), report.rows.size()};
  const auto add = [&table](std::string id) { table.columns.push_back({std::move(id), ""}); };
  for (const ColumnId figure : c.figures) {
    const std::string_view name = ColumnName(figure);
    for (const ComparedInput& input : c.inputs) {
      add(fmt::format("{}_{}", name, input.name));
      add(fmt::format("total_{}_{}", name, input.name));
    }
    add(fmt::format("{}_difference", name));
    add(fmt::format("total_{}_difference", name));
    add(fmt::format("total_{}_ratio", name));
    if (c.spreads.empty()) continue;
    add(fmt::format("total_{}_spread", name));
    add(fmt::format("total_{}_significant", name));
  }
  table.fill = [&report, &c](size_t r, RowCells& out) {
    out.Add(cell::Text(report.rows[r].name), cell::Plain(report.rows[r].depth),
            cell::Text(RowStatusName(c.status[r])));
    for (size_t f = 0; f < c.figures.size(); ++f) {
      for (const ComparedCell& compared : c.Cells(r, f)) {
        out.Add(compared.known ? cell::Plain(compared.own) : Cell(),
                compared.known ? cell::Plain(compared.total) : Cell());
      }
      out.Add(cell::Plain(c.OwnDifference(r, f)), cell::Plain(c.Difference(r, f)), cell::Real(c.Ratio(r, f)));
      if (c.spreads.empty()) continue;
      const Spread* spread = SpreadOf(c, r, f);
      out.Add(spread ? cell::Plain(spread->value) : Cell(),
              spread ? cell::Flag(spread->significant) : Cell());
    }
  };
  return table;
}

void Renames(const Comparison& c, Document& out) {
  out.Add(ForPrograms("renames", TableOf(Ids("input", "from", "to", "rows", "reason"), c.renames,
                                         [&c](const FoundRename& rename, RowCells& row) {
                                           row.Add(cell::Text(c.inputs[rename.input].name),
                                                   cell::Text(rename.from), cell::Text(rename.to),
                                                   cell::Count(rename.nodes), cell::Text(rename.reason));
                                         })));
  const auto words = [&c](size_t i, Problems&) { return RenameWords(c, c.renames[i]); };
  out.Add(ForPeople("Renamed", Prose{c.renames.size(), words}));
}

}  // namespace

Document DiffDocument(std::shared_ptr<const Report> made) {
  const Report& report = *made;
  const Comparison& c = *report.comparison;
  Document out;
  out.title = "Comparison";
  for (const ComparedInput& input : c.inputs)
    out.inputs.push_back({fmt::format("{} ({})", input.source, input.name), ""});
  out.warnings = report.warnings;
  out.blocks = {Inputs(c), About(report), DiffOptions(report.options)};
  out.Add(ForPeople("", ProseOf(fmt::format("{}; differences are {}", InputWords(c),
                                            DifferenceFormula(c, "figure", "-")))));
  out.Add(Limits(c));
  out.Add(ForPrograms("root", TreeOf(report)));
  out.Add(ForPeople("", ReadableRows(report),
                    fmt::format("No {} with {} differ by more than {}.", RowsWord(report.view),
                                MinimumWords(report), FormatPercent(report.options.delta))));
  Renames(c, out);
  out.csv = ExactRows(report);
  out.keeps = made;
  out.view = std::move(made);
  return out;
}

}  // namespace tfprof
