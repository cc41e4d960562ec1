// What was typed at earlier prompts: one line each in a file of the user's state directory. Lines are
// appended as they are entered, so that several sessions share the file and none loses what another wrote.
// Trouble with the file is no reason to trouble the user: there is then no history.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tfprof::cli {

inline constexpr size_t kHistoryLines = 1000;

// $XDG_STATE_HOME/tfprof/history or ~/.local/state/tfprof/history. Only absolute paths count (the standard
// says so), thus never the working directory. Empty: there is no such place.
std::string HistoryPath(const char* state_home, const char* home);

class HistoryFile {
 public:
  explicit HistoryFile(std::string path) : path_(std::move(path)) {}

  // The last kHistoryLines lines, oldest first; shortens a file that has grown to twice that.
  std::vector<std::string> Load() const;
  void Append(std::string_view line) const;

 private:
  std::string path_;
};

}  // namespace tfprof::cli
