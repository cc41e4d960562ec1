#include "view/scope_view.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>

#include "base/hash.h"

namespace tfprof {
namespace {

// How many bytes two texts begin with in common, eight at a time.
size_t CommonPrefix(std::string_view a, std::string_view b) {
  const size_t size = std::min(a.size(), b.size());
  size_t i = 0;
  for (uint64_t x, y; i + sizeof x <= size; i += sizeof x) {
    std::memcpy(&x, a.data() + i, sizeof x);
    std::memcpy(&y, b.data() + i, sizeof y);
    if (x != y)
      return i + static_cast<size_t>(std::countr_zero(x ^ y)) / 8;  // little-endian, as x86 and ARM are
  }
  while (i < size && a[i] == b[i]) ++i;
  return i;
}

// A trie of name components. Entries are numbered in order of creation, so a parent's number is below its
// children's.
class ScopeTrie {
 public:
  explicit ScopeTrie(size_t nodes)
      : slots_(std::bit_ceil(std::max<size_t>(1024, (nodes + nodes / 8) * 2)), kNoIndex) {
    scopes_.reserve(nodes + nodes / 4);
    scopes_.push_back({});  // the root
  }

  struct Scope {
    std::string_view name;   // full path
    uint32_t component = 0;  // where its last component starts
    uint32_t parent = 0;
    NodeId node;
  };

  // Of a name that will be inserted soon: its place in the table is fetched meanwhile.
  void Expect(std::string_view name) const {
    uint64_t hash = seed_;
    for (size_t begin = 0; begin <= name.size();) {
      const size_t end = std::min(name.find('/', begin), name.size());
      hash = HashText(name.substr(begin, end - begin), hash);
      begin = end + 1;
    }
    __builtin_prefetch(&slots_[hash & (slots_.size() - 1)]);
  }

  // Consecutive names of a graph mostly share their scopes, so the walk starts where the last name's path
  // still holds.
  void Insert(std::string_view name, NodeId node) {
    const size_t common = CommonPrefix(name, last_);
    const auto shared = [&](uint32_t scope) {
      const size_t length = scopes_[scope].name.size();
      return length < common || (length == common && (length == name.size() || name[length] == '/'));
    };
    while (!path_.empty() && !shared(path_.back().scope)) path_.pop_back();
    size_t done = path_.empty() ? 0 : scopes_[path_.back().scope].name.size();
    while (path_.empty() || done < name.size()) {
      const size_t begin = path_.empty() ? 0 : done + 1;
      const size_t end = std::min(name.find('/', begin), name.size());
      const Open above = path_.empty() ? Open{0, seed_} : path_.back();
      const uint64_t hash = HashText(name.substr(begin, end - begin), above.hash);
      path_.push_back({Find(above.scope, name.substr(0, end), begin, hash), hash});
      done = end;
    }
    scopes_[path_.back().scope].node = node;
    last_ = name;
  }

  // There are no more names: what finds them may go.
  void Close() { BigVector<uint32_t>().swap(slots_); }

  const BigVector<Scope>& scopes() const { return scopes_; }

 private:
  // A scope's hash is that of its last component, with its parent's for a seed: a name of a million levels
  // costs as much as it is long.
  struct Open {
    uint32_t scope = 0;
    uint64_t hash = 0;
  };

  // The scope of this path, which is made where there is none.
  uint32_t Find(uint32_t parent, std::string_view path, size_t component, uint64_t hash) {
    const std::string_view text = path.substr(component);
    const size_t mask = slots_.size() - 1;
    size_t slot = hash & mask;
    for (; slots_[slot] != kNoIndex; slot = (slot + 1) & mask) {
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
    const size_t mask = slots_.size() - 1;
    BigVector<uint64_t> hashes(scopes_.size(), seed_);  // a parent's is known before its children's
    for (uint32_t s = 1; s < scopes_.size(); ++s) {
      hashes[s] = HashText(scopes_[s].name.substr(scopes_[s].component), hashes[scopes_[s].parent]);
      size_t slot = hashes[s] & mask;
      while (slots_[slot] != kNoIndex) slot = (slot + 1) & mask;
      slots_[slot] = s;
    }
  }

  uint64_t seed_ = RandomSeed();
  BigVector<Scope> scopes_;
  BigVector<uint32_t> slots_;
  std::vector<Open> path_;  // scopes of the last name, outermost first
  std::string_view last_;
};

}  // namespace

ViewTree BuildScopeTree(const Profile& profile, const std::vector<std::string_view>& names,
                        const std::vector<bool>& accounted, const NameMatcher& account) {
  ScopeTrie trie(profile.size());
  const auto name = [&](size_t n) { return names.empty() ? profile.Name(NodeId(n)) : names[n]; };
  constexpr size_t kAhead = 16;
  for (size_t n = 0; n < profile.size(); ++n) {
    if (n + kAhead < profile.size()) trie.Expect(name(n + kAhead));
    trie.Insert(name(n), NodeId(n));
  }
  trie.Close();
  const auto& scopes = trie.scopes();
  const bool parents_count = account.Matches(kScopeParentType);
  const auto counts = [&](uint32_t s) {
    return scopes[s].node ? accounted[scopes[s].node.value] : parents_count;
  };

  // A scope stays when it, or anything below it, is accounted.
  std::vector<bool> kept(scopes.size());
  BigVector<uint32_t> first_child(scopes.size() + 1, 0);
  for (auto s = static_cast<uint32_t>(scopes.size()); s-- > 1;) {
    kept[s] = kept[s] || counts(s);
    if (!kept[s]) continue;
    kept[scopes[s].parent] = true;
    ++first_child[scopes[s].parent + 1];
  }
  std::partial_sum(first_child.begin(), first_child.end(), first_child.begin());
  BigVector<uint32_t> children(first_child.back());
  BigVector<uint32_t> next(first_child.begin(), first_child.end() - 1);
  for (uint32_t s = 1; s < scopes.size(); ++s) {
    if (kept[s]) children[next[scopes[s].parent]++] = s;
  }
  const auto by_component = [&](uint32_t a, uint32_t b) {
    return scopes[a].name.substr(scopes[a].component) < scopes[b].name.substr(scopes[b].component);
  };

  const uint32_t created_own = FiguresOfScope(profile), root_own = FiguresOfRoot(profile);
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
