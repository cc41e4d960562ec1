#include "view/scope_view.h"

#include <algorithm>
#include <numeric>

#include "base/hash.h"

namespace tfprof {
namespace {

// A trie of name components. Entries are numbered in order of creation, so a parent's number is below its
// children's.
class ScopeTrie {
 public:
  explicit ScopeTrie(size_t nodes) : slots_(1024, kNoIndex) {
    scopes_.reserve(nodes + nodes / 4);
    scopes_.push_back({});  // the root
  }

  struct Scope {
    std::string_view name;   // full path
    uint32_t component = 0;  // where its last component starts
    uint32_t parent = 0;
    NodeId node;
  };

  // Consecutive names of a graph mostly share their scopes, so the walk starts where the last name's path
  // still holds.
  void Insert(std::string_view name, NodeId node) {
    const size_t common = static_cast<size_t>(
        std::mismatch(name.begin(), name.end(), last_.begin(), last_.end()).first - name.begin());
    const auto shared = [&](uint32_t scope) {
      const size_t length = scopes_[scope].name.size();
      return length < common || (length == common && (length == name.size() || name[length] == '/'));
    };
    while (!path_.empty() && !shared(path_.back())) path_.pop_back();
    size_t done = path_.empty() ? 0 : scopes_[path_.back()].name.size();
    while (path_.empty() || done < name.size()) {
      const size_t begin = path_.empty() ? 0 : done + 1;
      const size_t end = std::min(name.find('/', begin), name.size());
      path_.push_back(Child(path_.empty() ? 0 : path_.back(), name.substr(0, end), begin));
      done = end;
    }
    scopes_[path_.back()].node = node;
    last_ = name;
  }

  std::vector<Scope>& scopes() { return scopes_; }

 private:
  size_t Slot(uint32_t parent, std::string_view component) const {
    return HashText(component, seed_ + parent) & (slots_.size() - 1);
  }

  uint32_t Child(uint32_t parent, std::string_view path, size_t component) {
    const std::string_view text = path.substr(component);
    size_t slot = Slot(parent, text);
    for (; slots_[slot] != kNoIndex; slot = (slot + 1) & (slots_.size() - 1)) {
      const Scope& scope = scopes_[slots_[slot]];
      if (scope.parent == parent && scope.name.substr(scope.component) == text) return slots_[slot];
    }
    const auto fresh = static_cast<uint32_t>(scopes_.size());
    slots_[slot] = fresh;
    scopes_.push_back({path, static_cast<uint32_t>(component), parent, NodeId()});
    if (scopes_.size() * 2 > slots_.size()) Grow();
    return fresh;
  }

  void Grow() {
    slots_.assign(slots_.size() * 2, kNoIndex);
    for (uint32_t s = 1; s < scopes_.size(); ++s) {
      size_t slot = Slot(scopes_[s].parent, scopes_[s].name.substr(scopes_[s].component));
      while (slots_[slot] != kNoIndex) slot = (slot + 1) & (slots_.size() - 1);
      slots_[slot] = s;
    }
  }

  uint64_t seed_ = RandomSeed();
  std::vector<Scope> scopes_;
  std::vector<uint32_t> slots_;
  std::vector<uint32_t> path_;  // scopes of the last name, outermost first
  std::string_view last_;
};

}  // namespace

ViewTree BuildScopeTree(const Profile& profile, const std::vector<std::string_view>& names,
                        const std::vector<bool>& accounted, const NameMatcher& account, Report* report) {
  ScopeTrie trie(profile.size());
  for (size_t n = 0; n < profile.size(); ++n) {
    trie.Insert(names.empty() ? profile.Name(NodeId(n)) : names[n], NodeId(n));
  }
  const auto& scopes = trie.scopes();
  const bool parents_count = account.Matches(kScopeParentType);
  const auto counts = [&](uint32_t s) {
    return scopes[s].node ? accounted[scopes[s].node.value] : parents_count;
  };

  // A scope stays when it, or anything below it, is accounted.
  std::vector<bool> kept(scopes.size());
  std::vector<uint32_t> first_child(scopes.size() + 1, 0);
  for (auto s = static_cast<uint32_t>(scopes.size()); s-- > 1;) {
    kept[s] = kept[s] || counts(s);
    if (!kept[s]) continue;
    kept[scopes[s].parent] = true;
    ++first_child[scopes[s].parent + 1];
  }
  std::partial_sum(first_child.begin(), first_child.end(), first_child.begin());
  std::vector<uint32_t> children(first_child.back());
  std::vector<uint32_t> next(first_child.begin(), first_child.end() - 1);
  for (uint32_t s = 1; s < scopes.size(); ++s) {
    if (kept[s]) children[next[scopes[s].parent]++] = s;
  }
  const auto by_component = [&](uint32_t a, uint32_t b) {
    return scopes[a].name.substr(scopes[a].component) < scopes[b].name.substr(scopes[b].component);
  };

  Figures created;
  created.Set(ColumnId::kDefined, 1);
  const uint32_t created_own = report->figures.Add(created);
  const uint32_t root_own = report->figures.Add();
  ViewTree tree;
  tree.Reserve(children.size() + 1);
  struct Pending {
    uint32_t scope, parent;
  };
  std::vector<Pending> stack{{0, 0}};
  while (!stack.empty()) {
    const auto [s, parent] = stack.back();
    stack.pop_back();
    const NodeId node = scopes[s].node;
    const uint32_t entry =
        s == 0 ? tree.Add(kRootName, 0, root_own, NodeId(), false)
               : tree.Add(scopes[s].name, parent, node ? node.value : created_own, node, counts(s));
    const auto begin = children.begin() + first_child[s], end = children.begin() + first_child[s + 1];
    if (!std::is_sorted(begin, end, by_component)) std::sort(begin, end, by_component);
    for (auto c = end; c != begin;) stack.push_back({*--c, entry});
  }
  tree.Close();
  return tree;
}

}  // namespace tfprof
