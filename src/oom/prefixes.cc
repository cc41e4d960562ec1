#include "oom/prefixes.h"

#include <algorithm>

namespace tfprof::oom {

Prefix* Prefixes::Seen(std::string_view text) {
  if (last_ != nullptr && text == last_text_) return last_;
  auto at = listed_.find(text);
  if (at == listed_.end() && listed_.size() <= kMostListed && bytes_ + text.size() <= kMostBytes &&
      !others_.contains(text)) {
    at = listed_.try_emplace(std::string(text)).first;
    bytes_ += text.size();
  }
  if (at == listed_.end()) {
    const auto other = others_.find(text);
    return other == others_.end() ? nullptr : &other->second;
  }
  last_text_ = at->first;
  last_ = &at->second;
  return last_;
}

Prefix* Prefixes::Get(std::string_view text) {
  if (Prefix* prefix = Seen(text)) return prefix;
  if (others_.size() >= 4 * kMostListed || bytes_ + text.size() > 2 * kMostBytes) return &spare_;
  bytes_ += text.size();
  return &others_.try_emplace(std::string(text)).first->second;
}

Prefix* Prefixes::Longest(std::string_view line, size_t* length) {
  // The greatest text that is not greater than the line is the one, or differs from the line at some place;
  // then only what the two have in common can begin with one.
  for (std::string_view key = line;;) {
    auto at = std::prev(listed_.upper_bound(key));  // the empty one is not greater than anything
    if (line.starts_with(at->first)) {
      *length = at->first.size();
      return &at->second;
    }
    const auto common = std::mismatch(at->first.begin(), at->first.end(), line.begin(), line.end());
    key = line.substr(0, static_cast<size_t>(common.second - line.begin()));
  }
}

}  // namespace tfprof::oom
