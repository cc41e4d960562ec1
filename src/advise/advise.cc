#include "tfprof/advise.h"

#include <fmt/format.h>

#include <algorithm>

#include "advise/checker.h"
#include "advise/step_facts.h"
#include "base/text.h"

namespace tfprof {
namespace advise {
namespace {

constexpr Checker kCheckers[] = {
    {kCheckerNames[0], CheckAcceleratorUtilization},
    {kCheckerNames[1], CheckCopies},
    {kCheckerNames[2], CheckExpensiveOperations},
    {kCheckerNames[3], CheckIdleGaps},
    {kCheckerNames[4], CheckImbalance},
    {kCheckerNames[5], CheckLongLives},
    {kCheckerNames[6], CheckOperations},
    {kCheckerNames[7], CheckParameterPlacement},
    {kCheckerNames[8], CheckPlacement},
    {kCheckerNames[9], CheckRecomputation},
    {kCheckerNames[10], CheckTinyOps},
    {kCheckerNames[11], CheckTransposes},
};
static_assert(std::size(kCheckers) == kCheckerNames.size());

}  // namespace

std::span<const Checker> Checkers() { return kCheckers; }

Subject MakeSubject(const std::shared_ptr<const Profile>& profile) {
  Subject subject{profile, *profile};
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

Result<Advice> Advise(const std::shared_ptr<const Profile>& profile,
                      const std::vector<std::string>& checkers, bool classic) {
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
    CheckerAdvice& out = advice.checkers.emplace_back();
    out.name = checker.name;
    checker.check(subject, &out);
  }
  return advice;
}

}  // namespace tfprof
