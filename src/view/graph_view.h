// The tree of data flow: from nodes that nobody consumes down to their inputs, each node once.
#pragma once

#include <string>
#include <vector>

#include "view/view_tree.h"

namespace tfprof {

ViewTree BuildGraphTree(const Profile& profile, const std::vector<bool>& accounted,
                        std::vector<std::string>* warnings);

}  // namespace tfprof
