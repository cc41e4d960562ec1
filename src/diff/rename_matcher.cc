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
    FollowScopes();
    return Condensed();
  }

 private:
  bool Free(int side, uint32_t n) const { return (*partner_[side])[n] == kNoIndex; }
  uint64_t Kind(int side, uint32_t n) const {
    const std::string_view op = graphs_[side]->Op(n);
    return HashText(op, graphs_[side]->ShapeHash(n));
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
          if (!Free(0, a)) queue_.emplace_back(a, (*partner_[0])[a]);
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
      if (in_a.size() == in_b.size()) {
        for (size_t i = 0; i < in_a.size(); ++i) {
          if (Free(0, in_a[i]) && Free(1, in_b[i]) && Kind(0, in_a[i]) == Kind(1, in_b[i]))
            Match(in_a[i], in_b[i], kNeighbours);
        }
      }
      MatchConsumers(a, b);
    }
  }

  // Consumers with the same op type and shapes; where there are several, those with the same last name part.
  void MatchConsumers(uint32_t a, uint32_t b) {
    constexpr size_t kMost = 256;  // a constant that everything uses tells nothing
    if (edges_[0].ConsumersOf(a).size() > kMost || edges_[1].ConsumersOf(b).size() > kMost) return;
    for (const bool with_name : {false, true}) {
      std::map<uint64_t, Group> groups;
      Collect(0, edges_[0].ConsumersOf(a), with_name, &groups);
      Collect(1, edges_[1].ConsumersOf(b), with_name, &groups);
      for (const auto& [kind, group] : groups) {
        if (group.count[0] == 1 && group.count[1] == 1) Match(group.node[0], group.node[1], kNeighbours);
      }
    }
  }

  struct Group {
    std::array<uint32_t, 2> node{}, count{};
  };

  template <class Groups>
  void Collect(int side, std::span<const uint32_t> nodes, bool with_name, Groups* groups) const {
    uint32_t last = kNoIndex;
    for (uint32_t n : nodes) {
      if (n == last || !Free(side, n)) continue;  // a node that consumes it twice
      last = n;
      uint64_t kind = Kind(side, n);
      if (with_name) kind = HashText(LastPart(graphs_[side]->Name(n)), kind);
      Group& group = (*groups)[kind];
      group.node[static_cast<size_t>(side)] = n;
      ++group.count[static_cast<size_t>(side)];
    }
  }

  void TakeOnlyOnes() {
    std::unordered_map<uint64_t, Group> groups;
    std::vector<uint32_t> free;
    for (const int side : {0, 1}) {
      free.clear();
      for (uint32_t n = 0; n < graphs_[side]->size(); ++n) {
        if (Free(side, n)) free.push_back(n);
      }
      Collect(side, free, true, &groups);
    }
    for (uint32_t n = 0; n < graphs_[0]->size(); ++n) {  // in the order of the graph, not of the table
      if (!Free(0, n)) continue;
      const Group& group = groups[HashText(LastPart(graphs_[0]->Name(n)), Kind(0, n))];
      if (group.count[0] == 1 && group.count[1] == 1 && Free(1, group.node[1]))
        Match(n, group.node[1], kOnlyOne);
    }
  }

  // Where unit_1 became block_1 for most nodes, unit_1/x is block_1/x if the op type agrees, whatever its
  // shape.
  void FollowScopes() {
    using Scope = std::string_view;
    std::map<std::pair<Scope, Scope>, int64_t> votes;
    for (const auto& match : found_)
      ++votes[ChangedParts(graphs_[0]->Name(match.from), graphs_[1]->Name(match.to))];
    std::map<Scope, std::pair<int64_t, Scope>> winner;
    for (const auto& [scopes, count] : votes) {
      auto& best = winner[scopes.first];
      if (count > best.first) best = {count, scopes.second};
    }
    std::unordered_map<std::string_view, uint32_t> free;
    for (uint32_t n = 0; n < graphs_[1]->size(); ++n) {
      if (Free(1, n)) free.emplace(graphs_[1]->Name(n), n);
    }
    for (uint32_t n = 0; n < graphs_[0]->size() && !free.empty() && !winner.empty(); ++n) {
      if (!Free(0, n)) continue;
      const std::string_view name = graphs_[0]->Name(n);
      for (size_t end = name.rfind('/'); end != std::string_view::npos && end > 0;
           end = name.rfind('/', end - 1)) {
        const auto scope = winner.find(name.substr(0, end));
        if (scope == winner.end()) continue;
        const auto other = free.find(std::string(scope->second.second) + std::string(name.substr(end)));
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
};

}  // namespace

std::vector<FoundRename> MatchRenamed(const DiffGraph& from, const DiffGraph& to,
                                      std::vector<uint32_t>* partner_of_from,
                                      std::vector<uint32_t>* partner_of_to) {
  return Matcher(from, to, partner_of_from, partner_of_to).Run();
}

}  // namespace tfprof
