// The tree of '/'-separated names: scopes as parents, missing ones created, children in byte order.
#pragma once

#include "view/view_tree.h"

namespace tfprof {

// `names`: of the nodes, where they are not those recorded (fold_names.h); their texts must outlive the tree.
ViewTree BuildScopeTree(const Profile& profile, std::vector<std::string_view> names,
                        const std::vector<bool>& accounted, const NameMatcher& account);

}  // namespace tfprof
