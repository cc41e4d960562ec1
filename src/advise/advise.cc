#include "tfprof/advise.h"

#include <fmt/format.h>

#include <algorithm>

#include "advise/checker.h"
#include "advise/step_facts.h"
#include "base/text.h"
#include "model/live_memory.h"

namespace tfprof {
namespace advise {
namespace {

constexpr Checker kCheckers[] = {
    {kCheckerNames[0], CheckDroppedEvents, true}, {kCheckerNames[1], CheckAcceleratorUtilization},
    {kCheckerNames[2], CheckCollectives, true},   {kCheckerNames[3], CheckCopies},
    {kCheckerNames[4], CheckExpensiveOperations}, {kCheckerNames[5], CheckIdleGaps},
    {kCheckerNames[6], CheckImbalance},           {kCheckerNames[7], CheckInputPipeline, true},
    {kCheckerNames[8], CheckLaunches, true},      {kCheckerNames[9], CheckLongLives},
    {kCheckerNames[10], CheckOccupancy, true},    {kCheckerNames[11], CheckOperations},
    {kCheckerNames[12], CheckPadding, true},      {kCheckerNames[13], CheckParameterPlacement},
    {kCheckerNames[14], CheckPlacement},          {kCheckerNames[15], CheckRecompilation, true},
    {kCheckerNames[16], CheckRecomputation},      {kCheckerNames[17], CheckTinyOps},
    {kCheckerNames[18], CheckTransposes},
};
static_assert(std::size(kCheckers) == kCheckerNames.size());

}  // namespace

std::span<const Checker> Checkers() { return kCheckers; }

const StepParts* Subject::MeanStep(CheckerAdvice* out) const {
  if (!steps_) steps_ = MakeStepsReport(profile, {});
  if (*steps_) return &(**steps_).mean;
  out->not_checked = steps_->error().message;
  return nullptr;
}

Subject MakeSubject(const std::shared_ptr<const Profile>& profile) {
  Subject subject(profile);
  if (profile->steps.empty()) return subject;
  subject.step = &profile->steps.back();
  for (size_t r = 0; r < subject.step->rows.size(); ++r) {
    if (!profile->OnAccelerator(subject.step->node_of_row[r])) continue;
    subject.accelerator_ran = true;
    if (AcceleratorMicros(subject.step->rows[r]) > 0) subject.accelerator_timed = true;
  }
  return subject;
}

}  // namespace advise

Result<Advice> Advise(const std::shared_ptr<const Profile>& profile, const std::vector<std::string>& checkers,
                      bool classic) {
  if (Status s = NotOfLiveMemory(*profile, "advice"); !s) return s.error();
  for (const std::string& name : checkers) {
    if (std::find(kCheckerNames.begin(), kCheckerNames.end(), name) != kCheckerNames.end()) continue;
    return Error::Usage(fmt::format("no checker '{}'{}", Printable(name),
                                    DidYouMean(name, {kCheckerNames.begin(), kCheckerNames.end()})));
  }
  advise::Subject subject = advise::MakeSubject(profile);
  subject.classic = classic;
  Advice advice;
  for (const advise::Checker& checker : advise::Checkers()) {
    if (!checkers.empty() && std::find(checkers.begin(), checkers.end(), checker.name) == checkers.end())
      continue;
    if (checkers.empty() && checker.of_captures && !profile->capture) continue;
    CheckerAdvice& out = advice.checkers.emplace_back();
    out.name = checker.name;
    checker.check(subject, &out);
  }
  return advice;
}

}  // namespace tfprof
