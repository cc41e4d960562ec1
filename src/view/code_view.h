// The tree of Python call stacks: who built the nodes, down to the line.
#pragma once

#include <memory>
#include <vector>

#include "base/string_pool.h"
#include "tfprof/report.h"
#include "view/view_tree.h"

namespace tfprof {

// The row of nodes whose call stack is not known; options.classic has none, as TensorFlow.
inline constexpr std::string_view kNoStack = "(no call stack)";

struct CodeTree {
  ViewTree tree;
  std::shared_ptr<StringPool> names;       // owns the frame names of tree.name
  std::vector<std::vector<NodeId>> nodes;  // per entry: its accounted graph nodes, not sorted
  std::vector<FrameId> frame;              // per entry; none for the root and kNoStack
  std::vector<bool> gradient;              // per entry: reached through a gradient node
};

// An error when no node has a call stack. Appends the frames' own figures to report->figures, warns about
// gradients whose forward node has no call stack, and notes -frames user when stacks are mostly library code.
Result<CodeTree> BuildCodeTree(const Profile& profile, const std::vector<bool>& accounted,
                               const NameMatcher& account, Report* report);

}  // namespace tfprof
