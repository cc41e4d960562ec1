// Each report kind as a Document, in a file of its own. They take the report over and keep it.
#pragma once

#include <fmt/format.h>

#include <memory>
#include <string>
#include <utility>

#include "report/document.h"
#include "tfprof/advise.h"
#include "tfprof/checkpoint_report.h"
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
Document SummaryDocument(Summary summary,
                         const std::string& inputs);  // the inputs as they were given, for hints
Document AdviceDocument(Advice advice);
Document MemoryDocument(MemoryReport report);
Document KernelsDocument(KernelReport report);
Document StepsDocument(StepsReport report);
Document ModelDocument(ModelReport model);
Document ProgramDocument(ModelReport model);  // of a compiled program
Document OomDocument(OomReport report);
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

// Rows that are the items of a list; fill(item, out).
template <class List, class Fill>
Table TableOf(std::vector<Column> columns, const List& list, Fill fill) {
  return {std::move(columns), list.size(), [&list, fill](size_t r, RowCells& out) { fill(list[r], out); }};
}

std::string Percent(int64_t part, int64_t whole);             // 12.50%
Block CoverageBlock(const Coverage& coverage);                // for programs
Block MissingBlock(const std::vector<MissingInfo>& missing);  // for programs and pages
Block OptionsBlock(const Options& options, std::initializer_list<std::string_view> names);  // for programs

}  // namespace tfprof
