// The tree of '/'-separated names: scopes as parents, missing ones created, children in byte order.
#pragma once

#include "tfprof/report.h"
#include "view/view_tree.h"

namespace tfprof {

// report->figures holds the nodes' own figures, by NodeId; those of created parents and of the root are
// appended.
ViewTree BuildScopeTree(const Profile& profile, const std::vector<bool>& accounted,
                        const NameMatcher& account, Report* report);

}  // namespace tfprof
