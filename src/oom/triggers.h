// The words without which a line says nothing about memory, and a fast search for the next of them.
#pragma once

namespace tfprof::oom {

// The first place in [begin, end) where one of them is, or `end`. The place is somewhere in the word.
const char* FindTrigger(const char* begin, const char* end);

}  // namespace tfprof::oom
