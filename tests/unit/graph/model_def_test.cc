#include "graph/model_def.h"

#include <gtest/gtest.h>

#include "graph/object_graph.h"
#include "support/made_graph.h"

namespace tfprof {
namespace {

std::string Child(uint32_t node, std::string_view name) {
  return BytesField(1, VarintField(1, node) + BytesField(2, name));
}
std::string Variable(std::string_view name, const std::vector<int64_t>& dims, bool trainable) {
  return BytesField(7, VarintField(1, 1) + BytesField(2, ShapeProto(dims)) + VarintField(3, trainable) +
                           BytesField(6, name));
}
std::string Objects(const std::vector<std::string>& objects) {
  std::string out;
  for (const std::string& object : objects) out += BytesField(1, object);
  return out;
}

TEST(ObjectGraph, CopiesOfAVariableCountOnce) {
  // Keras' export: the root knows the model's layers, and a list with copies of all variables.
  const std::string graph = Objects({
      Child(1, "layer") + Child(2, "_all_variables"),
      Child(3, "kernel"),
      Child(4, "0"),
      Variable("dense/kernel", {4, 5}, true),
      Variable("dense/kernel", {4, 5}, true),
  });
  const std::vector<VariableDef> found = ReadObjectVariables(graph);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].name, "dense/kernel");
  EXPECT_EQ(found[0].shape, (Shape{4, 5}));
  EXPECT_EQ(found[0].trainable, true);
}

TEST(ObjectGraph, TwoLayersMayNameTheirVariablesAlike) {
  const std::string graph = Objects({Child(1, "a") + Child(2, "b"), Child(3, "w"), Child(4, "w"),
                                     Variable("w", {4, 5}, true), Variable("w", {4, 5}, true)});
  EXPECT_EQ(ReadObjectVariables(graph).size(), 2u);
}

TEST(ObjectGraph, OptimizersAndSeedsAreNoParameters) {
  const std::string graph = Objects({
      Child(1, "model") + Child(2, "optimizer") + Child(5, "seed"),
      Child(3, "w"),
      Child(4, "m"),
      Variable("w", {7}, true),
      Variable("w/momentum", {7}, false),
      Variable("dropout/seed_generator_state", {2}, false),
  });
  const std::vector<VariableDef> found = ReadObjectVariables(graph);
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].role, VariableRole::kParameter);
  EXPECT_EQ(found[1].role, VariableRole::kOptimizer);
  EXPECT_EQ(found[2].role, VariableRole::kOther);
}

TEST(ObjectGraph, EdgesToNowhereAndInCircles) {
  EXPECT_TRUE(ReadObjectVariables("").empty());
  EXPECT_TRUE(ReadObjectVariables("\xff\xff\xff").empty());
  const std::string graph = Objects({Child(0, "self") + Child(4'000'000'000u, "nowhere") + Child(1, "w"),
                                     Variable("w", {1}, true) + Child(0, "back")});
  EXPECT_EQ(ReadObjectVariables(graph).size(), 1u);
}

std::string MetaGraph(const std::vector<std::string>& tags) {
  std::string info;
  for (const std::string& tag : tags) info += BytesField(4, tag);
  return BytesField(1, info) +
         BytesField(2, GraphMaker().Input(tags.empty() ? "none" : tags[0], {1}).Bytes());
}

TEST(SavedModel, TagsChoose) {
  const std::string model = VarintField(1, 1) + BytesField(2, MetaGraph({"train"})) +
                            BytesField(2, MetaGraph({"serve", "gpu"})) + BytesField(2, MetaGraph({"serve"}));
  const auto tags = [&](std::string_view wanted) {
    const Result<ModelDef> def = ReadSavedModel(model, wanted, "m");
    return def ? std::vector<std::string>(def->tags.begin(), def->tags.end())
               : std::vector<std::string>{def.error().message};
  };
  EXPECT_EQ(tags(""), (std::vector<std::string>{"serve", "gpu"})) << "the first for serving";
  EXPECT_EQ(tags("serve"), (std::vector<std::string>{"serve"}));
  EXPECT_EQ(tags("gpu,serve"), (std::vector<std::string>{"serve", "gpu"}));
  EXPECT_EQ(tags("train"), (std::vector<std::string>{"train"}));
  EXPECT_EQ(tags("tpu"),
            (std::vector<std::string>{"m: no graph is tagged tpu; there are {train}, {serve,gpu}, {serve}"}));
  EXPECT_FALSE(ReadSavedModel("", "", "m"));
}

TEST(MetaGraph, CollectionsNameVariables) {
  const auto entry = [](std::string_view key, const std::vector<std::string>& names) {
    std::string list;
    for (const std::string& name : names) list += BytesField(1, BytesField(1, name));
    return BytesField(4, BytesField(1, key) + BytesField(2, BytesField(2, list)));
  };
  const std::string graph = GraphMaker().Input("x", {1}).Bytes();
  const std::string bytes =
      BytesField(2, graph) + entry("variables", {"w:0", "step:0"}) + entry("trainable_variables", {"w:0"});
  const ModelDef def = ReadMetaGraph(bytes);
  ASSERT_EQ(def.variables.size(), 2u);
  EXPECT_EQ(def.variables[0].name, "w");
  EXPECT_EQ(def.variables[0].trainable, true);
  EXPECT_EQ(def.variables[1].trainable, false);
}

}  // namespace
}  // namespace tfprof
