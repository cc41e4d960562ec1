// Memory that was live at one moment, as a memory profile tells it: JAX's device memory profile, or any pprof
// file of bytes. A profile of it has nothing else: a node stands for the blocks of one call stack, device and
// kind (its op type: buffer, executable), and there are no steps, no times and no graph.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/profile.h"
#include "tfprof/result.h"

namespace tfprof {

struct LiveMemory {
  std::string source;       // "JAX device memory profile"
  std::string sample_type;  // what the file calls the bytes: "space"
  int64_t time_nanos = 0;   // when it was written, since 1970; 0: not told
  // By node. kNotRecorded: the file does not tell; the size of a program on a CPU, for one.
  std::vector<int64_t> bytes, count;
};

inline constexpr std::string_view kNoKind = "(no kind)", kNoDevice = "(no device)";

// An error where the profile is of live memory: `what` ("the scope view") needs what such a file cannot tell.
Status NotOfLiveMemory(const Profile& profile, std::string_view what);

}  // namespace tfprof
