#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/paths.h"
#include "import/xplane/import.h"

namespace tfprof::xplane {
namespace {

constexpr std::string_view kSuffixes[] = {".xplane.pb", ".xplane.pb.gz"};
constexpr const char* kRuns = "/plugins/profile";

// The name before .xplane.pb; "": no capture.
std::string_view HostInName(std::string_view file) {
  for (const std::string_view suffix : kSuffixes) {
    if (file.ends_with(suffix)) return file.substr(0, file.size() - suffix.size());
  }
  return {};
}

std::vector<std::string> CapturesIn(const std::string& directory) {
  std::vector<std::string> out;
  const Result<std::vector<std::string>> files = FilesIn(directory);
  if (!files) return out;
  std::ranges::copy_if(*files, std::back_inserter(out),
                       [](const std::string& f) { return !HostInName(f).empty(); });
  return out;
}

// Names of the runs of a log directory, in order.
std::vector<std::string> RunsIn(const std::string& directory) {
  std::vector<std::string> runs;
  const Result<std::vector<DirectoryEntry>> entries = EntriesIn(directory + kRuns);
  if (!entries) return runs;
  for (const DirectoryEntry& entry : *entries) {
    if (!CapturesIn(fmt::format("{}{}/{}", directory, kRuns, entry.name)).empty()) runs.push_back(entry.name);
  }
  return runs;
}

Result<std::vector<FoundInput>> HostsOf(const std::string& directory, const std::string& host,
                                        std::vector<std::string> notes) {
  std::vector<FoundInput> found;
  std::vector<std::string_view> hosts;
  const std::vector<std::string> files = CapturesIn(directory);
  for (const std::string& file : files) {
    hosts.push_back(HostInName(file));
    if (host.empty() || HostInName(file) == host) found.push_back({directory + "/" + file, {}});
  }
  if (found.empty()) {
    return Error::Usage(fmt::format("-host {}: {} has {}", host, directory, fmt::join(hosts, ", ")));
  }
  found[0].notes = std::move(notes);
  return found;
}

std::string WithoutSlash(std::string path) {
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  return path;
}

}  // namespace

bool HoldsCaptures(const std::string& path) {
  return IsDirectory(path) && (!CapturesIn(path).empty() || !RunsIn(WithoutSlash(path)).empty());
}

Result<std::vector<FoundInput>> FindCaptures(const std::string& path, const Options& options) {
  const std::string directory = WithoutSlash(path);
  const std::string name = directory.substr(directory.rfind('/') + 1);
  if (!IsDirectory(path)) {
    const std::string_view host = HostInName(name);
    if (!options.host.empty() && host != options.host) {
      return Error::Usage(fmt::format("-host {}: {} is one file{}{}", options.host, path,
                                      host.empty() ? "" : ", of the host ", host));
    }
    return std::vector<FoundInput>{{path, {}}};
  }
  if (!CapturesIn(directory).empty()) {
    if (!options.run.empty() && name != options.run) {
      return Error::Usage(
          fmt::format("-run {}: {} is one run; give the log directory that has both, or {} itself",
                      options.run, path, options.run));
    }
    return HostsOf(directory, options.host, {});
  }
  const std::vector<std::string> runs = RunsIn(directory);
  if (runs.empty()) {
    return Error::Input(
        fmt::format("{}: no captures; they are looked for as *.xplane.pb in the directory itself and in "
                    "plugins/profile/RUN below it",
                    path));
  }
  std::string run = runs.back();
  if (!options.run.empty()) {
    if (std::ranges::find(runs, options.run) == runs.end()) {
      return Error::Usage(
          fmt::format("-run {}: {} has the runs {}", options.run, path, fmt::join(runs, ", ")));
    }
    run = options.run;
  }
  std::vector<std::string> notes;
  if (runs.size() > 1) {
    notes.push_back(
        fmt::format("run {} of {}; -run NAME takes one of the {} others", run, path, runs.size() - 1));
  }
  return HostsOf(directory + kRuns + "/" + run, options.host, std::move(notes));
}

}  // namespace tfprof::xplane
