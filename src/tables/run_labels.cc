// What a run is called: its job, its day, its key.
#include "tables/run_labels.h"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>

#include "base/hash.h"
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
  constexpr uint64_t kPositive = 0x7FFF'FFFF'FFFF'FFFF;
  const uint64_t id = HashText(out.content + "/" + labels.job, 0) & kPositive;
  out.run_id = id == 0 ? 1 : static_cast<int64_t>(id);
  return out;
}

}  // namespace tfprof
