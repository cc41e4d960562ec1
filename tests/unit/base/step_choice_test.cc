#include "tfprof/step_choice.h"

#include <gtest/gtest.h>

namespace tfprof {
namespace {

TEST(StepChoice, ReadsAndPrintsWhatTheOptionTakes) {
  for (const char* text : {"-1", "all", "5", "5,10", "5-20", "1,5-20,100", "0"}) {
    const Result<StepChoice> choice = StepChoice::Parse(text);
    ASSERT_TRUE(choice.ok()) << text;
    EXPECT_EQ(choice->Text(), text);
  }
  for (const char* text :
       {"", "x", "-2", "5-", "-5-7", "7-5", "5,,x", "1 2", "all,5", "99999999999999999999"})
    EXPECT_FALSE(StepChoice::Parse(text).ok()) << text;
}

TEST(StepChoice, HasTheStepsOfItsRanges) {
  const StepChoice choice = *StepChoice::Parse("1,5-7");
  std::vector<int64_t> had;
  for (int64_t step = 0; step < 10; ++step) {
    if (choice.Has(step)) had.push_back(step);
  }
  EXPECT_EQ(had, (std::vector<int64_t>{1, 5, 6, 7}));
  EXPECT_TRUE(choice.by_number() && !choice.one());
  EXPECT_EQ(StepChoice(3).one(), 3);
  EXPECT_TRUE(StepChoice(-1) == StepChoice() && !StepChoice().by_number() && StepChoice().Has(42));
  EXPECT_TRUE(StepChoice::All().is_all() && StepChoice::All().Has(0));
}

}  // namespace
}  // namespace tfprof
