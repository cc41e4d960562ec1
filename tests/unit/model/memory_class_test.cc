// What memory is held for, told by graphs and names.
#include "model/memory_class.h"

#include <gtest/gtest.h>

#include "model/captured_run.h"
#include "model/profile_builder.h"

namespace tfprof {
namespace {

class MadeStep {
 public:
  MadeStep() : builder_(Detail::kExecutions, false) {}

  MadeStep& Node(const std::string& name, const std::string& op,
                 const std::vector<std::string>& inputs = {}) {
    EXPECT_TRUE(
        builder_.AddNode(builder_.profile().strings[Text(name)], builder_.profile().strings[Text(op)]));
    for (uint32_t i = 0; i < inputs.size(); ++i) builder_.AddInput(i, Text(inputs[i]));
    return *this;
  }
  void Finish() {
    profile_ = builder_.Finish();
    classes_ = std::make_unique<MemoryClasses>(*profile_);
  }
  std::string Of(const std::string& name) const {
    for (size_t n = 0; n < profile_->size(); ++n) {
      if (profile_->Name(NodeId(n)) == name) return std::string(NameOf(classes_->Of(NodeId(n))));
    }
    return "no such node";
  }
  const MemoryClasses& classes() const { return *classes_; }
  StringId Text(const std::string& text) { return builder_.profile().strings.InternCopy(text); }
  ProfileBuilder& builder() { return builder_; }

 private:
  ProfileBuilder builder_;
  std::shared_ptr<const Profile> profile_;
  std::unique_ptr<MemoryClasses> classes_;
};

TEST(MemoryClass, GraphsOfTensorFlow1) {
  MadeStep made;
  made.Node("x", "Placeholder")
      .Node("dense/kernel/init", "RandomUniform")
      .Node("dense/kernel", "VariableV2")
      .Node("dense/kernel/Assign", "Assign", {"dense/kernel", "dense/kernel/init"})
      .Node("dense/kernel/read", "Identity", {"dense/kernel"})
      .Node("dense/MatMul", "MatMul", {"x", "dense/kernel/read"})
      .Node("gradients/dense/MatMul_grad/MatMul", "MatMul", {"dense/MatMul", "x"})
      .Node("dense/kernel/Adam", "VariableV2")
      .Node("dense/kernel/Adam_1", "VariableV2")
      .Node("beta1_power", "VariableV2")
      .Node("beta2_power", "VariableV2")
      .Node("Adam/lr", "Const")
      .Node("Adam/update_dense/kernel/ApplyAdam", "ApplyAdam",
            {"dense/kernel", "dense/kernel/Adam", "dense/kernel/Adam_1", "beta1_power", "beta2_power",
             "Adam/lr", "Adam/lr", "Adam/lr", "Adam/lr", "gradients/dense/MatMul_grad/MatMul"})
      .Node("global_step", "VariableV2")
      .Node("c", "Const");
  made.Finish();
  EXPECT_EQ(made.Of("x"), "activations");
  EXPECT_EQ(made.Of("dense/kernel"), "parameters");
  EXPECT_EQ(made.Of("dense/kernel/init"), "parameters");  // it becomes the variable
  EXPECT_EQ(made.Of("dense/kernel/Assign"), "parameters");
  EXPECT_EQ(made.Of("dense/kernel/read"), "parameters");
  EXPECT_EQ(made.Of("dense/MatMul"), "activations");
  EXPECT_EQ(made.Of("gradients/dense/MatMul_grad/MatMul"), "gradients");
  EXPECT_EQ(made.Of("dense/kernel/Adam"), "optimizer");
  EXPECT_EQ(made.Of("Adam/update_dense/kernel/ApplyAdam"), "optimizer");
  EXPECT_EQ(made.Of("c"), "other state");
}

TEST(MemoryClass, GraphsOfKeras) {
  MadeStep made;
  made.Node("model/dense/kernel", "VarHandleOp")
      .Node("adamw/dense_kernel_momentum", "VarHandleOp")
      .Node("adamw/learning_rate", "VarHandleOp")
      .Node("adamw/iteration", "VarHandleOp")
      .Node("model/dense/ReadVariableOp", "ReadVariableOp", {"model/dense/kernel"})
      .Node("model/dense/MatMul", "MatMul", {"model/dense/ReadVariableOp", "model/dense/ReadVariableOp"})
      .Node("gradient_tape/model/dense/MatMul", "MatMul", {"model/dense/MatMul"})
      .Node("model/conv/Conv2DBackpropFilter", "Conv2DBackpropFilter")
      .Node("adamw/mul_3", "Mul", {"gradient_tape/model/dense/MatMul"})
      .Node("adamw/sub_1", "Sub", {"adamw/mul_3"})
      .Node("adamw/AssignVariableOp", "AssignVariableOp", {"model/dense/kernel", "adamw/sub_1"});
  made.Finish();
  EXPECT_EQ(made.Of("model/dense/kernel"), "parameters");
  EXPECT_EQ(made.Of("model/dense/ReadVariableOp"), "parameters");
  EXPECT_EQ(made.Of("model/dense/MatMul"), "activations");
  EXPECT_EQ(made.Of("gradient_tape/model/dense/MatMul"), "gradients");
  EXPECT_EQ(made.Of("model/conv/Conv2DBackpropFilter"), "gradients");
  EXPECT_EQ(made.Of("adamw/mul_3"), "optimizer");
  EXPECT_EQ(made.Of("adamw/sub_1"), "parameters");  // the variable takes its buffer
}

TEST(MemoryClass, ProgramsOfJax) {
  MadeStep made;
  auto run = std::make_shared<CapturedRun>();
  const auto name = [&](const char* text) { return made.Text(text); };
  const StringId forward = name("train/mlp/(forward)/dot"), backward = name("train/mlp/(backward)/dot"),
                 again = name("train/mlp/(recomputed)/dot"), plain = name("train/add"),
                 raw = name("jit(train)/transpose(jvp(mlp))/dot"),
                 other = name("jit_train/(other temporary memory)"), served = name("predict/mlp/dot"),
                 update = name("train/optimizer/sub");
  run->memory.shares = {{forward, 1}, {backward, 1}, {served, 1}};
  made.builder().profile().capture = run;
  made.Finish();
  const MemoryClasses& classes = made.classes();
  EXPECT_EQ(classes.OfProgramBuffer(forward), MemoryClass::kActivations);
  EXPECT_EQ(classes.OfProgramBuffer(backward), MemoryClass::kGradients);
  EXPECT_EQ(classes.OfProgramBuffer(again), MemoryClass::kActivations);
  EXPECT_EQ(classes.OfProgramBuffer(raw), MemoryClass::kGradients);
  EXPECT_EQ(classes.OfProgramBuffer(plain), MemoryClass::kTemporary);
  EXPECT_EQ(classes.OfProgramBuffer(other), MemoryClass::kTemporary);
  EXPECT_EQ(classes.OfProgramBuffer(served), MemoryClass::kActivations);  // no pass has a mark there
  EXPECT_EQ(classes.OfProgramBuffer(update), MemoryClass::kOptimizer);
  MemoryOwner output;
  output.is_program = output.is_output = true;
  EXPECT_EQ(classes.OfOwned(output, update, {}, false), MemoryClass::kOutputs);
  EXPECT_EQ(classes.OfOwned(output, backward, {}, false), MemoryClass::kGradients);
}

}  // namespace
}  // namespace tfprof
