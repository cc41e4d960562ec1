// What a variable is kept for, told by its users and by its name.
#include "base/variable_roles.h"

#include <gtest/gtest.h>

namespace tfprof {
namespace {

VariableRole RoleOf(std::string_view name, std::vector<VariableFacts> variables) {
  const std::vector<VariableRole> roles = DecideRoles(variables);
  for (size_t i = 0; i < variables.size(); ++i) {
    if (variables[i].name == name) return roles[i];
  }
  return VariableRole::kNone;
}

VariableFacts Named(std::string_view name, std::vector<int64_t> dims = {}) {
  VariableFacts out;
  out.name = name;
  out.dims = std::move(dims);
  return out;
}

TEST(VariableRoles, OpsThatTrainTellTheirState) {
  EXPECT_EQ(StateInputs("ResourceApplyAdam"), 6u);
  EXPECT_EQ(StateInputs("ApplyMomentum"), 3u);
  EXPECT_EQ(StateInputs("ResourceSparseApplyFtrl"), 3u);
  EXPECT_EQ(StateInputs("SparseApplyAdagradV2"), 3u);
  EXPECT_EQ(StateInputs("ResourceApplyOfSomebody"), 1u);
  EXPECT_EQ(StateInputs("MatMul"), 0u);
  EXPECT_EQ(StateInputs("ResourceScatterAdd"), 0u);
}

TEST(VariableRoles, WhatIsTrainedIsAParameterWhateverItsName) {
  VariableFacts trained = Named("loss/total");
  trained.trained = true;
  EXPECT_EQ(RoleOf("loss/total", {trained, Named("loss/count")}), VariableRole::kParameter);
  VariableFacts slot = Named("any/name", {3});
  slot.slot = true;
  EXPECT_EQ(RoleOf("any/name", {slot}), VariableRole::kOptimizer);
}

TEST(VariableRoles, SlotsOfTensorFlow1LieBelowTheirVariable) {
  EXPECT_EQ(RoleOf("w/Momentum", {Named("w", {4, 5}), Named("w/Momentum", {4, 5})}),
            VariableRole::kOptimizer);
  EXPECT_EQ(RoleOf("w/scale", {Named("w", {4, 5}), Named("w/scale", {5})}), VariableRole::kParameter);
  EXPECT_EQ(RoleOf("w/ExponentialMovingAverage", {Named("w", {4}), Named("w/ExponentialMovingAverage", {4})}),
            VariableRole::kOther);
}

TEST(VariableRoles, AScopeWithIterationAndLearningRateIsAnOptimizer) {
  const std::vector<VariableFacts> all = {Named("sgd/iteration"), Named("sgd/learning_rate"),
                                          Named("sgd/dense_kernel_momentum", {2, 3}),
                                          Named("dense/kernel", {2, 3}), Named("other/learning_rate")};
  EXPECT_EQ(RoleOf("sgd/dense_kernel_momentum", all), VariableRole::kOptimizer);
  EXPECT_EQ(RoleOf("dense/kernel", all), VariableRole::kParameter);
  EXPECT_EQ(RoleOf("other/learning_rate", all), VariableRole::kParameter);
  EXPECT_EQ(RoleOf("Adam/m/dense/kernel", {Named("Adam/m/dense/kernel", {2}), Named("dense/kernel", {2})}),
            VariableRole::kOptimizer);
  EXPECT_EQ(RoleOf("target/net/kernel", {Named("target/net/kernel", {2}), Named("kernel", {2})}),
            VariableRole::kParameter);
}

TEST(VariableRoles, KeysOfCheckpoints) {
  EXPECT_EQ(RoleOf("a/w/.OPTIMIZER_SLOT/optimizer/m/.ATTRIBUTES/VARIABLE_VALUE",
                   {Named("a/w/.OPTIMIZER_SLOT/optimizer/m/.ATTRIBUTES/VARIABLE_VALUE", {2})}),
            VariableRole::kOptimizer);
  EXPECT_EQ(
      RoleOf("save_counter/.ATTRIBUTES/VARIABLE_VALUE", {Named("save_counter/.ATTRIBUTES/VARIABLE_VALUE")}),
      VariableRole::kOther);
}

}  // namespace
}  // namespace tfprof
