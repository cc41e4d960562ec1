#include "tfprof/runs.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/crc32c.h"

namespace tfprof {
namespace {

namespace fs = std::filesystem;

class Runs : public testing::Test {
 protected:
  void SetUp() override {
    std::string path = (fs::temp_directory_path() / "runsXXXXXX").string();
    root_ = mkdtemp(path.data());
  }
  void TearDown() override { fs::remove_all(root_); }

  std::string Graph(const std::string& path) {
    const fs::path file = root_ / path;
    fs::create_directories(file.parent_path());
    std::ofstream(file) << "node { name: \"a\" op: \"NoOp\" }\n";
    return file.string();
  }
  std::vector<std::string> Names(std::vector<std::string> inputs) {
    Options options;
    options.inputs = std::move(inputs);
    std::vector<std::string> out;
    for (const RunPlace& run : FindRuns(options))
      out.push_back(run.name + (run.error.empty() ? "" : " refused"));
    return out;
  }

  // One event, which says the version of the format.
  static std::string LogOfFigures() {
    const std::string event =
        "\x1a\x0d"
        "brain.Event:2";
    const auto number = [](auto value) {
      return std::string(reinterpret_cast<const char*>(&value), sizeof(value));
    };
    const std::string length = number(uint64_t{event.size()});
    return length + number(MaskCrc32c(Crc32c(length))) + event + number(MaskCrc32c(Crc32c(event)));
  }

  fs::path root_;
};

TEST_F(Runs, AFolderOfRunsIsItsRuns) {
  Graph("b/graph.pbtxt");
  Graph("a/graph.pbtxt");
  Graph("deep/er/c/graph.pbtxt");
  fs::create_directories(root_ / "empty");
  EXPECT_EQ(Names({root_.string()}), (std::vector<std::string>{"a", "b", "deep/er/c"}));
}

TEST_F(Runs, ARunIsItself) {
  Graph("run/graph.pbtxt");
  Graph("run/below/graph.pbtxt");
  EXPECT_EQ(Names({(root_ / "run").string()}), (std::vector<std::string>{"run"}));
  EXPECT_EQ(Names({(root_ / "run").string() + "/"}), (std::vector<std::string>{"run"}));
}

// As TensorBoard has them: figures of training in event files, captures, and runs of other recorders in one
// place.
TEST_F(Runs, ALogDirectoryIsItsRuns) {
  Graph("run/graph.pbtxt");
  std::ofstream(root_ / "events.out.tfevents.1.host") << LogOfFigures();
  for (const char* folder : {"train", "validation"}) {
    fs::create_directories(root_ / folder);
    std::ofstream(root_ / folder / "events.out.tfevents.1.host") << LogOfFigures();
  }
  EXPECT_EQ(Names({root_.string()}), (std::vector<std::string>{"run"}));
  fs::create_directories(root_ / "plugins/profile/first");
  std::ofstream(root_ / "plugins/profile/first/host.xplane.pb") << "";
  EXPECT_EQ(Names({root_.string()}), (std::vector<std::string>{root_.filename(), "run"}));
  fs::create_directories(root_ / "plugins/profile/second");
  std::ofstream(root_ / "plugins/profile/second/host.xplane.pb") << "";
  EXPECT_EQ(Names({root_.string()}),
            (std::vector<std::string>{"plugins/profile/first", "plugins/profile/second", "run"}));
}

TEST_F(Runs, FilesThatAreNotOneInputAreOneEach) {
  const std::string a = Graph("a.pbtxt"), b = Graph("b.pbtxt");
  EXPECT_EQ(Names({a, b}), (std::vector<std::string>{"a.pbtxt", "b.pbtxt"}));
  EXPECT_EQ(Names({a}), (std::vector<std::string>{"a.pbtxt"}));
}

TEST_F(Runs, WhatIsNotThereIsTold) {
  EXPECT_EQ(Names({(root_ / "nowhere").string()}), (std::vector<std::string>{"nowhere refused"}));
  EXPECT_TRUE(Names({}).empty());
}

TEST_F(Runs, LinksThatLeadOutAreRefused) {
  const std::string secret = Graph("secret.pbtxt");
  Graph("runs/good/graph.pbtxt");
  fs::create_directories(root_ / "runs/bad");
  fs::create_symlink(secret, root_ / "runs/bad/graph.pbtxt");
  fs::create_directories(root_ / "runs/inside");
  fs::create_symlink("../good/graph.pbtxt", root_ / "runs/inside/graph.pbtxt");
  fs::create_directory_symlink(root_, root_ / "runs/loop");
  EXPECT_EQ(Names({(root_ / "runs").string()}),
            (std::vector<std::string>{"bad refused", "good", "inside refused"}));
}

TEST_F(Runs, TimeAndSizeAreThoseOfTheFiles) {
  const std::string file = Graph("run/graph.pbtxt");
  Options options;
  options.inputs = {(root_ / "run").string()};
  const RunPlace run = FindRuns(options)[0];
  EXPECT_EQ(run.bytes, static_cast<int64_t>(fs::file_size(file)));
  EXPECT_GT(run.modified, 1'600'000'000);
  std::ofstream(file, std::ios::app) << "node { name: \"b\" op: \"NoOp\" }\n";
  EXPECT_GT(Refreshed(run).bytes, run.bytes);
}

}  // namespace
}  // namespace tfprof
