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
    scopes_.reserve(nodes + nodes / 2);
    scopes_.push_back({});  // the root
  }

  struct Scope {
    std::string_view name;   // full path
    uint32_t component = 0;  // where its last component starts
    uint32_t parent = 0;
    uint32_t last_child = 0;  // 0: none
    NodeId node;

    std::string_view text() const { return name.substr(component); }
  };

  // Takes the next name apart; its places in the table are fetched until Insert(), so that some names are
  // expected together, and then inserted in the same order. Consecutive names of a graph mostly share their
  // scopes: what holds of the one before is not looked at again.
  void Expect(std::string_view name) {
    const size_t common = CommonPrefix(name, last_);
    const auto shared = [&](size_t end) {
      return end < common || (end == common && (end == name.size() || name[end] == '/'));
    };
    while (!open_.empty() && !shared(open_.back().end)) open_.pop_back();
    expected_.push_back({name, static_cast<uint32_t>(open_.size()), 0});
    while (open_.empty() || open_.back().end < name.size()) {
      const size_t begin = open_.empty() ? 0 : size_t{open_.back().end} + 1;
      const size_t end = std::min(name.find('/', begin), name.size());
      const uint64_t above = open_.empty() ? seed_ : open_.back().hash;
      open_.push_back({static_cast<uint32_t>(begin), static_cast<uint32_t>(end),
                       HashText(name.substr(begin, end - begin), above)});
      __builtin_prefetch(&slots_[open_.back().hash & (slots_.size() - 1)]);
      components_.push_back(open_.back());
    }
    expected_.back().components_end = components_.size();
    last_ = name;
  }

  // All names that were expected, as the nodes from `first` on.
  void Insert(NodeId first) {
    size_t next = 0;
    for (const Expected& expected : expected_) {
      path_.resize(expected.depth);
      for (; next < expected.components_end; ++next) {
        const Component& component = components_[next];
        path_.push_back(Find(path_.empty() ? 0 : path_.back(), expected.name, component));
      }
      scopes_[path_.back()].node = first;
      first = NodeId(size_t{first.value} + 1);
    }
    expected_.clear();
    components_.clear();
  }

  // There are no more names: what finds them may go.
  void Close() { BigVector<uint32_t>().swap(slots_); }

  const BigVector<Scope>& scopes() const { return scopes_; }
  // Whether the children of a scope were made in the order of their texts.
  bool InOrder(uint32_t scope) const { return scope >= disordered_.size() || !disordered_[scope]; }

 private:
  // Of a name. Its hash is seeded with that of the one before: a name of a million levels costs as much as it
  // is long.
  struct Component {
    uint32_t begin, end;
    uint64_t hash;
  };
  struct Expected {
    std::string_view name;
    uint32_t depth;         // so many components are those of the name before
    size_t components_end;  // the others, in components_
  };

  // The scope of a path up to its component, which is made where there is none.
  uint32_t Find(uint32_t parent, std::string_view path, const Component& component) {
    const std::string_view text = path.substr(component.begin, component.end - component.begin);
    const size_t mask = slots_.size() - 1;
    size_t slot = component.hash & mask;
    for (; slots_[slot] != kNoIndex; slot = (slot + 1) & mask) {
      const Scope& scope = scopes_[slots_[slot]];
      if (scope.parent == parent && scope.text() == text) return slots_[slot];
    }
    const auto fresh = static_cast<uint32_t>(scopes_.size());
    slots_[slot] = fresh;
    scopes_.push_back({path.substr(0, component.end), component.begin, parent, 0, NodeId()});
    // Compared now, while the texts are at hand.
    uint32_t& last = scopes_[parent].last_child;
    if (last != 0 && text < scopes_[last].text()) Disorder(parent);
    last = fresh;
    if (scopes_.size() * 2 > slots_.size()) Grow();
    return fresh;
  }

  void Disorder(uint32_t parent) {
    if (disordered_.size() <= parent) disordered_.resize(scopes_.size() * 2);
    disordered_[parent] = true;
  }

  void Grow() {
    slots_.assign(slots_.size() * 2, kNoIndex);
    const size_t mask = slots_.size() - 1;
    BigVector<uint64_t> hashes(scopes_.size(), seed_);  // a parent's is known before its children's
    for (uint32_t s = 1; s < scopes_.size(); ++s) {
      hashes[s] = HashText(scopes_[s].text(), hashes[scopes_[s].parent]);
      size_t slot = hashes[s] & mask;
      while (slots_[slot] != kNoIndex) slot = (slot + 1) & mask;
      slots_[slot] = s;
    }
  }

  uint64_t seed_ = RandomSeed();
  BigVector<Scope> scopes_;
  BigVector<uint32_t> slots_;
  std::vector<bool> disordered_;
  std::vector<Component> open_;  // of the last name that was expected
  std::string_view last_;
  std::vector<Expected> expected_;
  std::vector<Component> components_;
  std::vector<uint32_t> path_;  // scopes of the last name that was inserted, outermost first
};

}  // namespace

ViewTree BuildScopeTree(const Profile& profile, std::vector<std::string_view> names,
                        const std::vector<bool>& accounted, const NameMatcher& account) {
  ScopeTrie trie(profile.size());
  const auto name = [&](size_t n) { return names.empty() ? profile.Name(NodeId(n)) : names[n]; };
  constexpr size_t kTogether = 32;
  for (size_t begin = 0; begin < profile.size(); begin += kTogether) {
    const size_t end = std::min(begin + kTogether, profile.size());
    for (size_t n = begin; n < end; ++n) {
      if (n + kTogether < profile.size()) __builtin_prefetch(name(n + kTogether).data());
      trie.Expect(name(n));
    }
    trie.Insert(NodeId(begin));
  }
  trie.Close();
  std::vector<std::string_view>().swap(names);  // the trie has them
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
  const auto by_component = [&](uint32_t a, uint32_t b) { return scopes[a].text() < scopes[b].text(); };

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
    if (!trie.InOrder(s)) std::sort(begin, end, by_component);
    for (auto c = end; c != begin;) stack.push_back({*--c, entry});
  }
  tree.Close();
  return tree;
}

}  // namespace tfprof
