// Which rows of several inputs are the same: by name, by names given by hand, and by what renamed nodes and
// moved lines of code still have in common.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "diff/union_tree.h"
#include "tfprof/diff.h"
#include "tfprof/result.h"

namespace tfprof {

struct Aligned {
  std::unique_ptr<UnionTree> tree;
  std::vector<FoundRename> renames;
  std::vector<RowNames> names;                     // by input, as used
  std::shared_ptr<std::deque<std::string>> texts;  // what `names` and the tree point into besides the reports
};

// Errors: a --rename that is no REGEX=NEW or matches nothing.
Result<Aligned> Align(const std::vector<DiffInput>& inputs, ViewKind view,
                      const std::vector<ColumnId>& figures, const Options& options);

}  // namespace tfprof
