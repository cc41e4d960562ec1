#include <algorithm>

#include "model/profile.h"
#include "tfprof/profile.h"

namespace tfprof {

std::vector<std::string> CompleteNames(const Profile& profile, std::string_view prefix, size_t limit) {
  std::vector<std::string> out;
  for (size_t n = 0; n < profile.size(); ++n) {
    const std::string_view name = profile.Name(NodeId(n));
    if (!name.starts_with(prefix)) continue;
    const size_t slash = name.find('/', prefix.size());
    std::string found(name.substr(0, slash == std::string_view::npos ? name.size() : slash + 1));
    const auto place = std::lower_bound(out.begin(), out.end(), found);
    if (place == out.end() || *place != found) out.insert(place, std::move(found));
    if (out.size() > limit) out.pop_back();
  }
  return out;
}

}  // namespace tfprof
