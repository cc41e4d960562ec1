#include "import/xplane/hlo_executions.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/checked.h"
#include "base/json_reader.h"
#include "import/xplane/wire.h"

namespace tfprof::xplane {
namespace {

// {"known_trip_count":{"n":"10"}} in the settings of a loop.
std::optional<int64_t> TripCount(const Instruction& loop) {
  const std::string_view config = LastBytes(loop.message, 43);
  if (config.find("known_trip_count") == std::string_view::npos) return std::nullopt;
  const JsonDocument json = ParseJson(config);
  if (json.HasParseError() || !json.IsObject()) return std::nullopt;
  const JsonValue& settings = json;
  const auto count = settings.FindMember("known_trip_count");
  if (count == settings.MemberEnd() || !count->value.IsObject()) return std::nullopt;
  const auto n = count->value.FindMember("n");
  if (n == count->value.MemberEnd()) return std::nullopt;
  if (n->value.IsInt64()) return std::max<int64_t>(0, n->value.GetInt64());
  if (!n->value.IsString()) return std::nullopt;
  int64_t value = 0;
  const char* text = n->value.GetString();
  const char* end = text + n->value.GetStringLength();
  const auto [stopped, error] = std::from_chars(text, end, value);
  return error == std::errc() && stopped == end && value >= 0 ? std::optional(value) : std::nullopt;
}

// Computations that the entry reaches by loops, branches and calls, callees first.
std::vector<uint32_t> CalleesFirst(const HloModule& module) {
  std::vector<uint32_t> out;
  if (module.entry() == IdTable::kNone) return out;
  struct Visit {
    uint32_t computation, instruction, call;
  };
  std::vector<bool> seen(module.computations().size());
  std::vector<Visit> open;
  const auto enter = [&](uint32_t c) {
    seen[c] = true;
    open.push_back({c, module.computations()[c].begin, 0});
  };
  enter(module.entry());
  while (!open.empty()) {
    Visit& at = open.back();
    if (at.instruction == module.computations()[at.computation].end) {
      out.push_back(at.computation);
      open.pop_back();
      continue;
    }
    const Instruction& instruction = module[at.instruction];
    const std::span<const uint32_t> called = module.Called(instruction);
    if (!RunsComputations(instruction) || at.call == called.size()) {
      ++at.instruction;
      at.call = 0;
      continue;
    }
    const uint32_t callee = called[at.call++];
    if (callee != IdTable::kNone && !seen[callee]) enter(callee);
  }
  return out;
}

}  // namespace

Executions CountExecutions(const HloModule& module) {
  Executions out;
  out.times.assign(module.computations().size(), 0);
  out.callees = CalleesFirst(module);
  if (module.entry() == IdTable::kNone) return out;
  std::vector<uint32_t> place(module.computations().size(), 0);
  for (uint32_t i = 0; i < out.callees.size(); ++i) place[out.callees[i]] = i;
  out.times[module.entry()] = 1;
  bool saturated = false;
  for (size_t i = out.callees.size(); i-- > 0;) {
    const Computation& caller = module.computations()[out.callees[i]];
    for (uint32_t row = caller.begin; row < caller.end; ++row) {
      const Instruction& instruction = module[row];
      if (!RunsComputations(instruction)) continue;
      int64_t rounds = 1;
      if (instruction.opcode == Opcode::kWhile) {
        const std::optional<int64_t> known = TripCount(instruction);
        ++out.loops;
        out.unknown_loops += known ? 0 : 1;
        rounds = known.value_or(1);
      }
      out.conditionals += instruction.opcode == Opcode::kConditional ? 1 : 0;
      const int64_t times = SaturatingMul(out.times[out.callees[i]], rounds, &saturated);
      for (const uint32_t callee : module.Called(instruction)) {
        if (callee != IdTable::kNone && place[callee] < i)
          out.times[callee] = SaturatingAdd(out.times[callee], times, &saturated);
      }
    }
  }
  return out;
}

}  // namespace tfprof::xplane
