// What is made at the end of loading, and the fold that stands for steps.
#include "model/totals.h"

#include <gtest/gtest.h>

#include "model/profile_builder.h"
#include "model/step_use.h"
#include "view/node_figures.h"

namespace tfprof {
namespace {

// Eight steps of three nodes: `a` runs in all, `b` in every second, `c` never.
std::shared_ptr<const Profile> Steps(Detail detail) {
  ProfileBuilder builder(detail, false);
  const NodeId a = *builder.AddNode("a", "A"), b = *builder.AddNode("b", "B");
  (void)*builder.AddNode("c", "C");
  Profile& profile = builder.profile();
  profile.device[a] = profile.device[b] =
      builder.TensorFlowDevice(profile.strings.InternCopy("/task:0/device:cpu:0"));
  profile.float_ops[b] = 10;
  for (int64_t number = 0; number < 8; ++number) {
    Step& step = **builder.AddStep(number);
    step.has_memory = number >= 6;
    StepRow& row = builder.Row(step, a);
    row.first_start = 1000 * (number + 1);
    row.last_end = row.first_start + 100;
    row.cpu_picos = (number + 1) * kPicosPerMicro;
    row.run_count = 1;
    row.requested_bytes = number >= 6 ? 100 * number : 0;
    if (number % 2 == 0) {
      StepRow& other = builder.Row(step, b);
      other.first_start = 1000 * (number + 1) + 7;
      other.accelerator_picos = 3 * kPicosPerMicro;
      other.run_count = 2;
    }
    builder.EndStep(step);
  }
  return builder.Finish();
}

TEST(Totals, OfStepsAndDevicesAreMadeOnce) {
  const auto profile = Steps(Detail::kFigures);
  EXPECT_EQ(profile->steps[2].sums.picos, 6 * kPicosPerMicro);
  EXPECT_EQ(profile->steps[2].sums.runs, 3);
  EXPECT_EQ(profile->steps[2].sums.nodes, 2);
  EXPECT_EQ(profile->steps[2].sums.first_start, 3000);
  EXPECT_EQ(profile->steps[2].sums.origin, 3000);
  EXPECT_EQ(profile->devices[DeviceId(0)].nodes, 2);
  EXPECT_EQ(profile->devices[DeviceId(0)].picos, (36 + 4 * 3) * kPicosPerMicro);
  EXPECT_EQ(profile->coverage.micros, 48);
  EXPECT_EQ(profile->coverage.micros_with_float_ops, 12);
  EXPECT_EQ(profile->coverage.micros_with_memory, 7 + 8 + 3);
  EXPECT_EQ(profile->coverage.nodes_run, 2);
  EXPECT_EQ(profile->StepsRun(NodeId(1)), 4u);
}

TEST(Totals, PartsOfAMicrosecondAddUp) {
  ProfileBuilder builder(Detail::kFigures, false);
  Step& step = **builder.AddStep(0);
  for (const char* name : {"a", "b", "c"}) builder.Row(step, *builder.AddNode(name, "A")).cpu_picos = 400'000;
  EXPECT_EQ(builder.Finish()->coverage.micros, 1);
}

TEST(NodeFold, HasCountSumSquaresLeastAndMost) {
  const auto profile = Steps(Detail::kMeans);
  ASSERT_EQ(profile->folds.size(), 3u);
  // The first ones may be warm-up.
  for (size_t s = 0; s < 8; ++s) EXPECT_EQ(profile->steps[s].folded, s >= kMostWarmUp) << s;
  for (const Step& step : profile->steps) EXPECT_EQ(step.folded, step.rows.empty());
  const NodeFold& a = profile->folds[NodeId(0)];
  EXPECT_EQ(a.steps, 5u);
  EXPECT_EQ(a.sum.cpu_picos, (36 - 6) * kPicosPerMicro);
  EXPECT_EQ(a.least_picos, 4 * kPicosPerMicro);
  EXPECT_EQ(a.most_picos, 8 * kPicosPerMicro);
  EXPECT_DOUBLE_EQ(a.square_picos, (204 - 14) * 1e12);
  EXPECT_EQ(a.sum.first_start, 4000);
  EXPECT_EQ(a.sum.last_end, 8100);
  EXPECT_EQ(profile->folds[NodeId(2)].steps, 0u);
}

TEST(NodeFold, GivesTheSameMeansAndTotalsAsTheSteps) {
  const auto folded = Steps(Detail::kMeans), kept = Steps(Detail::kFigures);
  std::vector<std::string> warnings;
  const auto means = NodeFigures(*folded, -1, &warnings), want = NodeFigures(*kept, -1, &warnings);
  for (size_t n = 0; n < 3; ++n) {
    EXPECT_EQ((*means)[n].value, (*want)[n].value) << n;
    EXPECT_EQ((*means)[n].known, (*want)[n].known) << n;
  }
  for (const CoverageField& field : kCoverageFields)
    EXPECT_EQ(folded->coverage.*field.member, kept->coverage.*field.member) << field.name;
  EXPECT_EQ(folded->devices[DeviceId(0)].picos, kept->devices[DeviceId(0)].picos);
  EXPECT_EQ(folded->steps[3].sums.picos, kept->steps[3].sums.picos);
}

// A hundred steps, of which the first two are slow: `a` runs in all of them, `b` in these alone.
std::shared_ptr<const Profile> WithWarmUp(Detail detail) {
  ProfileBuilder builder(detail, false);
  const NodeId a = *builder.AddNode("a", "A"), b = *builder.AddNode("b", "B");
  for (int64_t number = 0; number < 100; ++number) {
    Step& step = **builder.AddStep(number);
    StepRow& row = builder.Row(step, a);
    row.run_count = 1;
    row.cpu_picos = (number < 2 ? 1000 : 10) * kPicosPerMicro;
    if (number < 2) builder.Row(step, b).run_count = 1;
    builder.EndStep(step);
  }
  return builder.Finish();
}

TEST(WarmUp, IsInNoMeanWhetherStepsAreFoldedOrKept) {
  for (const Detail detail : {Detail::kMeans, Detail::kFigures}) {
    const auto profile = WithWarmUp(detail);
    EXPECT_EQ(profile->warm_up, 2u);
    Options options;
    std::vector<std::string> warnings;
    const auto micros = [&](bool classic, const StepChoice& step) {
      options.classic = classic;
      options.step = step;
      StepsUsed used;
      return (
          *NodeFigures(*profile, options, FigureTable::AllFigures(), &used, &warnings))[0][ColumnId::kMicros];
    };
    EXPECT_EQ(micros(false, -1), 10);
    EXPECT_EQ(micros(true, -1), 29);
    EXPECT_EQ(micros(false, StepChoice::All()), 29);
    StepsUsed used;
    options.classic = false;
    options.step = -1;
    const auto figures = NodeFigures(*profile, options, FigureTable::AllFigures(), &used, &warnings);
    EXPECT_EQ((*figures)[1][ColumnId::kOccurrence], 0);  // it ran in warm-up alone
    EXPECT_EQ(used.warm_up, (std::vector<int64_t>{0, 1}));
    EXPECT_EQ(used.Words(), "mean of 98 steps (2 to 99)");
    EXPECT_EQ(
        used.WarmUpWords(),
        "means leave out steps 0, 1 as warm-up (up to 100.0 times the median of the others, 10us); -step "
        "all counts them too");
  }
}

TEST(WarmUp, RuleOfLeadingSteps) {
  EXPECT_EQ(CountWarmUp({}), 0u);
  EXPECT_EQ(CountWarmUp({9}), 0u);
  EXPECT_EQ(CountWarmUp({900, 1}), 0u);
  EXPECT_EQ(CountWarmUp({900, 1, 1}), 1u);
  EXPECT_EQ(CountWarmUp({900, 1, 800}), 0u);
  EXPECT_EQ(CountWarmUp({20, 10, 10}), 0u);
  EXPECT_EQ(CountWarmUp({21, 10, 10}), 1u);
  EXPECT_EQ(CountWarmUp({10, 900, 10, 10, 10, 10}), 0u);
  EXPECT_EQ(CountWarmUp({900, 90, 10, 10, 10, 10}), 2u);
  EXPECT_EQ(CountWarmUp({900, 0, 0, 0}), 0u);  // nothing was timed
  EXPECT_EQ(CountWarmUp({INT64_MAX, INT64_MAX / 3, 1, 1, 1, 1}), 2u);
  EXPECT_EQ(CountWarmUp({50, 40, 30, 29, 1, 1, 1, 1, 1, 1, 1, 1}), 3u);
}

TEST(NodeFold, ASingleStepOfItIsAnErrorNotZero) {
  std::vector<std::string> warnings;
  const auto figures = NodeFigures(*Steps(Detail::kMeans), 3, &warnings);
  ASSERT_FALSE(figures.ok());
  EXPECT_EQ(figures.error().kind, ErrorKind::kUsage);
}

}  // namespace
}  // namespace tfprof
