#include "diff/rename_matcher.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace tfprof {
namespace {

struct Node {
  std::string name, op;
  uint64_t shape = 0;
  std::vector<std::string> inputs;
};

class MadeGraph : public DiffGraph {
 public:
  explicit MadeGraph(std::vector<Node> nodes) : nodes_(std::move(nodes)) {
    for (uint32_t n = 0; n < nodes_.size(); ++n) index_[nodes_[n].name] = n;
  }
  size_t size() const override { return nodes_.size(); }
  std::string_view Name(uint32_t n) const override { return nodes_[n].name; }
  std::string_view Op(uint32_t n) const override { return nodes_[n].op; }
  uint64_t ShapeHash(uint32_t n) const override { return nodes_[n].shape; }
  void Inputs(uint32_t n, std::vector<uint32_t>* out) const override {
    out->clear();
    for (const std::string& input : nodes_[n].inputs) out->push_back(index_.at(input));
  }
  uint32_t Find(std::string_view name) const {
    const auto found = index_.find(std::string(name));
    return found == index_.end() ? kNoIndex : found->second;
  }

 private:
  std::vector<Node> nodes_;
  std::map<std::string, uint32_t> index_;
};

// "from -> to xN", in order of the names.
std::vector<std::string> Renames(const std::vector<Node>& from, const std::vector<Node>& to) {
  const MadeGraph a(from), b(to);
  std::vector<uint32_t> partner_a, partner_b;
  for (const Node& node : from) partner_a.push_back(b.Find(node.name));
  for (const Node& node : to) partner_b.push_back(a.Find(node.name));
  std::vector<std::string> out;
  for (const FoundRename& rename : MatchRenamed(a, b, &partner_a, &partner_b)) {
    EXPECT_FALSE(rename.reason.empty());
    out.push_back(rename.from + " -> " + rename.to + " x" + std::to_string(rename.nodes));
  }
  return out;
}

using Found = std::vector<std::string>;

std::vector<Node> Chain(const std::string& scope, int layers) {
  std::vector<Node> out{{"x", "Placeholder", 1, {}}};
  std::string last = "x";
  for (int i = 0; i < layers; ++i) {
    const std::string here = scope + std::to_string(i);
    out.push_back({here + "/w", "Variable", 2, {}});
    out.push_back({here + "/mul", "MatMul", 1, {last, here + "/w"}});
    out.push_back({here + "/relu", "Relu", 1, {here + "/mul"}});
    last = here + "/relu";
  }
  out.push_back({"loss", "Sum", 3, {last}});
  return out;
}

TEST(RenameMatcher, FollowsALongChainOfRenamedLayers) {
  EXPECT_EQ(Renames(Chain("unit_", 3), Chain("block_", 3)),
            (Found{"unit_0 -> block_0 x3", "unit_1 -> block_1 x3", "unit_2 -> block_2 x3"}));
  EXPECT_EQ(Renames(Chain("unit_", 500), Chain("block_", 500)).size(), 500u);
}

TEST(RenameMatcher, NothingIsRenamedInTheSameGraph) {
  EXPECT_EQ(Renames(Chain("a", 3), Chain("a", 3)), Found{});
}

TEST(RenameMatcher, AnotherOpOrShapeIsAnotherNode) {
  const std::vector<Node> old{{"x", "Placeholder", 1, {}}, {"a", "Relu", 1, {"x"}}, {"y", "Sum", 1, {"a"}}};
  std::vector<Node> same = old, op = old, shape = old;
  same[1] = {"b", "Relu", 1, {"x"}};
  op[1] = {"b", "Elu", 1, {"x"}};
  shape[1] = {"b", "Relu", 2, {"x"}};
  for (auto* nodes : {&same, &op, &shape}) (*nodes)[2].inputs = {"b"};
  EXPECT_EQ(Renames(old, same), Found{"a -> b x1"});
  EXPECT_EQ(Renames(old, op), Found{});
  EXPECT_EQ(Renames(old, shape), Found{});
}

TEST(RenameMatcher, TwoCandidatesAreLeftAlone) {
  const std::vector<Node> old{
      {"x", "Placeholder", 1, {}}, {"a/p", "Relu", 1, {"x"}}, {"b/p", "Relu", 1, {"x"}}};
  const std::vector<Node> fresh{
      {"x", "Placeholder", 1, {}}, {"c/p", "Relu", 1, {"x"}}, {"d/p", "Relu", 1, {"x"}}};
  EXPECT_EQ(Renames(old, fresh), Found{});
}

TEST(RenameMatcher, WithoutAnchorsNodesThatAreTheOnlyOnesOfTheirKindAreASeed) {
  std::vector<Node> old{{"net/x", "Placeholder", 1, {}}, {"net/mul", "Mul", 1, {"net/x"}}};
  std::vector<Node> fresh{{"model/x", "Placeholder", 1, {}}, {"model/mul", "Mul", 1, {"model/x"}}};
  EXPECT_EQ(Renames(old, fresh), Found{"net -> model x2"});
  // Alone, the only one of its kind is no evidence.
  old = {{"p/x", "Placeholder", 1, {}}, {"p/a", "Add", 1, {"p/x"}}};
  fresh = {{"q/x", "Placeholder", 1, {}}, {"q/s", "Sub", 1, {"q/x"}}};
  EXPECT_EQ(Renames(old, fresh), Found{});
}

TEST(RenameMatcher, ARenamedScopeTakesTheRestAlong) {
  std::vector<Node> old = Chain("unit_", 1), fresh = Chain("block_", 1);
  old.push_back({"unit_0/summary", "Histogram", 5, {}});
  fresh.push_back({"block_0/summary", "Histogram", 6, {}});  // of another shape, and nobody's neighbour
  EXPECT_EQ(Renames(old, fresh), Found{"unit_0 -> block_0 x4"});
}

TEST(RenameMatcher, ACycleEnds) {
  const std::vector<Node> old{{"a/m", "Merge", 1, {"a/n"}}, {"a/n", "Next", 1, {"a/m"}}};
  const std::vector<Node> fresh{{"b/m", "Merge", 1, {"b/n"}}, {"b/n", "Next", 1, {"b/m"}}};
  EXPECT_EQ(Renames(old, fresh), Found{"a -> b x2"});
}

}  // namespace
}  // namespace tfprof
