// Each report kind as a Document, in a file of its own. They take the report over and keep it.
#pragma once

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "report/document.h"
#include "tfprof/advise.h"
#include "tfprof/checkpoint_report.h"
#include "tfprof/history.h"
#include "tfprof/info.h"
#include "tfprof/kernels.h"
#include "tfprof/memory.h"
#include "tfprof/model.h"
#include "tfprof/oom.h"
#include "tfprof/report.h"
#include "tfprof/steps.h"
#include "tfprof/summary.h"

namespace tfprof {

Document InfoDocument(ProfileInfo info);
Document RunsDocument(RunList list);
Document SummaryDocument(Summary summary,
                         const std::string& inputs);  // the inputs as they were given, for hints
Document AdviceDocument(Advice advice);
Document MemoryDocument(MemoryReport report);
Document LiveMemoryDocument(MemoryReport report);  // of a memory profile
Document KernelsDocument(KernelReport report);
Document StepsDocument(StepsReport report);
Document ModelDocument(ModelReport model);
Document ProgramDocument(ModelReport model);  // of a compiled program
Document OomDocument(OomReport report);
Document HistoryDocument(HistoryReport report);
Document CheckpointDocument(CheckpointReport report);
Document ViewDocument(std::shared_ptr<const Report> report);
Document DiffDocument(std::shared_ptr<const Report> report);

// --- what several of them need

// The report, kept by the Document.
template <class T>
const T& Keep(T report, Document& document) {
  auto kept = std::make_shared<const T>(std::move(report));
  document.keeps = kept;
  return *kept;
}

// Models and programs are larger than what the views' units are made for.
std::string SizeText(std::optional<int64_t> bytes);
Cell Size(std::optional<int64_t> bytes);

inline constexpr Look kRight = Look::kRight;

// The columns of a table: Heads(Code("name", "tensor"), Right("bytes", "size"), Left("crc32c", ""), Bar(20)).
inline TableColumn Left(std::string id, std::string title, size_t widest = 0) {
  return {std::move(id), std::move(title), Look::kLeft, widest};
}
inline TableColumn Right(std::string id, std::string title) {
  return {std::move(id), std::move(title), Look::kRight};
}
inline TableColumn Code(std::string id, std::string title, size_t widest = 0) {
  return {std::move(id), std::move(title), Look::kCode, widest};
}
inline TableColumn Bar(size_t widest = 0) { return {"", "", Look::kBar, widest}; }
template <class... Columns>
std::vector<TableColumn> Heads(Columns... columns) {
  return {std::move(columns)...};
}
template <class... Names>
std::vector<TableColumn> Ids(Names... names) {  // for programs
  return {TableColumn{names, ""}...};
}

// Rows that are the items of a list, which a temporary one becomes the table's; fill(item, out).
template <class List, class Fill>
Table TableOf(std::vector<TableColumn> columns, List&& list, Fill fill, size_t most = SIZE_MAX,
              std::string rest = "rows") {
  Table out{std::move(columns), list.size(), {}, 0, most, std::move(rest)};
  if constexpr (std::is_lvalue_reference_v<List>) {
    out.fill = [&list, fill](size_t r, RowCells& row) { fill(list[r], row); };
  } else {
    const auto kept = std::make_shared<const List>(std::move(list));
    out.fill = [kept, fill](size_t r, RowCells& row) { fill((*kept)[r], row); };
  }
  return out;
}

std::string Percent(int64_t part, int64_t whole);             // 12.50%
Block CoverageBlock(const Coverage& coverage);                // for programs
Block MissingBlock(const std::vector<MissingInfo>& missing);  // for programs and pages
Block OptionsBlock(const Options& options, std::initializer_list<std::string_view> names);  // for programs

// Memory as CSV, over time or at one moment: its columns, and what each row ends with; the row behind the
// last is what is not attributed.
std::vector<TableColumn> MemoryCsvColumns();
void AddMemoryRow(const std::vector<MemoryRow>& rows, const MemoryRow& not_attributed, size_t row,
                  RowCells& out);

}  // namespace tfprof
