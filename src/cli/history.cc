#include "cli/history.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "base/atomic_file.h"
#include "base/text.h"

namespace tfprof::cli {
namespace {

constexpr std::streamoff kMostBytes = 4 << 20;

}  // namespace

std::string HistoryPath(const char* state_home, const char* home) {
  if (state_home && state_home[0] == '/') return fmt::format("{}/tfprof/history", state_home);
  if (home && home[0] == '/') return fmt::format("{}/.local/state/tfprof/history", home);
  return "";
}

std::vector<std::string> HistoryFile::Load() const {
  std::vector<std::string> lines;
  std::ifstream in(path_);
  // The end of it alone: what somebody else made of the file is not read as a whole.
  in.seekg(0, std::ios::end);
  const std::streamoff size = in.tellg(), from = std::max<std::streamoff>(size - kMostBytes, 0);
  in.clear();
  in.seekg(from);
  std::string text(static_cast<size_t>(std::clamp<std::streamoff>(size, 0, kMostBytes)), '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<size_t>(std::max<std::streamsize>(in.gcount(), 0)));
  if (from > 0) text.erase(0, std::min(text.find('\n'), text.size()));  // part of a line
  for (std::string& line : SplitList(text, '\n')) {
    if (!line.empty()) lines.push_back(std::move(line));
  }
  const bool too_long = lines.size() > 2 * kHistoryLines || from > 0;
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
