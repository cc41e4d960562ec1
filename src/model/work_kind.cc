#include "model/work_kind.h"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace tfprof {
namespace {

bool IsCollective(std::string_view type) {
  constexpr std::string_view kBegins[] = {"all-reduce",  "all-gather", "all-to-all", "reduce-scatter",
                                          "collective-", "Collective", "Nccl"};
  constexpr std::string_view kNames[] = {"psum",         "pmax",          "pmin",     "pmean",
                                         "all_gather",   "all_to_all",    "ppermute", "pbroadcast",
                                         "psum_scatter", "reduce_scatter"};
  return std::ranges::any_of(kBegins, [&](std::string_view b) { return type.starts_with(b); }) ||
         std::ranges::find(kNames, type) != std::end(kNames);
}

}  // namespace

WorkKind WorkKindOf(const Profile& profile, NodeId node) {
  const std::string_view op = profile.Op(node);
  if (op.starts_with("Memcpy") || op.starts_with("Memset") || op.starts_with("MEMCPY"))
    return WorkKind::kCopy;
  if (op == "Dataset" || op.starts_with("IteratorGetNext")) return WorkKind::kInput;
  if (IsCollective(op)) return WorkKind::kCollective;
  if (!profile.extra_types[node]) return WorkKind::kCompute;
  const auto types = profile.sets[profile.extra_types[node]];
  const bool collective =
      std::ranges::any_of(types, [&](StringId type) { return IsCollective(profile.strings[type]); });
  return collective ? WorkKind::kCollective : WorkKind::kCompute;
}

}  // namespace tfprof
