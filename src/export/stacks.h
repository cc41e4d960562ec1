// What the two formats of call stacks share; WriteStacks() in stacks.cc chooses.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "base/checked.h"
#include "tfprof/report.h"
#include "tfprof/result.h"

namespace tfprof {

Status WritePprof(const Report& report, ColumnId figure, const std::string& path);
Status WriteFolded(const Report& report, ColumnId figure, const std::string& path);

// The row of what has no call stack: a name and no place. A file may be called "", so that alone does not
// tell.
inline bool IsNoPlace(const CodeFrame& frame) { return frame.file.empty() && frame.line < 0; }

// What lies below a row in frames that the options hide: the deepest frame that is shown carries it.
class HiddenBelow {
 public:
  explicit HiddenBelow(const Report& report) : report_(report), children_(report.rows.size()) {
    bool saturated = false;
    for (const Row& row : report.rows) {
      if (row.parent == kNoIndex) continue;
      Figures& sum = children_[row.parent];
      const Figures total = report.Total(row);
      for (size_t i = 0; i < kFigureCount; ++i)
        sum.value[i] = SaturatingAdd(sum.value[i], total.value[i], &saturated);
    }
  }
  int64_t Of(size_t row, ColumnId figure) const {
    const Row& r = report_.rows[row];
    bool saturated = false;
    const int64_t below = SaturatingSub(report_.Total(r)[figure], report_.Own(r)[figure], &saturated);
    return std::max<int64_t>(0, SaturatingSub(below, children_[row][figure], &saturated));
  }

 private:
  const Report& report_;
  std::vector<Figures> children_;
};

inline constexpr std::string_view kGradientSuffix = " (gradient)";

inline std::string_view Basename(std::string_view path) { return path.substr(path.rfind('/') + 1); }

}  // namespace tfprof
