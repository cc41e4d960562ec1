// RecompilationChecker: functions that were traced and compiled again: programs of one name that ran side by
// side, and compilers at work between the steps.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "advise/checker.h"
#include "advise/step_facts.h"
#include "base/text.h"
#include "base/units.h"
#include "model/captured_run.h"

namespace tfprof::advise {
namespace {

constexpr int64_t kMinCompileMicros = 1000;  // of compilers, within the capture

bool IsCompilation(std::string_view span) {
  constexpr std::string_view kParts[] = {"XlaCompile",     "backend_compile",
                                         "::Compile",      "compile_or_get_cached",
                                         "trace_to_jaxpr", "LowerAndCompile"};
  return std::ranges::any_of(
      kParts, [&](std::string_view part) { return span.find(part) != std::string_view::npos; });
}

void CheckPrograms(const Profile& profile, CheckerAdvice* out) {
  std::map<std::string_view, int64_t> by_name;
  for (const ProgramMemory& program : profile.capture->memory.programs)
    ++by_name[profile.strings[program.name]];
  for (const auto& [name, programs] : by_name) {
    if (programs < 2) continue;
    out->reports.push_back(fmt::format(
        "{} ran as {} different programs: it was traced again for other shapes, types or static arguments. "
        "Pad inputs to few shapes, keep Python values that change out of static arguments, and make one "
        "jitted function, not one per call",
        name, programs));
  }
}

void CheckCompilers(const Profile& profile, CheckerAdvice* out) {
  std::vector<Interval> times;
  std::map<StringId, int64_t> micros;
  for (const HostSpan& span : profile.capture->host_spans) {
    if (!IsCompilation(profile.strings[span.name])) continue;
    const int64_t begin = MicrosOfNanos(span.start_nanos);
    times.push_back({begin, Sum(begin, MicrosOfNanos(span.nanos))});
    int64_t& sum = micros[span.name];
    sum = Sum(sum, times.back().length());
  }
  const int64_t all = TotalLength(Merged(times));
  if (all < kMinCompileMicros) return;
  std::vector<std::pair<StringId, int64_t>> names(micros.begin(), micros.end());
  std::ranges::stable_sort(names, std::greater<>(), &std::pair<StringId, int64_t>::second);
  std::string list;
  for (size_t i = 0; i < std::min(names.size(), kNamed); ++i) {
    list += fmt::format("{}{} ({})", i == 0 ? "" : ", ", Printable(profile.strings[names[i].first], 100),
                        FormatTime(names[i].second));
  }
  out->reports.push_back(
      fmt::format("{} of the capture went into tracing and compiling: {}. Record after the first steps; if "
                  "it goes on in later ones, something compiles at every call",
                  FormatTime(all), list));
}

}  // namespace

void CheckRecompilation(const Subject& subject, CheckerAdvice* out) {
  if (!subject.profile.capture) {
    out->not_checked = kNoCapture;
    return;
  }
  CheckPrograms(subject.profile, out);
  CheckCompilers(subject.profile, out);
}

}  // namespace tfprof::advise
