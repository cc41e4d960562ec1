// The table of float-op rules: what one execution of an op costs, by op type. Two columns, one for each rule
// set of -flops_rules: `tensorflow` is what TensorFlow's own profiler counts, `full` what the op computes.
// docs/flops.md is generated from this table.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "estimate/formula.h"
#include "tfprof/options.h"

namespace tfprof {

struct FloatOpRule {
  std::string_view ops;         // separated by spaces
  std::string_view tensorflow;  // "": TensorFlow counts nothing
  std::string_view macs;        // multiply-adds; "": the op is no sum of products
  std::string_view full;        // "": as tensorflow
  bool nhwc_only = false;       // TensorFlow refuses other layouts
};
std::span<const FloatOpRule> FloatOpRules();

// Ops that only move, make or compare data, keep state or steer the flow: no float ops, and said so.
std::string_view OpsWithoutFloatOps();
bool HasNoFloatOps(std::string_view op);

// What an op computes with. By the full rules arithmetic on integers, as on shapes and the counters of loops,
// is no float op; sums of products are, whatever their type: quantized models are made of them.
enum class NumberKind : uint8_t { kNone, kIntegers, kReals };

// Rules by op type, ready to evaluate. Built-in formulas are parsed when they are first needed.
class FloatOpCounter {
 public:
  explicit FloatOpCounter(FlopsRules rules) : rules_(rules) {}

  // Adds rules from the text of a --flops_file: lines `Op = formula`, `#` comments. They win over built-in
  // ones.
  Status AddRules(std::string_view text, const std::string& path);

  // What holds for an op type.
  struct Compiled {
    std::optional<Formula> own;  // that was added for it
    std::optional<Formula> float_ops, macs;
    bool nhwc_only = false;
    bool none = false;       // no float ops by nature
    bool only_full = false;  // the other rule set knows it
  };
  const Compiled& Find(std::string_view op) { return Compile(op); }  // it stays where it is

  struct Counts {
    Count float_ops, macs;
  };
  Counts Of(const Compiled& rule, const FormulaInputs& inputs, NumberKind numbers) const;
  Counts Of(std::string_view op, const FormulaInputs& inputs, NumberKind numbers) {
    return Of(Find(op), inputs, numbers);
  }

 private:
  Compiled& Compile(std::string_view op);

  FlopsRules rules_;
  std::map<std::string, Compiled, std::less<>> compiled_;
};

}  // namespace tfprof
