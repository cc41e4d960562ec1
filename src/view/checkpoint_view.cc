#include <algorithm>
#include <utility>

#include "base/name_matcher.h"
#include "tfprof/checkpoint_report.h"

namespace tfprof {

Result<CheckpointReport> MakeCheckpointReport(std::shared_ptr<const Checkpoint> checkpoint,
                                              const Options& options) {
  Result<NameMatcher> show = NameMatcher::Compile(options.show_name_regexes, "show_name_regexes");
  if (!show) return show.error();
  Result<NameMatcher> hide = NameMatcher::Compile(options.hide_name_regexes, "hide_name_regexes");
  if (!hide) return hide.error();
  CheckpointReport out{options, std::move(checkpoint), {}};
  const auto& tensors = out.checkpoint->tensors();
  const auto matches = [](const NameMatcher& matcher, const CheckpointTensor& tensor) {
    return matcher.Matches(tensor.name) || (!tensor.full_name.empty() && matcher.Matches(tensor.full_name));
  };
  for (size_t i = 0; i < tensors.size(); ++i) {
    if (matches(*show, tensors[i]) && !matches(*hide, tensors[i])) out.shown.push_back(i);
  }
  const auto larger = [&](size_t a, size_t b) {
    return options.order_by == ColumnId::kParams
               ? tensors[a].elements > tensors[b].elements
               : tensors[a].bytes.value_or(0) > tensors[b].bytes.value_or(0);
  };
  if (options.order_by == ColumnId::kBytes || options.order_by == ColumnId::kParams) {
    std::stable_sort(out.shown.begin(), out.shown.end(), larger);
  }
  return out;
}

}  // namespace tfprof
