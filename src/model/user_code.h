// Which line of a call stack is the user's own: of fifty frames, the one that a person wants to see.
#pragma once

#include <string_view>

#include "model/profile.h"

namespace tfprof {

// Python's library and installed packages.
bool IsLibraryFile(std::string_view file);

// The innermost frame outside of library code for every stack, or the innermost of all when all is library
// code. Linear in the number of distinct stacks.
Column<StackId, FrameId> InnermostUserFrames(const Profile& profile);

}  // namespace tfprof
