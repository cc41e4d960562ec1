// What a run is called: its job, its day, its key.
#include "tables/run_labels.h"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>

#include "base/hash.h"
#include "model/live_memory.h"
#include "model/profile.h"

namespace tfprof {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kYear2000Nanos = 946'684'800'000'000'000;

std::string_view BaseName(std::string_view path) { return path.substr(path.rfind('/') + 1); }

// Sizes go in with the bytes: no two lists of texts are one.
void Update(XXH3_state_t* state, std::string_view bytes) {
  const uint64_t size = bytes.size();
  XXH3_128bits_update(state, &size, sizeof(size));
  XXH3_128bits_update(state, bytes.data(), bytes.size());
}

}  // namespace

std::optional<int64_t> MomentOf(int64_t nanos) {
  return nanos >= kYear2000Nanos ? std::optional(nanos) : std::nullopt;
}

std::optional<int64_t> StartOf(const Profile& profile) {
  if (profile.live_memory) return MomentOf(profile.live_memory->time_nanos);
  std::optional<int64_t> out;
  for (const Step& step : profile.steps) {
    const auto start = MomentOf(step.sums.origin);
    if (start && (!out || *start < *out)) out = start;
  }
  return out;
}

std::string DayOf(int64_t seconds) {
  const auto day =
      std::chrono::floor<std::chrono::days>(std::chrono::sys_seconds(std::chrono::seconds(seconds)));
  const std::chrono::year_month_day date(day);
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                     static_cast<unsigned>(date.day()));
}

RunLabels LabelsOf(const RunPlace& run) {
  RunLabels out{run.name, run.path, run.options.job, run.options.date, run.modified};
  if (!out.job.empty()) return out;
  const size_t slash = run.name.find('/');
  if (slash != std::string::npos) {
    out.job = run.name.substr(0, slash);
    return out;
  }
  std::error_code ignored;
  const std::string& first = run.options.inputs.empty() ? run.path : run.options.inputs[0];
  fs::path whole = fs::absolute(first, ignored).lexically_normal();
  if (!whole.has_filename()) whole = whole.parent_path();
  out.job = whole.parent_path().filename().string();
  if (out.job.empty()) out.job = run.name;
  return out;
}

RunKey KeyOf(const Profile& profile, const RunLabels& labels) {
  XXH3_state_t state;
  XXH3_128bits_reset(&state);
  for (const InputFile& file : profile.files) {
    Update(&state, BaseName(file.path));
    Update(&state, file.format);
  }
  for (const Buffer& buffer : profile.buffers) Update(&state, buffer.bytes());
  const XXH128_hash_t hash = XXH3_128bits_digest(&state);
  RunKey out;
  out.content = fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
  // 12 bits of the job, 15 of the day, 36 of the rest: in tables that lie in the order of this key the runs
  // of a job lie together, and new ones come at its end. Ten thousand runs of one job and day meet by chance
  // with a probability of less than a thousandth; it is noticed, and told.
  constexpr int64_t kNanosPerDay = 86'400'000'000'000;
  const std::optional<int64_t> start = StartOf(profile);
  const uint64_t day = start ? static_cast<uint64_t>((*start - kYear2000Nanos) / kNanosPerDay) & 0x7FFF : 0;
  const uint64_t job = HashText(labels.job, 0) & 0xFFF;
  const uint64_t rest = HashText(out.content + "/" + labels.job, 0) & 0xF'FFFF'FFFF;
  out.run_id = static_cast<int64_t>(job << 51 | day << 36 | rest);
  return out;
}

}  // namespace tfprof
