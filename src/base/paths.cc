#include "base/paths.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string_view>
#include <utility>

#include "base/system_error.h"

namespace tfprof {

namespace fs = std::filesystem;

namespace {

Error CannotBeListed(const std::string& directory) { return SystemError(directory, "listed"); }

// Where the directory itself does not say what an entry is, or where it leads to.
void LookCloser(int directory, DirectoryEntry& entry) {
  struct stat st = {};
  if (fstatat(directory, entry.name.c_str(), &st, AT_SYMLINK_NOFOLLOW) != 0) return;
  entry.is_link = S_ISLNK(st.st_mode);
  if (entry.is_link && fstatat(directory, entry.name.c_str(), &st, 0) != 0) return;  // leads nowhere
  entry.is_directory = S_ISDIR(st.st_mode);
  entry.is_file = S_ISREG(st.st_mode);
}

}  // namespace

bool PathExists(const std::string& path) {
  std::error_code error;
  return fs::exists(path, error);
}

bool IsDirectory(const std::string& path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

bool IsRegularFile(const std::string& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

bool IsBelow(const std::filesystem::path& path, const std::filesystem::path& root) {
  return std::mismatch(root.begin(), root.end(), path.begin(), path.end()).first == root.end();
}

Result<std::vector<DirectoryEntry>> EntriesIn(const std::string& directory) {
  const auto close = [](DIR* opened) { closedir(opened); };
  const std::unique_ptr<DIR, decltype(close)> opened(opendir(directory.empty() ? "." : directory.c_str()),
                                                     close);
  std::vector<DirectoryEntry> out;
  while (opened) {
    errno = 0;
    const dirent* const found = readdir(opened.get());
    if (!found && errno == 0) break;
    if (!found) return CannotBeListed(directory);
    const std::string_view name = found->d_name;
    if (name == "." || name == "..") continue;
    out.push_back(
        {std::string(name), found->d_type == DT_LNK, found->d_type == DT_DIR, found->d_type == DT_REG});
    if (found->d_type == DT_LNK || found->d_type == DT_UNKNOWN) LookCloser(dirfd(opened.get()), out.back());
  }
  if (!opened) return CannotBeListed(directory);
  std::ranges::sort(out, {}, &DirectoryEntry::name);
  return out;
}

Result<std::vector<std::string>> FilesIn(const std::string& directory) {
  Result<std::vector<DirectoryEntry>> entries = EntriesIn(directory);
  if (!entries) return entries.error();
  std::vector<std::string> out;
  for (DirectoryEntry& entry : *entries) {
    if (entry.is_file) out.push_back(std::move(entry.name));
  }
  return out;
}

}  // namespace tfprof
