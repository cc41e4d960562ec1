// A report of a view, all of its rows, to be looked at a part at a time: where the rows below a row end, and
// how many children it has. Made once for a run, a view and its options.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tfprof/report.h"

namespace tfprof::server {

class ViewTree {
 public:
  explicit ViewTree(Report report);

  const Report& report() const { return report_; }
  size_t size() const { return report_.rows.size(); }
  const Row& row(uint32_t r) const { return report_.rows[r]; }
  uint32_t end(uint32_t r) const { return ends_[r]; }  // rows from r + 1 to here lie below it
  uint32_t children(uint32_t r) const { return children_[r]; }
  size_t bytes() const;  // that it takes, about

  // The children of a row, in their order: for (c = first(r); c != end(r); c = end(c)).
  static uint32_t first(uint32_t r) { return r + 1; }

  // The name without that of the row above it, where this one continues that.
  std::string_view Label(uint32_t r) const;
  std::vector<uint32_t> Above(uint32_t r) const;  // the rows above it, the root first

 private:
  const Report report_;
  std::vector<uint32_t> ends_, children_;
};

}  // namespace tfprof::server
