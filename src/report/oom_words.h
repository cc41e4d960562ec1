// What is said of an event of `tfprof oom` in plain words: the verdict with its figures, and what to do next.
#pragma once

#include <string>
#include <vector>

#include "tfprof/oom.h"

namespace tfprof {

std::string OomHeadline(const OomEvent& event);             // one sentence or two
std::vector<std::string> OomAdvice(const OomEvent& event);  // each a thing to do, the most useful first
std::string OomRequestWords(const OomEvent& event);         // 4.00MiB, float[1024,1024], for layer23/MatMul

// A region as one row of blocks: # in use, . free, + both, ? not in the log. `width` characters, fewer for a
// small region.
std::string OomPicture(const OomRegion& region, int64_t largest_region, size_t width);

}  // namespace tfprof
