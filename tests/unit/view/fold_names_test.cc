#include "view/fold_names.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <random>

namespace tfprof {
namespace {

std::string ScopeOf(const NameFolder& folder, uint32_t scope) {
  std::vector<std::string_view> parts;
  folder.PartsOf(scope, &parts);
  std::string out;
  for (size_t i = 0; i < parts.size(); ++i) out.append(i > 0 ? "/" : "").append(parts[i]);
  return out;
}

std::string Join(const std::string& scope, std::string_view name) {
  return (scope.empty() ? scope : scope + "/") + std::string(name);
}

// Folds every name, as known together.
std::map<std::string, std::string> Folded(const std::vector<std::string_view>& variables,
                                          std::vector<std::string_view> nodes) {
  nodes.insert(nodes.end(), variables.begin(), variables.end());
  const std::string_view state[] = {"adam/iteration", "sgd_1/iteration"};
  StringPool pool;
  std::vector<StringId> ids;
  for (const std::string_view node : nodes) ids.push_back(pool.Intern(node));
  NameFolder folder(variables, state, pool, ids);
  std::map<std::string, std::string> out;
  for (size_t n = 0; n < nodes.size(); ++n) {
    const uint32_t number = folder.ScopeOf(n);
    const std::string scope = number == NameFolder::kWhole ? "" : ScopeOf(folder, number);
    for (uint32_t at = number; at != NameFolder::kWhole;) {
      const NameFolder::Folded below = folder.Below(at);
      if (below.scope != NameFolder::kWhole) {
        EXPECT_EQ(ScopeOf(folder, at), Join(ScopeOf(folder, below.scope), below.name)) << nodes[n];
      }
      at = below.scope;
    }
    out[std::string(nodes[n])] = Join(scope, folder.NameOf(n));
  }
  return out;
}

void Expect(const std::vector<std::string_view>& variables,
            const std::vector<std::pair<std::string_view, std::string_view>>& cases) {
  std::vector<std::string_view> nodes;
  for (const auto& [name, want] : cases) nodes.push_back(name);
  const auto folded = Folded(variables, nodes);
  for (const auto& [name, want] : cases) EXPECT_EQ(folded.at(std::string(name)), want) << name;
}

TEST(FoldNames, ATrainingStepOfKeras) {
  Expect(
      {"sequential/dense/kernel", "sequential/dense_1/kernel", "sequential/dense_1/bias"},
      {
          {"sequential/dense/kernel", "dense/kernel"},
          {"StatefulPartitionedCall/sequential_1/dense_1/MatMul", "dense/(forward)/MatMul"},
          {"StatefulPartitionedCall/sequential_1/dense_1/Cast/ReadVariableOp",
           "dense/(forward)/Cast/ReadVariableOp"},
          {"StatefulPartitionedCall/sequential_1/dense_1_2/BiasAdd", "dense_1/(forward)/BiasAdd"},
          {"StatefulPartitionedCall/gradient_tape/sequential_1/dense_1/MatMul_1",
           "dense/(backward)/MatMul_1"},
          {"StatefulPartitionedCall/gradient_tape/sequential_1/dense_1_2/MatMul",
           "dense_1/(backward)/MatMul"},
          {"StatefulPartitionedCall/sequential_1/dropout_1/mul", "dropout/(forward)/mul"},
          {"StatefulPartitionedCall/gradient_tape/sequential_1/dropout_1/mul", "dropout/(backward)/mul"},
          {"StatefulPartitionedCall/sequential_1/flatten_1/Reshape", "flatten/Reshape"},
          {"StatefulPartitionedCall/compile_loss/mse/Sum", "compile_loss/(forward)/mse/Sum"},
          {"StatefulPartitionedCall/gradient_tape/compile_loss/mse/Sum", "compile_loss/(backward)/mse/Sum"},
          {"StatefulPartitionedCall/adam/Mul_1", "adam/Mul_1"},
          {"StatefulPartitionedCall/Add", "(no layer)/Add"},
          {"StatefulPartitionedCall/Add/ReadVariableOp", "(no layer)/Add/ReadVariableOp"},
          {"StatefulPartitionedCall", "StatefulPartitionedCall"},
          {"accuracy/total", "accuracy/total"},
      });
}

TEST(FoldNames, ScopesThatAreNotNumberedStayApart) {
  Expect({"model/dense/kernel", "model/dense_1/kernel"},
         {
             {"StatefulPartitionedCall/model/dense/MatMul", "dense/MatMul"},
             {"StatefulPartitionedCall/model/dense_1/MatMul", "dense_1/MatMul"},
             {"StatefulPartitionedCall/model/dense_1_1/MatMul", "dense_1/MatMul"},
         });
}

TEST(FoldNames, VariablesWithoutTheModelsName) {
  Expect({"dense/kernel", "dense_1/kernel"},
         {
             {"StatefulPartitionedCall/model/dense/MatMul", "dense/(forward)/MatMul"},
             {"StatefulPartitionedCall/gradient_tape/model/dense/MatMul", "dense/(backward)/MatMul"},
             {"StatefulPartitionedCall/model/dense_1/MatMul", "dense_1/MatMul"},
         });
}

TEST(FoldNames, NumberedScopesOfVariablesWithoutTheModelsName) {
  Expect({"add/scale", "norm/gamma", "norm_1/gamma"},
         {
             {"norm/gamma", "norm/gamma"},
             {"norm_1/gamma", "norm_1/gamma"},
             {"StatefulPartitionedCall/functional_1_1/norm_1/mul", "norm/mul"},
             {"StatefulPartitionedCall/functional_1_1/norm_1_2/mul", "norm_1/mul"},
         });
}

TEST(FoldNames, PartsOfLayersAreNoLayers) {
  Expect({"sequential/lstm/lstm_cell/kernel", "sequential/dense/kernel"},
         {
             {"StatefulPartitionedCall/sequential_1/lstm_1/Write/Push", "lstm/(forward)/Write/Push"},
             {"StatefulPartitionedCall/gradient_tape/sequential_1/lstm_1/while_grad/body/_4/gradient_tape/"
              "sequential_1/lstm_1/while/gradients/AddN",
              "lstm/(backward)/gradients/AddN"},
         });
}

TEST(FoldNames, BodiesOfLoops) {
  Expect({"sequential/lstm/lstm_cell/kernel", "sequential/dense/kernel"},
         {
             {"StatefulPartitionedCall/sequential_1/lstm_1/while/body/_12/sequential_1/lstm_1/while/"
              "lstm_cell_1/MatMul",
              "lstm/lstm_cell/MatMul"},
             {"sequential_1/lstm_1/while/sequential_1/lstm_1/while/add", "lstm/add"},
             {"sequential_1/lstm_1/transpose", "lstm/transpose"},
         });
  Expect(
      {"sequential/lstm/lstm_cell/kernel", "sequential/dense/kernel"},
      {
          {"StatefulPartitionedCall/sequential_1/lstm_1/while/body/_12/sequential_1/lstm_1/while/"
           "lstm_cell_1/MatMul",
           "lstm/lstm_cell/(forward)/MatMul"},
          {"StatefulPartitionedCall/gradient_tape/sequential_1/lstm_1/while/sequential_1/lstm_1/while_grad/"
           "body/_40/gradient_tape/sequential_1/lstm_1/while/lstm_cell_1/MatMul",
           "lstm/lstm_cell/(backward)/MatMul"},
      });
}

TEST(FoldNames, GradientsOfTensorFlow1) {
  Expect({"conv1/weights", "conv1/biases", "fc/weights"},
         {
             {"conv1/weights", "conv1/weights"},
             {"conv1/weights/Initializer/zeros", "conv1/weights/Initializer/zeros"},
             {"conv1/Conv2D", "conv1/(forward)/Conv2D"},
             {"gradients/conv1/Conv2D_grad/ShapeN", "conv1/(backward)/Conv2D_grad/ShapeN"},
             {"gradients/AddN", "(no layer)/(backward)/AddN"},
             {"fc/MatMul", "fc/MatMul"},
             {"save/RestoreV2", "save/RestoreV2"},
         });
}

// Each part of a name is looked at once, however often the model's own scope is repeated in it.
TEST(FoldNames, NamesOfManyParts) {
  std::string deep = "gradients";
  for (int i = 0; i < 100'000; ++i) deep += "/model/while_grad/_1";
  const std::string name = deep + "/model/dense/MatMul";
  Expect({"model/dense/kernel", "model/conv/kernel"}, {{name, "dense/(backward)/MatMul"}});
}

TEST(FoldNames, TwoModelsKeepTheirNames) {
  Expect({"generator/dense/kernel", "discriminator/dense/kernel"},
         {
             {"StatefulPartitionedCall/generator_1/dense_1/MatMul", "generator/dense/MatMul"},
             {"StatefulPartitionedCall/discriminator_1/dense_1/MatMul", "discriminator/dense/MatMul"},
         });
}

TEST(FoldNames, WhatNoMachineryNamedTellsNothing) {
  for (const std::string_view name : {"sequential_1/dense_1/MatMul", "a", "", "/", "a//b", "x/", "gradients",
                                      "while/gradients", "gradients_of/a"})
    EXPECT_FALSE(NameFolder::Folds(name)) << name;
  for (const std::string_view name :
       {"gradients/a", "gradients_1/a", "StatefulPartitionedCall/", "PartitionedCall_2/x"})
    EXPECT_TRUE(NameFolder::Folds(name)) << name;
}

// What holds of one name is known of the next where they begin alike: in any order the same comes out.
TEST(FoldNames, TheOrderOfNodesDoesNotMatter) {
  const std::vector<std::string_view> parts = {"StatefulPartitionedCall",
                                               "gradient_tape",
                                               "model",
                                               "model_1",
                                               "block",
                                               "block_1",
                                               "block_2",
                                               "dense",
                                               "dense_1",
                                               "while",
                                               "body",
                                               "while_grad",
                                               "adam",
                                               "sgd_1",
                                               "MatMul",
                                               "kernel",
                                               ""};
  for (uint32_t seed = 0; seed < 30; ++seed) {
    std::mt19937 random(seed);
    const auto path = [&](size_t most) {
      std::string out(parts[random() % parts.size()]);
      for (size_t more = random() % most; more > 0; --more)
        out.append("/").append(parts[random() % parts.size()]);
      return out;
    };
    std::deque<std::string> texts;
    std::vector<std::string_view> variables, nodes;
    for (int i = 0; i < 6; ++i) {
      const std::string_view wrapper = seed % 3 == 0 ? "model/" : "";
      variables.push_back(texts.emplace_back(std::string(wrapper) + path(3) + "/kernel"));
    }
    for (int i = 0; i < 300; ++i) nodes.push_back(texts.emplace_back(path(7)));
    std::sort(nodes.begin(), nodes.end());
    const auto sorted = Folded(variables, nodes);
    std::shuffle(nodes.begin(), nodes.end(), random);
    EXPECT_EQ(Folded(variables, nodes), sorted) << seed;
  }
}

}  // namespace
}  // namespace tfprof
