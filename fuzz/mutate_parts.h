// What mutate.cc is made of: protobuf, and what protobuf is wrapped in.
#pragma once

#include "mutate.h"

namespace tfprof {

inline size_t Below(size_t bound, Random& random) { return bound == 0 ? 0 : random() % bound; }

template <class T>
auto& OneOf(T& items, Random& random) {
  return items[Below(std::size(items), random)];
}

std::string MutateWire(std::string_view bytes, size_t most, Random& random, const MutateBytes& mutate_bytes);
std::string MutatePacked(std::string_view bytes, size_t most, Random& random,
                         const MutateBytes& mutate_bytes);
std::string MutateRecords(std::string_view bytes, size_t most, Random& random,
                          const MutateBytes& mutate_bytes);
std::string MutateEntries(std::string_view bytes, size_t most, Random& random,
                          const MutateBytes& mutate_bytes);
std::string MutateArchive(std::string_view bytes, size_t most, Random& random,
                          const MutateBytes& mutate_bytes);

}  // namespace tfprof
