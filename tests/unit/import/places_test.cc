// What directories stand for: runs of event files and of captures.
#include <gtest/gtest.h>

#include "base/crc32c.h"
#include "import/event_file.h"
#include "import/xplane/import.h"
#include "support/made_folder.h"
#include "support/made_graph.h"

namespace tfprof {
namespace {

std::string Record(std::string_view event) {
  const auto number = [](auto value) {
    return std::string(reinterpret_cast<const char*>(&value), sizeof value);
  };
  const std::string size = number(uint64_t{event.size()});
  return size + number(MaskCrc32c(Crc32c(size))) + std::string(event) + number(MaskCrc32c(Crc32c(event)));
}

const std::string kVersion = Record(BytesField(3, "brain.Event:2"));
const std::string kGraph = Record(BytesField(4, BytesField(1, NodeBytes("a", "NoOp", {}, {}))));

// An event with run metadata under a tag, as TensorFlow 1 writes them.
std::string Tagged(std::string_view tag, int64_t step, std::string_view bytes = "metadata") {
  return Record(VarintField(2, step) + BytesField(8, BytesField(1, tag) + BytesField(2, bytes)));
}

std::vector<std::string> PathsOf(const Result<std::vector<FoundInput>>& found) {
  std::vector<std::string> out;
  if (!found) return {found.error().message};
  for (const FoundInput& input : *found) out.push_back(input.path);
  return out;
}

TEST(EventFile, APartIsOfTheStepThatItsTagEndsWith) {
  const std::string file = kVersion + kGraph + Tagged("step_10", 3) + Tagged("last", 7) +
                           Tagged("test_10", 4) + Tagged("nothing", 9, "") + Tagged("negative", -5);
  EXPECT_TRUE(IsEventFile(file));
  const InputParts found = SplitEventFile(file, "log");
  EXPECT_TRUE(found.damage.empty());
  ASSERT_EQ(found.parts.size(), 5u);
  EXPECT_EQ(found.parts[0].kind, FileKind::kGraphDef);
  EXPECT_EQ(found.parts[1].step, 10);
  EXPECT_EQ(found.parts[1].name, "tag step_10");
  EXPECT_EQ(found.parts[2].step, 7) << "a tag without a number: the event's step";
  EXPECT_EQ(found.parts[3].step, std::nullopt) << "10 is taken";
  EXPECT_EQ(found.parts[4].step, 0) << "steps are 0 and up";
  ASSERT_EQ(found.notes.size(), 1u);
  EXPECT_NE(found.notes[0].find("both of step 10"), std::string::npos);
}

// TensorFlow 2 keeps the run metadata of a traced function in a summary of a plugin.
TEST(EventFile, ASummaryMayHoldRunMetadata) {
  const auto summary = [](std::string_view plugin) {
    const std::string value = BytesField(1, "traced") + BytesField(8, BytesField(8, "metadata")) +
                              BytesField(9, BytesField(1, BytesField(1, plugin)));
    return Record(VarintField(2, 6) + BytesField(5, BytesField(1, value)));
  };
  const InputParts found =
      SplitEventFile(kVersion + summary("graph_run_metadata_graph") + summary("scalars"), "log");
  ASSERT_EQ(found.parts.size(), 1u);
  EXPECT_EQ(found.parts[0].kind, FileKind::kRunMetadata);
  EXPECT_EQ(found.parts[0].step, 6);
  EXPECT_EQ(found.parts[0].bytes, "metadata");
}

TEST(EventFile, TheNewestGraphIsTaken) {
  const std::string newer = BytesField(1, NodeBytes("b", "NoOp", {}, {}));
  const InputParts found = SplitEventFile(
      kVersion + kGraph + Record(BytesField(4, newer)) + Record(BytesField(9, "meta graph")), "log");
  ASSERT_EQ(found.parts.size(), 2u);
  EXPECT_EQ(found.parts[0].bytes, newer);
  EXPECT_EQ(found.parts[1].kind, FileKind::kMetaGraph);
}

TEST(EventFile, DamageIsNamedAndSteppedOver) {
  std::string wrong_sum = kVersion + kGraph + Tagged("step_1", 1);
  wrong_sum[kVersion.size() + 14] ^= 1;  // in the graph
  const InputParts one = SplitEventFile(wrong_sum, "log");
  ASSERT_EQ(one.damage.size(), 1u);
  EXPECT_EQ(one.damage[0].first, "damaged event");
  ASSERT_EQ(one.parts.size(), 1u) << "what stands behind it is read";
  EXPECT_EQ(one.parts[0].step, 1);

  const std::string whole = kVersion + kGraph;
  for (const size_t cut : {whole.size() - 1, kVersion.size() + 5}) {
    const InputParts found = SplitEventFile(whole.substr(0, cut), "log");
    ASSERT_EQ(found.damage.size(), 1u) << cut;
    EXPECT_EQ(found.damage[0].first, "cut event file") << cut;
    EXPECT_TRUE(found.parts.empty());
  }
  std::string wrong_length = whole;
  wrong_length[kVersion.size()] ^= 1;
  EXPECT_NE(SplitEventFile(wrong_length, "log").damage.at(0).second.find("length"), std::string::npos);
  EXPECT_EQ(SplitEventFile(kVersion, "log").in_words, "1 events, none with a graph or run metadata");
}

TEST(EventFile, OfALogDirectoryTheLastRunThatHasSomething) {
  const MadeFolder folder;
  folder.Write("a/events.out.tfevents.1.host", kVersion + kGraph);
  folder.Write("b/events.out.tfevents.1.host", kVersion + kGraph);
  folder.Write("b/events.out.tfevents.2.host", kVersion);
  folder.Write("c/events.out.tfevents.1.host", kVersion);
  folder.Write("d/other", "");
  EXPECT_TRUE(HoldsEventFiles(folder.path()));
  EXPECT_TRUE(HoldsEventFiles(folder.path("c")));
  EXPECT_FALSE(HoldsEventFiles(folder.path("d")));
  const std::vector<std::string> newest_first = {folder.path("b/events.out.tfevents.2.host"),
                                                 folder.path("b/events.out.tfevents.1.host")};
  const Result<std::vector<FoundInput>> found = FindEventFiles(folder.path(), {});
  EXPECT_EQ(PathsOf(found), newest_first);
  EXPECT_EQ(found->at(0).notes.size(), 1u) << "the other one is named";
  EXPECT_EQ(PathsOf(FindEventFiles(folder.path("b"), {})), newest_first);
  const std::string file = folder.path("c/events.out.tfevents.1.host");
  EXPECT_EQ(PathsOf(FindEventFiles(file, {})), std::vector{file});
  Options options;
  options.run = "c";
  EXPECT_EQ(PathsOf(FindEventFiles(folder.path(), options)), std::vector{file});
  options.run = "none";
  EXPECT_NE(PathsOf(FindEventFiles(folder.path(), options))[0].find("has the runs a, b, c"),
            std::string::npos);
}

TEST(EventFile, ALogDirectoryOfFiguresAloneIsRefused) {
  const MadeFolder folder;
  folder.Write("c/events.out.tfevents.1.host", kVersion);
  EXPECT_NE(PathsOf(FindEventFiles(folder.path(), {}))[0].find("no graph and no run metadata"),
            std::string::npos);
}

TEST(FindCaptures, OfALogDirectoryTheRunThatSortsLast) {
  const MadeFolder folder;
  const std::string runs = "log/plugins/profile/";
  folder.Write(runs + "2026_01_02/alpha.xplane.pb", "");
  folder.Write(runs + "2026_01_12/alpha.xplane.pb", "");
  folder.Write(runs + "2026_01_12/beta.xplane.pb.gz", "");
  folder.Write(runs + "2026_01_12/trace.json.gz", "");
  folder.Write(runs + "2026_02_01/trace.json.gz", "");
  const std::string newest = folder.path(runs + "2026_01_12");
  EXPECT_TRUE(xplane::HoldsCaptures(folder.path("log/")));
  EXPECT_FALSE(xplane::HoldsCaptures(folder.path()));
  const auto found = xplane::FindCaptures(folder.path("log/"), {});
  EXPECT_EQ(PathsOf(found), (std::vector{newest + "/alpha.xplane.pb", newest + "/beta.xplane.pb.gz"}));
  EXPECT_EQ(found->at(0).notes.size(), 1u);
  EXPECT_EQ(PathsOf(xplane::FindCaptures(newest, {})).size(), 2u);
  Options options;
  options.host = "beta";
  EXPECT_EQ(PathsOf(xplane::FindCaptures(folder.path("log"), options)),
            std::vector{newest + "/beta.xplane.pb.gz"});
  options.host = "gamma";
  EXPECT_NE(PathsOf(xplane::FindCaptures(folder.path("log"), options))[0].find("alpha, beta"),
            std::string::npos);
  options = {};
  options.run = "2026_01_02";
  EXPECT_EQ(PathsOf(xplane::FindCaptures(folder.path("log"), options)),
            std::vector{folder.path(runs + "2026_01_02/alpha.xplane.pb")});
  EXPECT_NE(PathsOf(xplane::FindCaptures(newest, options))[0].find("is one run"), std::string::npos);
  options.run = "none";
  EXPECT_NE(PathsOf(xplane::FindCaptures(folder.path("log"), options))[0].find("2026_01_02, 2026_01_12"),
            std::string::npos);
  EXPECT_NE(PathsOf(xplane::FindCaptures(folder.path(), {}))[0].find("no captures"), std::string::npos);
}

TEST(FindCaptures, AFileIsItsHost) {
  const MadeFolder folder;
  const std::string file = folder.Write("alpha.xplane.pb", "");
  Options options;
  EXPECT_EQ(PathsOf(xplane::FindCaptures(file, options)), std::vector{file});
  options.host = "alpha";
  EXPECT_EQ(PathsOf(xplane::FindCaptures(file, options)), std::vector{file});
  options.host = "beta";
  EXPECT_NE(PathsOf(xplane::FindCaptures(file, options))[0].find("of the host alpha"), std::string::npos);
}

}  // namespace
}  // namespace tfprof
