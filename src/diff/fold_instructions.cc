#include "diff/fold_instructions.h"

#include <vector>

#include "model/add_figures.h"
#include "model/captured_run.h"

namespace tfprof {
namespace {

// Instructions of the file's programs, and work that none was found for: named after the program.
bool IsInstruction(const Profile& profile, NodeId node) {
  const std::vector<int64_t>& results = profile.capture->result_bytes;
  return (node.value < results.size() && results[node.value] != kNotRecorded) || profile.Op(node) == "hlo";
}

}  // namespace

void FoldInstructions(const Profile& profile, Report* report) {
  if (!profile.capture || report->view != ViewKind::kScope) return;
  BigVector<Row>& rows = report->rows;
  std::vector<bool> has_children(rows.size());
  for (const Row& row : rows) {
    if (row.parent != kNoIndex) has_children[row.parent] = true;
  }
  std::vector<uint32_t> new_row(rows.size(), kNoIndex);
  std::vector<bool> is_sum(rows.size());
  bool saturated = false;
  uint32_t kept = 0;
  for (uint32_t r = 0; r < rows.size(); ++r) {
    Row row = rows[r];
    const bool leaf = !has_children[r] && row.node != kNoIndex && row.parent != 0;
    if (row.parent != kNoIndex) row.parent = new_row[row.parent];
    if (!leaf || !IsInstruction(profile, NodeId(row.node))) {
      new_row[r] = kept;
      rows[kept++] = row;
      continue;
    }
    // Parents come first, so their rows have moved already. Scopes share their own figures: each that takes
    // something gets its own.
    Row& op = rows[row.parent];
    if (!is_sum[row.parent]) {
      is_sum[row.parent] = true;
      op.own = report->figures.Add(report->Own(op));
    }
    report->figures.AddRow(row.own, op.own, &saturated);
    op.accounted |= row.accounted;
  }
  rows.resize(kept);
}

}  // namespace tfprof
