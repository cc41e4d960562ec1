#include "estimate/formula.h"

#include <gtest/gtest.h>

#include <set>

#include "estimate/float_op_rules.h"
#include "support/made_graph.h"

namespace tfprof {
namespace {

class Made : public FormulaInputs {
 public:
  Made(std::vector<Shape> inputs, std::vector<Shape> outputs, const AttrList& attrs = {},
       std::string op = "X")
      : inputs_(std::move(inputs)),
        outputs_(std::move(outputs)),
        node_(NodeBytes("n", op, {}, attrs)),
        attributes_(node_, FindOpFacts(op), nullptr) {}
  size_t Inputs() const override { return inputs_.size(); }
  size_t Controls() const override { return 2; }
  Shape InputShape(size_t i) const override { return i < inputs_.size() ? inputs_[i] : Shape(); }
  Shape OutputShape(size_t i) const override { return i < outputs_.size() ? outputs_[i] : Shape(); }
  std::optional<int64_t> InputProduct(size_t i) const override {
    return i == 0 ? std::optional<int64_t>(9) : std::nullopt;
  }
  const Attributes& Attrs() const override { return attributes_; }

 private:
  std::vector<Shape> inputs_, outputs_;
  std::string node_;
  Attributes attributes_;
};

Count Evaluate(std::string_view text, const Made& inputs) {
  const Result<Formula> formula = Formula::Parse(text);
  return formula ? formula->Evaluate(inputs) : Count::None("does not parse: " + formula.error().message);
}

const Made& Example() {
  static const Made kMade(
      {Shape{2, 3}, Shape{4, -1}}, {Shape{5, 6, 7}, Shape()},
      {{"ksize", IntsValue({1, 2, 3, 1})}, {"flag", BoolValue(true)}, {"name", TextValue("SAME")}});
  return kMade;
}

TEST(Formula, EveryFunction) {
  const std::pair<const char*, int64_t> cases[] = {
      {"1 + 2 * 3", 7},
      {"(1 + 2) * 3", 9},
      {"10 - 4 - 3", 3},
      {"7 / 2 * 2", 6},
      {"7 * 2 / 2", 7},
      {"n(in0)", 6},
      {"2 * n(out0) * dim(in1, 0)", 1680},
      {"dim(out0, -1)", 7},
      {"rank(out0)", 3},
      {"attr(flag)", 1},
      {"attr(ksize, 2)", 3},
      {"attr(ksize, -1)", 1},
      {"prod(ksize)", 6},
      {"len(ksize)", 4},
      {"is(name, SAME) + is(name, VALID)", 1},
      {"value(in0)", 9},
      {"if(attr(flag), 5, 6)", 5},
      {"if(0, 5, 6)", 6},
      {"max(3, 8) + min(3, 8)", 11},
      {"log2(1) + log2(5) + log2(8)", 6},
      {"inputs * 10 + controls", 22},
      {"3 - 5", 0},
      {" n( in0 )+1 ", 7},
      {"-3 + 5", 2},
      {"0 / 0", 0},
  };
  for (const auto& [text, number] : cases) {
    const Count count = Evaluate(text, Example());
    EXPECT_EQ(count.number, number) << text << ": " << count.why;
  }
}

TEST(Formula, WhyThereIsNoNumber) {
  const std::pair<const char*, const char*> cases[] = {
      {"n(in1)", "the shape of input 1 is not known"},
      {"n(out1)", "the shape of output 1 is not known"},
      {"rank(out1)", "the shape of output 1 is not known"},
      {"dim(in0, 5)", "the shape of input 0 is not known"},
      {"n(in7)", "it has no input 7"},
      {"value(in1)", "the value of input 1 is not known"},
      {"prod(nothing)", "its attribute nothing is not recorded"},
      {"attr(ksize, 9)", "its attribute ksize has no element 9"},
      {"1 / 0", "its formula divides by 0"},
      {"macs", "the rule has no multiply-adds"},
      {"9223372036854775807 + 1", "the number does not fit 63 bits"},
      {"9223372036854775807 * 9223372036854775807 * 9223372036854775807", "the number does not fit 63 bits"},
      {"9223372036854775807 * 9223372036854775807 + 9223372036854775807 * 9223372036854775807 + "
       "9223372036854775807 * 9223372036854775807",
       "the number does not fit 63 bits"},
      {"0 - 9223372036854775807 * 9223372036854775807 - 9223372036854775807 * 9223372036854775807 - "
       "9223372036854775807 * 9223372036854775807",
       "the number does not fit 63 bits"},
      {"einsum", "its equation is not recorded"},
  };
  for (const auto& [text, why] : cases) {
    const Count count = Evaluate(text, Example());
    EXPECT_FALSE(count.number) << text;
    EXPECT_EQ(count.why, why) << text;
  }
  EXPECT_EQ(Evaluate("9223372036854775807 * 4 / 8", Example()).number, 4611686018427387903)
      << "cut at the end only";
}

TEST(Formula, BadOnesSayWhereAndWhatWasExpected) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "column 1: expected a number, a function"},
      {"2 *", "found the end"},
      {"foo(in0)", "column 1: expected a number, a function"},
      {"n(weights)", "column 3: expected a tensor"},
      {"n(in)", "column 3: expected a tensor"},
      {"n(in99999999999)", "column 3: expected a tensor"},
      {"n(in0", "expected ')', found the end"},
      {"dim(in0)", "expected ','"},
      {"dim(in0, x)", "expected a number"},
      {"attr()", "expected the name of an attribute"},
      {"1 2", "expected an operator or the end, found '2'"},
      {"99999999999999999999", "a number of at most 63 bits"},
      {"max(1)", "expected ','"},
      {"\xff\xfe", "column 1: expected a number"},
  };
  for (const auto& [text, part] : cases) {
    const Result<Formula> formula = Formula::Parse(text);
    ASSERT_FALSE(formula) << text;
    EXPECT_NE(formula.error().message.find(part), std::string::npos)
        << text << ": " << formula.error().message;
  }
  const std::string deep = std::string(100'000, '(') + "1" + std::string(100'000, ')');
  EXPECT_FALSE(Formula::Parse(deep));
  std::string negatives;
  for (int i = 0; i < 100'000; ++i) negatives += "if(";
  EXPECT_FALSE(Formula::Parse(negatives));
}

TEST(Formula, EinsumMultipliesAllLabels) {
  const auto einsum = [](const char* equation, std::vector<Shape> inputs) {
    return Evaluate("einsum", Made(std::move(inputs), {}, {{"equation", TextValue(equation)}}, "Einsum"));
  };
  EXPECT_EQ(einsum("ij,jk->ik", {Shape{2, 3}, Shape{3, 5}}).number, 30);
  EXPECT_EQ(einsum("bthd,bshd->bhts", {Shape{2, 7, 3, 4}, Shape{2, 9, 3, 4}}).number, 2 * 7 * 9 * 3 * 4);
  EXPECT_EQ(einsum("...ij,jk->...ik", {Shape{6, 2, 3}, Shape{3, 5}}).number, 180);
  EXPECT_FALSE(einsum("ij,jk->ik", {Shape{2, -1}, Shape{3, 5}}).number);
  EXPECT_FALSE(einsum("ijk,jk->ik", {Shape{2, 3}, Shape{3, 5}}).number);
  EXPECT_FALSE(einsum("........,......->", {Shape{2}, Shape{3, 5}}).number);
}

TEST(FloatOpRules, EveryFormulaOfTheTableParses) {
  std::set<std::string> seen;
  for (const FloatOpRule& rule : FloatOpRules()) {
    EXPECT_FALSE(rule.tensorflow.empty() && rule.full.empty()) << rule.ops;
    for (const std::string_view text : {rule.tensorflow, rule.macs, rule.full}) {
      if (text.empty()) continue;
      const Result<Formula> formula = Formula::Parse(text);
      EXPECT_TRUE(formula) << rule.ops << ": " << text << ": " << (formula ? "" : formula.error().message);
    }
    std::string_view ops = rule.ops;
    while (!ops.empty()) {
      const size_t end = std::min(ops.find(' '), ops.size());
      const std::string_view op = ops.substr(0, end);
      EXPECT_TRUE(seen.insert(std::string(op)).second) << op << " has two rules";
      EXPECT_TRUE(op.starts_with("_") || FindOpFacts(op)) << op << " is misspelt";
      ops.remove_prefix(std::min(end + 1, ops.size()));
    }
  }
  // An op with a rule is not also called one that computes nothing.
  std::string_view none = OpsWithoutFloatOps();
  while (!none.empty()) {
    const size_t end = std::min(none.find(' '), none.size());
    EXPECT_FALSE(seen.contains(std::string(none.substr(0, end)))) << none.substr(0, end);
    none.remove_prefix(std::min(end + 1, none.size()));
  }
}

TEST(FloatOpRules, LinesOfAFile) {
  FloatOpCounter counter(FlopsRules::kFull);
  ASSERT_TRUE(counter.AddRules("# mine\n\n  MyOp = 3 * n(in0)  # three each\r\nRelu=7\n", "f"));
  EXPECT_EQ(counter.Of("MyOp", Example(), NumberKind::kReals).float_ops.number, 18);
  EXPECT_EQ(counter.Of("Relu", Example(), NumberKind::kReals).float_ops.number, 7)
      << "a rule of the user's wins";
  const std::pair<const char*, const char*> bad[] = {
      {"MyOp 3", "f:1: expected 'Op = formula'"},
      {"= 3", "f:1: expected 'Op = formula'"},
      {"\n\nMy Op = 3", "f:3: 'My Op ' is no op type"},
      {"A = 1\nB = n(in0", "f:2: B: column"},
      {"A =", "f:1: A: column"},
  };
  for (const auto& [text, part] : bad) {
    const Status status = FloatOpCounter(FlopsRules::kFull).AddRules(text, "f");
    ASSERT_FALSE(status) << text;
    EXPECT_NE(status.error().message.find(part), std::string::npos) << status.error().message;
  }
}

TEST(FloatOpRules, WhatTensorFlowLeavesOutSaysSo) {
  FloatOpCounter counter(FlopsRules::kTensorFlow);
  EXPECT_EQ(counter.Of("Relu", Example(), NumberKind::kReals).float_ops.why,
            "TensorFlow counts nothing for this op type");
  EXPECT_EQ(counter.Of("NoSuchOp", Example(), NumberKind::kReals).float_ops.why, "no rule for this op type");
  EXPECT_EQ(counter.Of("NoSuchOp", Example(), NumberKind::kNone).float_ops.number, 0);
  EXPECT_EQ(counter.Of("Reshape", Example(), NumberKind::kReals).float_ops.number, 0);
}

TEST(FloatOpRules, IntegersHaveNoFloatOps) {
  FloatOpCounter full(FlopsRules::kFull), tensorflow(FlopsRules::kTensorFlow);
  EXPECT_EQ(full.Of("Prod", Example(), NumberKind::kIntegers).float_ops.number, 0);
  EXPECT_EQ(full.Of("NoSuchOp", Example(), NumberKind::kIntegers).float_ops.number, 0);
  EXPECT_GT(full.Of("Square", Example(), NumberKind::kReals).float_ops.number.value_or(0), 0);
  EXPECT_GT(tensorflow.Of("Square", Example(), NumberKind::kIntegers).float_ops.number.value_or(0), 0)
      << "TensorFlow makes no difference";
  ASSERT_TRUE(full.AddRules("Prod = 5", "f"));
  EXPECT_EQ(full.Of("Prod", Example(), NumberKind::kIntegers).float_ops.number, 5);
}

}  // namespace
}  // namespace tfprof
