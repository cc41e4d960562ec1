#include "import/xplane/alignment.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>

#include "import/xplane/instruction_sequence.h"
#include "import/xplane/made_capture.h"

namespace tfprof::xplane {
namespace {

// A program whose entry has these instructions in a row; fusions have a body of one addition.
struct Made {
  std::string proto;
  StringPool strings;
  ShapePool shapes;
  std::unique_ptr<HloModule> module;
  std::vector<uint32_t> sequence;

  explicit Made(const std::vector<std::pair<std::string, std::string>>& names_and_opcodes) {
    std::vector<MadeInstruction> entry{{1, "p", "parameter"}};
    std::vector<std::string> computations;
    uint64_t id = 2;
    for (const auto& [name, opcode] : names_and_opcodes) {
      MadeInstruction i{id, name, opcode};
      i.operands = {1};
      if (opcode == "fusion") {
        i.called = {1000 + id};
        i.more = Blob(11, "kLoop");
        computations.push_back(
            MadeComputation(1000 + id, 2000 + id, {{2000 + id, "in" + name, "add"}}, true));
      }
      entry.push_back(i);
      ++id;
    }
    computations.push_back(MadeComputation(10, 2, entry));
    proto = MadeModule("m", 10, computations);
    module = std::make_unique<HloModule>(proto, strings, shapes);
    int64_t budget = kAlignmentBudget;
    sequence = InstructionSequence(*module, module->entry(), &budget);
  }

  // The instruction of each event, "" where it has none.
  std::vector<std::vector<std::string>> Place(const std::vector<std::vector<std::string_view>>& patterns) {
    const KernelScores scores(*module, strings);
    AlignmentBudget budget = kAlignmentBudget;
    std::vector<std::vector<std::string>> out;
    for (const auto& places : Align(scores, sequence, patterns, &budget)) {
      std::vector<std::string>& names = out.emplace_back();
      for (const uint32_t p : places) {
        names.push_back(p == kUnplaced ? "" : std::string(strings[(*module)[sequence[p]].name]));
      }
    }
    return out;
  }
};

using NameLists = std::vector<std::vector<std::string>>;

TEST(XplaneAlignment, SharedKernelsFollowTheOrderOfTheSchedule) {
  Made made(
      {{"fusion.1", "fusion"}, {"gemm.1", "custom-call"}, {"fusion.2", "fusion"}, {"gemm.2", "custom-call"}});
  // fusion.2 runs the kernel of fusion.1: the same kind and shapes.
  EXPECT_EQ(made.Place({{"fusion_1", "lib", "fusion_1", "lib"}}),
            (NameLists{{"fusion.1", "gemm.1", "fusion.2", "gemm.2"}}));
}

TEST(XplaneAlignment, AFillStartsTheNextCallAndSurplusStaysWithTheOneBefore) {
  Made made({{"gemm.1", "custom-call"}, {"gemm.2", "custom-call"}});
  EXPECT_EQ(made.Place({{"big", "Memset 0", "big"}}), (NameLists{{"gemm.1", "gemm.2", "gemm.2"}}));
  EXPECT_EQ(made.Place({{"big", "reduce", "big"}}), (NameLists{{"gemm.1", "gemm.1", "gemm.2"}}));
}

TEST(XplaneAlignment, PassingOverIsFreeBetweenBuffersAlone) {
  Made made({{"a", "custom-call"}, {"b", "custom-call"}, {"c", "custom-call"}, {"fusion.9", "fusion"}});
  // Alone, the call goes to the earliest place; before fusion.9 in the same buffer to the latest.
  EXPECT_EQ(made.Place({{"lib"}}), (NameLists{{"a"}}));
  EXPECT_EQ(made.Place({{"lib", "fusion_9"}}), (NameLists{{"c", "fusion.9"}}));
  EXPECT_EQ(made.Place({{"lib"}, {"fusion_9"}}), (NameLists{{"c"}, {"fusion.9"}}));
}

TEST(XplaneAlignment, AKernelOfNoInstructionInOrderIsLeftOut) {
  Made made({{"fusion.1", "fusion"}, {"fusion.2", "fusion"}});
  EXPECT_EQ(made.Place({{"fusion_1", "lib", "fusion_2"}}), (NameLists{{"fusion.1", "", "fusion.2"}}));
}

TEST(XplaneAlignment, ConditionsAreSetByTheirOwnKernelsAlone) {
  Made made({{"cond", "conditional"}, {"gemm", "custom-call"}});
  EXPECT_EQ(made.Place({{"set_case_condition", "lib"}}), (NameLists{{"cond", "gemm"}}));
  EXPECT_EQ(made.Place({{"lib"}}), (NameLists{{"gemm"}}));
}

TEST(XplaneAlignment, CopiesGoToInstructionsThatCopy) {
  Made made({{"fusion.1", "fusion"}, {"copy.3", "copy"}, {"fusion.2", "fusion"}});
  EXPECT_EQ(made.Place({{"fusion_1", "MemcpyD2D", "fusion_2"}}),
            (NameLists{{"fusion.1", "copy.3", "fusion.2"}}));
}

TEST(XplaneAlignment, LargeProgramsAreCutAtAnchors) {
  std::vector<std::pair<std::string, std::string>> program;
  std::vector<std::string> kept;
  for (int i = 0; i < 6000; ++i) {
    program.emplace_back("fusion." + std::to_string(i), "fusion");
    program.emplace_back("gemm." + std::to_string(i), "custom-call");
    kept.push_back("fusion_" + std::to_string(i));
  }
  Made made(program);
  std::vector<std::string_view> pattern;
  for (const std::string& name : kept) pattern.insert(pattern.end(), {name, "lib"});
  const NameLists placed = made.Place({pattern});
  for (size_t i = 0; i < 6000; ++i) {
    ASSERT_EQ(placed[0][2 * i], "fusion." + std::to_string(i));
    ASSERT_EQ(placed[0][2 * i + 1], "gemm." + std::to_string(i));
  }
}

TEST(XplaneSequence, LoopsStandInPlaceConditionFirstAndCyclesAreCut) {
  const std::string proto = MadeModule(
      "m", 10,
      {MadeComputation(20, 21, {{21, "body", "custom-call"}, {22, "again", "call", {8}, "", {}, {10}}}),
       MadeComputation(30, 31, {{31, "test", "custom-call"}}),
       MadeComputation(10, 2,
                       {{2, "first", "custom-call"},
                        {3, "loop", "while", {8}, "", {}, {20, 30}},
                        {4, "last", "custom-call"}})});
  StringPool strings;
  ShapePool shapes;
  const HloModule module(proto, strings, shapes);
  int64_t budget = kAlignmentBudget;
  std::vector<std::string_view> names;
  for (const uint32_t i : InstructionSequence(module, module.entry(), &budget))
    names.push_back(strings[module[i].name]);
  EXPECT_EQ(names, (std::vector<std::string_view>{"first", "test", "body", "last"}));
}

}  // namespace
}  // namespace tfprof::xplane
