// Files of float-op rules and the formulas in them, on an op with shapes of every kind: ordinary, not known,
// too large to multiply.
#include <fmt/format.h>

#include "estimate/float_op_rules.h"
#include "target.h"

namespace tfprof {
namespace {

// attr { ksize: list(int) 1, 2, 3, -1 }, attr { data_format: "NHWC" }, attr { equation: "ab,bc->ac" }
constexpr std::string_view kNode =
    "\x2A\x17\x0A\x05ksize\x12\x0E\x0A\x0C\x1A\x0A\x01\x02\x03\xFF\xFF\xFF\xFF\xFF\xFF\x01"
    "\x2A\x15\x0A\x0B"
    "data_format\x12\x06\x12\x04NHWC"
    "\x2A\x17\x0A\x08"
    "equation\x12\x0B\x12\x09"
    "ab,bc->ac";

class Made : public FormulaInputs {
 public:
  size_t Inputs() const override { return 4; }
  size_t Controls() const override { return 1; }
  Shape InputShape(size_t i) const override {
    constexpr int64_t kLarge = int64_t{1} << 40;
    const Shape shapes[] = {{2, 3}, {3, 5}, {-1, 7, 0}, {kLarge, kLarge}};
    return i < std::size(shapes) ? shapes[i] : Shape();
  }
  Shape OutputShape(size_t i) const override { return i == 0 ? Shape{2, 5} : Shape(); }
  std::optional<int64_t> InputProduct(size_t i) const override {
    return i == 0 ? std::optional(INT64_MAX) : i == 1 ? std::optional<int64_t>(-6) : std::nullopt;
  }
  const Attributes& Attrs() const override { return attributes_; }

 private:
  Attributes attributes_{kNode, nullptr, nullptr};
};

void CheckCount(const Count& count) {
  Require(count.number.has_value() || !count.why.empty(), "there is a number, or a reason why not");
}

}  // namespace

void FuzzFlopsRules(std::string_view text) {
  const Made inputs;
  for (const FlopsRules rules : {FlopsRules::kFull, FlopsRules::kTensorFlow}) {
    FloatOpCounter counter(rules);
    const Status status = counter.AddRules(text, "fuzzed");
    Require(status.ok() || status.error().message.starts_with("fuzzed"), "an error names the file");
    for (const char* op : {"A", "MyOp", "MatMul", "Conv2D"}) {
      const FloatOpCounter::Counts counts = counter.Of(op, inputs, NumberKind::kReals);
      CheckCount(counts.float_ops);
    }
  }
  for (const std::string& line : SplitList(text, '\n')) {
    const Result<Formula> formula = Formula::Parse(std::string_view(line).substr(line.find('=') + 1));
    Require(formula.ok() || !formula.error().message.empty(), "an error says something");
    const Count macs = Count::Of(INT64_MAX / 2);
    if (!formula) continue;
    CheckCount(formula->Evaluate(inputs));
    CheckCount(formula->Evaluate(inputs, &macs));
  }
}

}  // namespace tfprof
