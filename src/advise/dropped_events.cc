// DroppedEventChecker: what the recorder lost or complained of. It comes first: figures of a capture that
// lacks events are too small, and nothing else tells.
#include <fmt/format.h>

#include "advise/checker.h"
#include "advise/step_facts.h"
#include "base/text.h"
#include "model/captured_run.h"

namespace tfprof::advise {

void CheckDroppedEvents(const Subject& subject, CheckerAdvice* out) {
  const CapturedRun* run = subject.profile.capture.get();
  if (!run) {
    out->not_checked = kNoCapture;
    return;
  }
  constexpr size_t kLongest = 500;
  constexpr char kVoid[] =
      "Events may be missing, and what the other checkers say of them is void: record fewer steps, or with a "
      "lower host tracer level";
  for (const std::string& text : run->errors)
    out->reports.push_back(fmt::format("the recorder failed: {}. {}", Printable(text, kLongest), kVoid));
  for (const std::string& text : run->warnings)
    out->reports.push_back(fmt::format("the recorder warns: {}. {}", Printable(text, kLongest), kVoid));
  for (const CapturedDevice& device : run->devices) {
    if (device.dropped_events <= 0) continue;
    out->reports.push_back(fmt::format("{}: {} dropped. {}", subject.profile.DeviceName(device.device),
                                       Count(device.dropped_events, "event"), kVoid));
  }
}

}  // namespace tfprof::advise
