#include "load/run_identity.h"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <set>

#include "base/buffer.h"
#include "base/json_reader.h"
#include "base/paths.h"

namespace tfprof {
namespace {

constexpr std::string_view kFormat = "tfprof run 1";
constexpr size_t kMostBytes = 64 << 20;

struct RunIdentity {
  std::string id;
  std::set<std::string> files;
};

std::string Joined(const std::string& directory, std::string_view name) {
  return fmt::format("{}{}{}", directory, directory.empty() || directory.ends_with('/') ? "" : "/", name);
}

// None: there is no such file, or it is not one of ours.
std::optional<RunIdentity> ReadIdentity(const std::string& directory) {
  const std::string path = Joined(directory, kRunIdentityFile);
  if (!IsRegularFile(path)) return std::nullopt;
  const Result<Buffer> file = Buffer::Open(path);
  if (!file || file->bytes().size() > kMostBytes) return std::nullopt;
  const JsonDocument json = ParseJson(file->bytes());
  if (json.HasParseError() || !json.IsObject()) return std::nullopt;
  const JsonValue& run = json;
  const auto text = [&](const char* key) {
    const auto found = run.FindMember(key);
    const bool is_text = found != run.MemberEnd() && found->value.IsString();
    return is_text ? std::string(found->value.GetString(), found->value.GetStringLength()) : std::string();
  };
  if (text("format") != kFormat || text("id").empty()) return std::nullopt;
  RunIdentity out{text("id"), {}};
  const auto files = run.FindMember("files");
  if (files == run.MemberEnd() || !files->value.IsArray()) return std::nullopt;
  for (const auto& name : files->value.GetArray()) {
    if (name.IsString()) out.files.emplace(name.GetString(), name.GetStringLength());
  }
  return out;
}

std::string_view NameOf(std::string_view path) { return path.substr(path.rfind('/') + 1); }

std::string FolderOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash + 1);
}

}  // namespace

void LeaveOutOtherRuns(const std::string& directory, std::vector<OpenInput>* files,
                       std::vector<std::string>* notes) {
  const std::optional<RunIdentity> run = ReadIdentity(directory);
  if (!run) return;
  const auto listed = [&](const OpenInput& file) {
    return run->files.contains(std::string(NameOf(file.path)));
  };
  std::set<InputRole> known;
  for (const OpenInput& file : *files) {
    if (listed(file)) known.insert(file.format().role);
  }
  std::erase_if(*files, [&](const OpenInput& file) {
    const InputRole role = file.format().role;
    if (listed(file) || (role != InputRole::kSteps && !known.contains(role))) return false;
    if (role == InputRole::kNone || role == InputRole::kValues || role == InputRole::kWhole) return false;
    notes->push_back(fmt::format("{} is left out: it is of another recording than the one that {} tells of",
                                 file.path, Joined(directory, kRunIdentityFile)));
    return true;
  });
}

Status CheckOneRun(const std::vector<OpenInput>& inputs, bool keep_going, std::vector<std::string>* notes) {
  std::map<std::string, std::optional<RunIdentity>> runs;
  const OpenInput* first = nullptr;
  std::string id;
  for (const OpenInput& input : inputs) {
    const InputRole role = input.format().role;
    if (role != InputRole::kGraph && role != InputRole::kSteps) continue;
    const std::string folder = FolderOf(input.path);
    const auto [run, fresh] = runs.try_emplace(folder);
    if (fresh) run->second = ReadIdentity(folder);
    if (!run->second || !run->second->files.contains(std::string(NameOf(input.path)))) continue;
    if (!first) {
      first = &input;
      id = run->second->id;
    }
    if (run->second->id == id) continue;
    std::string message = fmt::format("{} and {} are of different recordings ({} tells): they need not fit",
                                      first->path, input.path, kRunIdentityFile);
    if (!keep_going) {
      return Error::Input(message + "; give files of one, or read them all the same with --keep_going");
    }
    notes->push_back(std::move(message));
  }
  return {};
}

}  // namespace tfprof
