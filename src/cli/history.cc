#include "cli/history.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/atomic_file.h"

namespace tfprof::cli {

std::string HistoryPath(const char* state_home, const char* home) {
  if (state_home && state_home[0] == '/') return fmt::format("{}/tfprof/history", state_home);
  if (home && home[0] == '/') return fmt::format("{}/.local/state/tfprof/history", home);
  return "";
}

std::vector<std::string> HistoryFile::Load() const {
  std::vector<std::string> lines;
  std::ifstream in(path_);
  for (std::string line; std::getline(in, line);) {
    if (!line.empty()) lines.push_back(std::move(line));
  }
  const bool too_long = lines.size() > 2 * kHistoryLines;
  if (lines.size() > kHistoryLines) lines.erase(lines.begin(), lines.end() - kHistoryLines);
  if (too_long && WriteFile(path_, fmt::format("{}\n", fmt::join(lines, "\n")))) {
    chmod(path_.c_str(), S_IRUSR | S_IWUSR);
  }
  return lines;
}

void HistoryFile::Append(std::string_view line) const {
  if (path_.empty()) return;
  std::error_code ignored;
  std::filesystem::create_directories(std::filesystem::path(path_).parent_path(), ignored);
  const int file = open(path_.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (file < 0) return;
  const std::string text = fmt::format("{}\n", line);
  const ssize_t written =
      write(file, text.data(), text.size());  // at once, so that sessions do not mix lines
  static_cast<void>(written);
  close(file);
}

}  // namespace tfprof::cli
