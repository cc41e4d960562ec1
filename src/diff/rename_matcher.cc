#include "diff/rename_matcher.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "base/hash.h"

namespace tfprof {
namespace {

// Inputs and consumers of every node, back to back.
struct Edges {
  explicit Edges(const DiffGraph& graph) : input_begin(graph.size() + 1), consumer_begin(graph.size() + 1) {
    std::vector<uint32_t> found;
    for (uint32_t n = 0; n < graph.size(); ++n) {
      graph.Inputs(n, &found);
      inputs.insert(inputs.end(), found.begin(), found.end());
      input_begin[n + 1] = static_cast<uint32_t>(inputs.size());
      for (uint32_t i : found) ++consumer_begin[i + 1];
    }
    for (size_t n = 0; n < graph.size(); ++n) consumer_begin[n + 1] += consumer_begin[n];
    consumers.resize(inputs.size());
    std::vector<uint32_t> next(consumer_begin.begin(), consumer_begin.end() - 1);
    for (uint32_t n = 0; n < graph.size(); ++n) {
      for (uint32_t i : InputsOf(n)) consumers[next[i]++] = n;
    }
  }
  std::span<const uint32_t> InputsOf(uint32_t n) const {
    return {inputs.data() + input_begin[n], input_begin[n + 1] - input_begin[n]};
  }
  std::span<const uint32_t> ConsumersOf(uint32_t n) const {
    return {consumers.data() + consumer_begin[n], consumer_begin[n + 1] - consumer_begin[n]};
  }
  std::vector<uint32_t> inputs, input_begin, consumers, consumer_begin;
};

std::string_view LastPart(std::string_view name) { return name.substr(name.rfind('/') + 1); }

// What is left of two names when the parts at their ends that are equal are cut.
std::pair<std::string_view, std::string_view> ChangedParts(std::string_view a, std::string_view b) {
  while (true) {
    const size_t slash_a = a.rfind('/'), slash_b = b.rfind('/');
    if (slash_a == std::string_view::npos || slash_b == std::string_view::npos) return {a, b};
    if (a.substr(slash_a) != b.substr(slash_b)) return {a, b};
    a = a.substr(0, slash_a);
    b = b.substr(0, slash_b);
  }
}

constexpr size_t kMostNear = 16;
constexpr int kMostLevels = 64;  // each is looked up by its whole name

enum Why : uint8_t { kNeighbours, kOnlyOne, kScope };

class Matcher {
 public:
  Matcher(const DiffGraph& from, const DiffGraph& to, std::vector<uint32_t>* partner_of_from,
          std::vector<uint32_t>* partner_of_to)
      : graphs_{&from, &to}, edges_{Edges(from), Edges(to)}, partner_{partner_of_from, partner_of_to} {}

  std::vector<FoundRename> Run() {
    StartAtAnchors();
    Spread();
    TakeOnlyOnes();
    Spread();
    DropLoners();
    FollowScopes();
    return Condensed();
  }

 private:
  bool Free(size_t side, uint32_t n) const { return (*partner_[side])[n] == kNoIndex; }
  uint64_t Kind(size_t side, uint32_t n) const {
    return HashText(graphs_[side]->Op(n), graphs_[side]->ShapeHash(n));
  }

  void Match(uint32_t a, uint32_t b, Why why) {
    (*partner_[0])[a] = b;
    (*partner_[1])[b] = a;
    queue_.emplace_back(a, b);
    found_.push_back({a, b, why});
  }

  void StartAtAnchors() {
    for (uint32_t n = 0; n < graphs_[0]->size(); ++n) {
      if (!Free(0, n)) continue;
      for (const auto& near : {edges_[0].InputsOf(n), edges_[0].ConsumersOf(n)}) {
        for (uint32_t a : near) {
          const uint32_t b = (*partner_[0])[a];
          if (b != kNoIndex) queue_.emplace_back(a, b);
        }
      }
    }
    std::sort(queue_.begin(), queue_.end());
    queue_.erase(std::unique(queue_.begin(), queue_.end()), queue_.end());
  }

  void Spread() {
    for (; next_ < queue_.size(); ++next_) {
      const auto [a, b] = queue_[next_];
      const auto in_a = edges_[0].InputsOf(a), in_b = edges_[1].InputsOf(b);
      // In a long list (an AddN, the group of all updates) a place says nothing.
      if (in_a.size() == in_b.size() && in_a.size() <= kMostNear) {
        for (size_t i = 0; i < in_a.size(); ++i) Try(in_a[i], in_b[i]);
      }
      MatchConsumers(a, b);
    }
  }

