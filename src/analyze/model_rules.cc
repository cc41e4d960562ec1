#include "estimate/float_op_rules.h"
#include "tfprof/model.h"

namespace tfprof {

std::vector<FloatOpRuleText> ListFloatOpRules() {
  std::vector<FloatOpRuleText> out;
  for (const FloatOpRule& rule : FloatOpRules()) {
    const std::string_view full = rule.full.empty() ? rule.tensorflow : rule.full;
    out.push_back({std::string(rule.ops), std::string(rule.tensorflow), std::string(full),
                   std::string(rule.macs), rule.nhwc_only});
  }
  return out;
}

std::string ListOpsWithoutFloatOps() { return std::string(OpsWithoutFloatOps()); }

}  // namespace tfprof
