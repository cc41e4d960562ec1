#include "server/view_tree.h"

#include <algorithm>

namespace tfprof::server {

ViewTree::ViewTree(Report report)
    : report_(std::move(report)), ends_(report_.rows.size()), children_(report_.rows.size()) {
  std::vector<uint32_t> open;
  const auto close = [&](uint32_t depth, uint32_t at) {
    for (; !open.empty() && report_.rows[open.back()].depth >= depth; open.pop_back())
      ends_[open.back()] = at;
  };
  for (uint32_t r = 0; r < report_.rows.size(); ++r) {
    close(report_.rows[r].depth, r);
    if (!open.empty()) ++children_[open.back()];
    open.push_back(r);
  }
  close(0, static_cast<uint32_t>(report_.rows.size()));
}

size_t ViewTree::bytes() const {
  return report_.rows.capacity() * (sizeof(Row) + 2 * sizeof(uint32_t)) + report_.figures.bytes() +
         report_.graph_nodes.capacity() * sizeof(Row) + report_.code_frames.capacity() * sizeof(CodeFrame) +
         report_.more.capacity() * sizeof(RowMore) + report_.lists.size() * 64 + report_.shapes.size() * 64 +
         report_.inputs.capacity() * sizeof(InputShape);
}

std::string_view ViewTree::Label(uint32_t r) const {
  const std::string_view name = row(r).name;
  if (report_.view != ViewKind::kScope || row(r).parent == kNoIndex) return name;
  const std::string_view above = row(row(r).parent).name;
  const bool below = name.size() > above.size() + 1 && name.starts_with(above) && name[above.size()] == '/';
  return below ? name.substr(above.size() + 1) : name;
}

std::vector<uint32_t> ViewTree::Above(uint32_t r) const {
  std::vector<uint32_t> out;
  for (uint32_t p = row(r).parent; p != kNoIndex; p = row(p).parent) out.push_back(p);
  std::reverse(out.begin(), out.end());
  return out;
}

}  // namespace tfprof::server
