// For a pattern that matches no name: an error that says which names are near.
#pragma once

#include <span>
#include <string_view>

#include "base/name_matcher.h"
#include "tfprof/options.h"
#include "tfprof/result.h"

namespace tfprof {

// An error where a start was asked for and none of `names` (what rows can be called) matches it. TensorFlow's
// tfprof shows the root alone then, and so do we with Options::classic.
Status CheckStart(const Options& options, const NameMatcher& start, std::span<const std::string_view> names);

}  // namespace tfprof
