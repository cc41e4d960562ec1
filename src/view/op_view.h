// The list of op types: all nodes of one type are one row, and totals accumulate from the last row to the
// first.
#pragma once

#include <vector>

#include "tfprof/report.h"
#include "view/view_tree.h"

namespace tfprof {

// Rows of the report (rows[0] is the root with the grand total), and per row its accounted nodes.
void MakeOpRows(const Profile& profile, const std::vector<bool>& accounted, const Matchers& matchers,
                Report* report, std::vector<std::vector<NodeId>>* nodes_of_row);

}  // namespace tfprof
