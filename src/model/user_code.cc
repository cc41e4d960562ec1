#include "model/user_code.h"

namespace tfprof {

bool IsLibraryFile(std::string_view file) {
  return file.find("site-packages/") != std::string_view::npos ||
         file.find("dist-packages/") != std::string_view::npos ||
         file.find("/lib/python") != std::string_view::npos || file.starts_with("<frozen");
}

Column<StackId, FrameId> InnermostUserFrames(const Profile& profile) {
  Column<FrameId, uint8_t> is_user(profile.frames.size());
  for (size_t f = 0; f < profile.frames.size(); ++f) {
    const StringId file = profile.frames[FrameId(f)].file;
    is_user[FrameId(f)] = file && !IsLibraryFile(profile.strings[file]);
  }
  // A stack is made after the one that called it, so its caller's answer is there already.
  Column<StackId, FrameId> user(profile.stacks.size());
  for (size_t s = 0; s < profile.stacks.size(); ++s) {
    const Stack& stack = profile.stacks[StackId(s)];
    if (is_user[stack.frame]) {
      user[StackId(s)] = stack.frame;
    } else if (stack.caller) {
      user[StackId(s)] = user[stack.caller];
    }
  }
  for (size_t s = 0; s < profile.stacks.size(); ++s) {
    if (!user[StackId(s)]) user[StackId(s)] = profile.stacks[StackId(s)].frame;
  }
  return user;
}

}  // namespace tfprof
