#include "view/memory_groups.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/user_code.h"

namespace tfprof {

MemoryGroups::MemoryGroups(const Profile& profile, MemoryBy by, int64_t max_depth)
    : profile_(profile), by_(by), max_depth_(std::max<int64_t>(max_depth, 1)) {
  if (by == MemoryBy::kCode) user_frames_ = InnermostUserFrames(profile);
  if (by == MemoryBy::kClass) classes_.emplace(profile);
}

std::string_view MemoryGroups::NameOf(NodeId node) {
  switch (by_) {
    case MemoryBy::kOp:
      return profile_.Name(node);
    case MemoryBy::kScope:
      return ScopeOf(profile_.Name(node));
    case MemoryBy::kType:
      return profile_.Op(node);
    case MemoryBy::kCode:
      return LineOf(profile_.stack[node]);
    case MemoryBy::kClass:
      return tfprof::NameOf(classes_->Of(node));
  }
  return {};
}

// What encloses the node, cut to the first levels. A node at the top is its own scope.
std::string_view MemoryGroups::ScopeOf(std::string_view name) const {
  const size_t last = name.rfind('/');
  if (last == std::string_view::npos || last == 0) return name;
  size_t end = 0;
  for (int64_t level = 0; level < max_depth_ && end < last; ++level) {
    end = std::min(name.find('/', end + 1), last);
  }
  return name.substr(0, end);
}

// The innermost line that is not library code; a stack of library code alone gives its innermost line.
std::string_view MemoryGroups::LineOf(StackId stack) {
  if (!stack) return "(no call stack)";
  const auto [place, fresh] = line_of_stack_.try_emplace(stack.value);
  if (!fresh) return place->second;
  const auto text = [&](StringId s) { return s ? profile_.strings[s] : std::string_view("none"); };
  const Frame& frame = profile_.frames[user_frames_[stack]];
  made_.push_back(fmt::format("{}:{}:{}", text(frame.file), frame.line, text(frame.function)));
  return place->second = made_.back();
}

}  // namespace tfprof