  // Two nodes in the same place. A new last name part wants more evidence: everything around must agree.
  void Try(uint32_t x, uint32_t y) {
    if (!Free(0, x) || !Free(1, y) || Kind(0, x) != Kind(1, y)) return;
    const bool same_part = LastPart(graphs_[0]->Name(x)) == LastPart(graphs_[1]->Name(y));
    if (Agrees(edges_[0].InputsOf(x), edges_[1].InputsOf(y), !same_part) &&
        (same_part || Agrees(edges_[0].ConsumersOf(x), edges_[1].ConsumersOf(y), true)))
      Match(x, y, kNeighbours);
  }

  // No neighbour is matched to anything but its counterpart; `all`: each one is matched to it.
  bool Agrees(std::span<const uint32_t> of_x, std::span<const uint32_t> of_y, bool all) const {
    if (of_x.size() != of_y.size()) return false;
    for (size_t i = 0; i < of_x.size(); ++i) {
      const bool free = Free(0, of_x[i]) && Free(1, of_y[i]);
      if (free ? all : (*partner_[0])[of_x[i]] != of_y[i]) return false;
    }
    return true;
  }

  // Consumers with the same op type and shapes; where there are several, those with the same last name part.
  void MatchConsumers(uint32_t a, uint32_t b) {
    const auto of_a = edges_[0].ConsumersOf(a), of_b = edges_[1].ConsumersOf(b);
    if (of_a.size() > kMostNear || of_b.size() > kMostNear) return;  // what everything uses
    for (const bool with_name : {false, true}) {
      candidates_.clear();
      Collect(0, of_a, with_name);
      const size_t middle = candidates_.size();
      if (middle > 0) Collect(1, of_b, with_name);
      if (middle == 0 || candidates_.size() == middle) return;
      std::sort(candidates_.begin(), candidates_.end());
      for (size_t i = 0, end = 0; i < candidates_.size(); i = end) {
        while (end < candidates_.size() && candidates_[end].kind == candidates_[i].kind) ++end;
        const bool pair = end - i == 2 && candidates_[i].side != candidates_[i + 1].side;
        if (pair) Try(candidates_[i].node, candidates_[i + 1].node);
      }
    }
  }

  struct Candidate {
    uint64_t kind;
    uint32_t side, node;
    auto operator<=>(const Candidate&) const = default;
  };

  uint64_t NamedKind(size_t side, uint32_t n) const {
    return HashText(LastPart(graphs_[side]->Name(n)), Kind(side, n));
  }

  void Collect(size_t side, std::span<const uint32_t> nodes, bool with_name) {
    uint32_t last = kNoIndex;
    for (uint32_t n : nodes) {
      if (n == last || !Free(side, n)) continue;  // a node that consumes it twice
      last = n;
      candidates_.push_back({with_name ? NamedKind(side, n) : Kind(side, n), static_cast<uint32_t>(side), n});
    }
  }

  void TakeOnlyOnes() {
    candidates_.clear();
    for (const size_t side : {0, 1}) {
      for (uint32_t n = 0; n < graphs_[side]->size(); ++n) {
        if (Free(side, n)) candidates_.push_back({NamedKind(side, n), static_cast<uint32_t>(side), n});
      }
    }
    std::sort(candidates_.begin(), candidates_.end());
    for (size_t i = 0, end = 0; i < candidates_.size(); i = end) {
      while (end < candidates_.size() && candidates_[end].kind == candidates_[i].kind) ++end;
      const bool pair = end - i == 2 && candidates_[i].side != candidates_[i + 1].side;
      if (pair) Match(candidates_[i].node, candidates_[i + 1].node, kOnlyOne);
    }
    std::sort(found_.begin(), found_.end(), [](const Found& a, const Found& b) { return a.from < b.from; });
    std::sort(queue_.begin() + static_cast<std::ptrdiff_t>(next_),
              queue_.end());  // not in the order of hashes
  }

  bool HasMatchedNeighbour(uint32_t a, uint32_t b) const {
    const auto agrees = [this](std::span<const uint32_t> of_a, std::span<const uint32_t> of_b) {
      return std::any_of(of_a.begin(), of_a.end(), [&](uint32_t n) {
        return std::find(of_b.begin(), of_b.end(), (*partner_[0])[n]) != of_b.end();
      });
    };
    return agrees(edges_[0].InputsOf(a), edges_[1].InputsOf(b)) ||
           agrees(edges_[0].ConsumersOf(a), edges_[1].ConsumersOf(b));
  }

