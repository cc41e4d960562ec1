// One line of a log, taken apart: what a launcher wrote before it, the header of the logger, the message.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tfprof::oom {

inline constexpr int64_t kNoThread = -1;
inline constexpr size_t kNowhere = std::string_view::npos;
inline constexpr int kTries =
    64;  // places in a line that are looked at: nobody prints more, and time stays linear

struct Header {
  bool found = false;
  size_t begin = 0, end = 0;   // in the line; what is before it is the prefix, what is behind it the body
  int64_t thread = kNoThread;  // older TensorFlow does not print it
};

// The leftmost header:
//   I1115 21:23:46.324068     950 file.cc:119]          TensorFlow 2.21, JAX; `0000` and Unix time before the
//   start 2018-03-13 21:59:44.860973: I path/file.cc:628]     older ones, the oldest without the time
Header FindHeader(std::string_view line);

// True where the `]` at this place may end a header: a colon and digits before it. For skimming.
bool MayEndHeader(const char* begin, const char* bracket);

// Without a leading time stamp as Kubernetes puts it: 2026-03-02T09:14:05.123Z and one blank.
std::string_view WithoutTimeStamp(std::string_view line);

// Text before a header that is no prefix of its process but a progress bar, which never ends its line.
bool IsProgressBar(std::string_view text);

}  // namespace tfprof::oom
