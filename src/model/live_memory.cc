#include "model/live_memory.h"

#include <fmt/format.h>

namespace tfprof {

Status NotOfLiveMemory(const Profile& profile, std::string_view what) {
  if (!profile.live_memory) return {};
  return Error::Input(fmt::format(
      "{}: a memory profile says what was live at one moment, by line of code; it has no ops, no "
      "graph and no times, and so there is no {}. `tfprof memory`, `code`, `info` and `diff` read it",
      profile.files.empty() ? "the input" : profile.files[0].path, what));
}

}  // namespace tfprof
