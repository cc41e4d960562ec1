#include "cli/history.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace tfprof::cli {
namespace {

namespace fs = std::filesystem;
using Lines = std::vector<std::string>;

class HistoryFileTest : public testing::Test {
 protected:
  HistoryFileTest() : root_(fs::temp_directory_path() / ("tfprof_history_" + std::to_string(getpid()))) {}
  ~HistoryFileTest() override { fs::remove_all(root_); }
  std::string Path() const { return (root_ / "a" / "b" / "history").string(); }

  fs::path root_;
};

TEST(HistoryPath, StateHomeBeforeHomeAndOnlyAbsolute) {
  EXPECT_EQ(HistoryPath("/state", "/home/me"), "/state/tfprof/history");
  EXPECT_EQ(HistoryPath(nullptr, "/home/me"), "/home/me/.local/state/tfprof/history");
  EXPECT_EQ(HistoryPath("", "/home/me"), "/home/me/.local/state/tfprof/history");
  EXPECT_EQ(HistoryPath("here", "/home/me"), "/home/me/.local/state/tfprof/history");
  EXPECT_EQ(HistoryPath("here", "there"), "");
  EXPECT_EQ(HistoryPath(nullptr, nullptr), "");
}

TEST_F(HistoryFileTest, AppendsForTheOwnerAlone) {
  EXPECT_EQ(HistoryFile(Path()).Load(), Lines{});
  HistoryFile(Path()).Append("scope");
  HistoryFile(Path()).Append("op -select bytes");
  EXPECT_EQ(HistoryFile(Path()).Load(), (Lines{"scope", "op -select bytes"}));
  struct stat info = {};
  ASSERT_EQ(stat(Path().c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
}

TEST_F(HistoryFileTest, KeepsTheNewestLinesAndShortensTheFile) {
  fs::create_directories(fs::path(Path()).parent_path());
  {
    std::ofstream out(Path());
    for (size_t i = 0; i < 2 * kHistoryLines + 1; ++i) out << "line " << i << "\n";
  }
  const Lines lines = HistoryFile(Path()).Load();
  ASSERT_EQ(lines.size(), kHistoryLines);
  EXPECT_EQ(lines.back(), "line " + std::to_string(2 * kHistoryLines));
  std::ifstream in(Path());
  Lines left;
  for (std::string line; std::getline(in, line);) left.push_back(line);
  EXPECT_EQ(left, lines);
}

TEST_F(HistoryFileTest, NoPlaceIsNoTrouble) {
  HistoryFile("").Append("scope");
  EXPECT_EQ(HistoryFile("").Load(), Lines{});
  HistoryFile("/proc/nowhere/history").Append("scope");
  EXPECT_EQ(HistoryFile("/proc/nowhere/history").Load(), Lines{});
}

}  // namespace
}  // namespace tfprof::cli
