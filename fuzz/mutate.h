// Changes inputs as their structure wants it (targets.h): fields of protobuf are dropped, doubled, moved and
// given edge values, inside gzip and behind checksums too, which are made anew.
#pragma once

#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <string_view>

#include "targets.h"

namespace tfprof {

using Random = std::minstd_rand;

// Changes plain bytes; the result has `most` bytes at most. LLVMFuzzerMutate, or something simpler.
using MutateBytes = std::function<std::string(std::string_view bytes, size_t most)>;

// A changed `bytes`, in `most` bytes at most where that can be done.
std::string Mutate(Structure structure, std::string_view bytes, size_t most, Random& random,
                   const MutateBytes& mutate_bytes);

// Something of `other` in `bytes`.
std::string CrossOver(Structure structure, std::string_view bytes, std::string_view other, Random& random);

}  // namespace tfprof
