// What a checker is, and the table of them. To add one: write NAME.cc with one function, add its name to
// tfprof/advise.h and its row to the table in advise.cc.
//
// Rules: no advice without a figure behind it, thresholds are named constants (docs/advise.md lists them),
// nodes are named, and data that is missing is said to be missing.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/profile.h"
#include "tfprof/advise.h"
#include "tfprof/steps.h"

namespace tfprof::advise {

inline constexpr size_t kNamed = 3;  // so many nodes, of more their number

// What every checker looks at: the last step, which is the least disturbed by warming up.
struct Subject {
  explicit Subject(std::shared_ptr<const Profile> of) : shared(std::move(of)), profile(*shared) {}

  std::shared_ptr<const Profile> shared;  // for MakeReport()
  const Profile& profile;
  const Step* step = nullptr;      // none: the input has no run metadata
  bool accelerator_ran = false;    // nodes ran on an accelerator in that step
  bool accelerator_timed = false;  // and its streams were traced
  bool classic = false;            // as Options::classic

  // Where the time of the mean step went, made when first asked for; null: not known, and *out says why.
  const StepParts* MeanStep(CheckerAdvice* out) const;

 private:
  mutable std::optional<Result<StepsReport>> steps_;
};

Subject MakeSubject(const std::shared_ptr<const Profile>& profile);

struct Checker {
  std::string_view name;
  void (*check)(const Subject& subject, CheckerAdvice* out);
  bool of_captures = false;  // asks for what captures alone record: other inputs do without, unless asked
};

std::span<const Checker> Checkers();  // in the order of kCheckerNames

// One function per checker.
void CheckAcceleratorUtilization(const Subject& subject, CheckerAdvice* out);
void CheckCollectives(const Subject& subject, CheckerAdvice* out);
void CheckCopies(const Subject& subject, CheckerAdvice* out);
void CheckDroppedEvents(const Subject& subject, CheckerAdvice* out);
void CheckExpensiveOperations(const Subject& subject, CheckerAdvice* out);
void CheckIdleGaps(const Subject& subject, CheckerAdvice* out);
void CheckImbalance(const Subject& subject, CheckerAdvice* out);
void CheckInputPipeline(const Subject& subject, CheckerAdvice* out);
void CheckLaunches(const Subject& subject, CheckerAdvice* out);
void CheckLongLives(const Subject& subject, CheckerAdvice* out);
void CheckOccupancy(const Subject& subject, CheckerAdvice* out);
void CheckOperations(const Subject& subject, CheckerAdvice* out);
void CheckPadding(const Subject& subject, CheckerAdvice* out);
void CheckParameterPlacement(const Subject& subject, CheckerAdvice* out);
void CheckPlacement(const Subject& subject, CheckerAdvice* out);
void CheckRecompilation(const Subject& subject, CheckerAdvice* out);
void CheckRecomputation(const Subject& subject, CheckerAdvice* out);
void CheckTinyOps(const Subject& subject, CheckerAdvice* out);
void CheckTransposes(const Subject& subject, CheckerAdvice* out);

}  // namespace tfprof::advise
