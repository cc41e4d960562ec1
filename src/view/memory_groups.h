// Names under which memory is added up: op, scope, op type or code line of the node that allocated it, or the
// class of the memory.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "model/memory_class.h"
#include "model/profile.h"
#include "tfprof/options.h"

namespace tfprof {

class MemoryGroups {
 public:
  // max_depth: how many levels of a name make a scope; at least 1.
  MemoryGroups(const Profile& profile, MemoryBy by, int64_t max_depth);

  // These live as long as this object and the profile.
  std::string_view NameOf(NodeId node);
  std::string_view NameOf(const MemoryBlock& block) {
    return classes_ ? tfprof::NameOf(classes_->Of(block)) : NameOf(block.node);
  }
  // Only where the class is asked for.
  const MemoryClasses* classes() const { return classes_ ? &*classes_ : nullptr; }

 private:
  std::string_view ScopeOf(std::string_view name) const;
  std::string_view LineOf(StackId stack);

  const Profile& profile_;
  MemoryBy by_;
  int64_t max_depth_;
  Column<StackId, FrameId> user_frames_;  // filled when grouping by code
  std::unordered_map<uint32_t, std::string_view> line_of_stack_;
  std::deque<std::string> made_;
  std::optional<MemoryClasses> classes_;  // filled when grouping by class
};

}  // namespace tfprof