  // The only node of its kind is no evidence by itself: what lies around it must have been matched too.
  void DropLoners() {
    const auto is_loner = [this](const Found& match) {
      return match.why == kOnlyOne && !HasMatchedNeighbour(match.from, match.to);
    };
    const auto kept =
        std::stable_partition(found_.begin(), found_.end(), [&](const Found& m) { return !is_loner(m); });
    for (auto m = kept; m != found_.end(); ++m) {
      (*partner_[0])[m->from] = kNoIndex;
      (*partner_[1])[m->to] = kNoIndex;
    }
    found_.erase(kept, found_.end());
  }

  // Where unit_1 became block_1 for most nodes, unit_1/x is block_1/x if the op type agrees, whatever its
  // shape.
  void FollowScopes() {
    using Scope = std::string_view;
    std::map<std::pair<Scope, Scope>, int64_t> votes;
    for (const auto& match : found_)
      ++votes[ChangedParts(graphs_[0]->Name(match.from), graphs_[1]->Name(match.to))];
    std::map<Scope, int64_t> voters;
    for (const auto& [scopes, count] : votes) voters[scopes.first] += count;
    std::unordered_map<Scope, Scope> winner;
    for (const auto& [scopes, count] : votes) {
      if (2 * count > voters[scopes.first]) winner[scopes.first] = scopes.second;
    }
    std::unordered_map<std::string_view, uint32_t> free;
    for (uint32_t n = 0; n < graphs_[1]->size(); ++n) {
      if (Free(1, n)) free.emplace(graphs_[1]->Name(n), n);
    }
    for (uint32_t n = 0; n < graphs_[0]->size() && !free.empty() && !winner.empty(); ++n) {
      if (!Free(0, n)) continue;
      const std::string_view name = graphs_[0]->Name(n);
      size_t end = name.rfind('/');
      for (int level = 0; level < kMostLevels && end != std::string_view::npos && end > 0;
           ++level, end = name.rfind('/', end - 1)) {
        const auto scope = winner.find(name.substr(0, end));
        if (scope == winner.end()) continue;
        const auto other = free.find(std::string(scope->second) + std::string(name.substr(end)));
        if (other == free.end() || !Free(1, other->second)) continue;
        if (graphs_[1]->Op(other->second) != graphs_[0]->Op(n)) continue;
        Match(n, other->second, kScope);
        break;
      }
    }
  }

  std::vector<FoundRename> Condensed() const {
    std::map<std::pair<std::string_view, std::string_view>, std::array<int64_t, 3>> by_scope;
    for (const Found& match : found_)
      ++by_scope[ChangedParts(graphs_[0]->Name(match.from), graphs_[1]->Name(match.to))][match.why];
    std::vector<FoundRename> out;
    for (const auto& entry : by_scope) {
      const std::array<int64_t, 3>& counts = entry.second;
      FoundRename& rename = out.emplace_back();
      rename.from = entry.first.first;
      rename.to = entry.first.second;
      rename.nodes = counts[kNeighbours] + counts[kOnlyOne] + counts[kScope];
      const auto add = [&](Why why, std::string_view text) {
        if (counts[why] == 0) return;
        if (!rename.reason.empty()) rename.reason += "; ";
        rename.reason +=
            counts[why] == rename.nodes ? std::string(text) : fmt::format("{} of {}", text, counts[why]);
      };
      add(kNeighbours, "same op type, shapes and neighbours");
      add(kOnlyOne, "the only one of its op type, shapes and last name part");
      add(kScope, "same op type, and its scope was renamed");
    }
    return out;
  }

  struct Found {
    uint32_t from, to;
    Why why;
  };

  const DiffGraph* graphs_[2];
  Edges edges_[2];
  std::vector<uint32_t>* partner_[2];
  std::vector<std::pair<uint32_t, uint32_t>> queue_;
  size_t next_ = 0;
  std::vector<Found> found_;
  std::vector<Candidate> candidates_;  // of the step at hand
};

}  // namespace

std::vector<FoundRename> MatchRenamed(const DiffGraph& from, const DiffGraph& to,
                                      std::vector<uint32_t>* partner_of_from,
                                      std::vector<uint32_t>* partner_of_to) {
  return Matcher(from, to, partner_of_from, partner_of_to).Run();
}

}  // namespace tfprof
