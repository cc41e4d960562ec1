// The tree of '/'-separated names: scopes as parents, missing ones created, children in byte order.
#pragma once

#include <cstdint>
#include <memory>

#include "base/path_parts.h"
#include "view/fold_names.h"
#include "view/made_texts.h"
#include "view/view_tree.h"

namespace tfprof {

// How nodes are named.
struct ScopeNames {
  std::unique_ptr<NameFolder> folder;  // null: as they are recorded
  // Folded names are made down to this depth, the root's being 1; what is deeper has its last part alone.
  int64_t depth = 0;
  MadeTexts* texts = nullptr;  // where they are made; must outlive the tree
};

// Entries are made down to so many levels below the root; nodes that are deeper are in ViewTree::entry_above.
// That is for views in which everything is accounted.
ViewTree BuildScopeTree(const Profile& profile, ScopeNames names, const std::vector<bool>& accounted,
                        const NameMatcher& account, size_t levels);

}  // namespace tfprof
