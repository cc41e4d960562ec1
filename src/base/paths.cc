#include "base/paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace tfprof {

namespace fs = std::filesystem;

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

Result<std::vector<std::string>> FilesIn(const std::string& directory) {
  std::vector<std::string> out;
  std::error_code error, ignored;
  for (fs::directory_iterator it(directory.empty() ? "." : directory, error), end; !error && it != end;
       it.increment(error)) {
    if (it->is_regular_file(ignored)) out.push_back(it->path().filename().string());
  }
  if (error) return Error::Input(fmt::format("{}: cannot be listed: {}", directory, error.message()));
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace tfprof
