#include "import/memory_profile.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "import/input_format.h"
#include "import/xplane/made_capture.h"
#include "model/live_memory.h"
#include "tfprof/report_kinds.h"

namespace tfprof {
namespace {

using xplane::Blob;
using xplane::Num;
using xplane::Packed;

constexpr const char* kTexts[] = {"",        "allocations", "count",  "space",  "bytes",
                                  "kind",    "buffer",      "device", "cuda:0", "executable",
                                  "main.py", "main",        "make",   "cpu",    "nanoseconds"};

uint64_t TextId(std::string_view text) {
  for (size_t i = 0; i < std::size(kTexts); ++i) {
    if (kTexts[i] == text) return i;
  }
  return 999;
}

std::string Type(std::string_view type, std::string_view unit) {
  return Blob(1, Num(1, TextId(type)) + Num(2, TextId(unit)));
}
std::string Label(std::string_view key, std::string_view text) {
  return Blob(3, Num(1, TextId(key)) + Num(2, TextId(text)));
}
std::string Sample(const std::vector<uint64_t>& locations, const std::vector<uint64_t>& values,
                   const std::string& labels) {
  return Blob(2, Packed(1, locations) + Packed(2, values) + labels);
}
// Locations 1: main.py:3 main, 2: main.py:9 make; 3 names a function that is not there.
std::string Tables() {
  std::string out;
  for (const auto& [id, function, line] : {std::tuple(1, 1, 3), std::tuple(2, 2, 9), std::tuple(3, 77, 1)})
    out += Blob(4, Num(1, id) + Blob(4, Num(1, function) + Num(2, line)));
  out += Blob(5, Num(1, 1) + Num(2, TextId("main")) + Num(4, TextId("main.py")));
  out += Blob(5, Num(1, 2) + Num(2, TextId("make")) + Num(4, TextId("main.py")));
  for (const char* text : kTexts) out += Blob(6, text);
  return out;
}
std::string Heads() { return Type("allocations", "count") + Type("space", "bytes"); }

std::string Small() {
  const std::string buffer = Label("kind", "buffer") + Label("device", "cuda:0");
  return Heads() + Sample({2, 1}, {3, 300}, buffer) + Sample({}, {1, 50}, buffer) +
         Sample({1}, {1, 0}, Label("kind", "executable")) + Tables();
}

// Names point into the bytes: the profile keeps them, as the loader has it.
Result<std::shared_ptr<const Profile>> Import(const std::string& bytes, bool keep_going = false) {
  ProfileBuilder builder(Detail::kFigures, keep_going);
  std::vector<Buffer>& buffers = builder.profile().buffers;
  buffers.emplace_back(std::make_shared<const std::string>(bytes));
  const WireFile file{"memory.prof", buffers[0].bytes()};
  builder.SetInput(file.path, file.bytes);
  if (Status s = ImportMemoryProfile(file, builder); !s) return s.error();
  return builder.Finish();
}

void PrintEverything(const std::shared_ptr<const Profile>& profile) {
  for (const char* kind : {"memory", "code", "op", "info", "scope", "steps", "summary"}) {
    const Result<MadeReport> made = FindReportKind(kind)->make({profile, {}});
    if (!made) continue;
    size_t written = 0;
    Render(*made->document, Format::kJson, {}, [&](std::string_view part) { written += part.size(); });
    EXPECT_GT(written, 0u);
  }
}

TEST(MemoryProfile, IsRecognisedByItsContentAndNothingElseIs) {
  EXPECT_EQ(SniffWire(Small()), FileKind::kMemoryProfile);
  EXPECT_FALSE(IsPprof(""));
  EXPECT_FALSE(IsPprof(Blob(1, Blob(1, "a node") + Blob(2, "NoOp"))));
  EXPECT_FALSE(IsPprof(Tables()));
}

TEST(MemoryProfile, BlocksOfOneStackDeviceAndKindAreOneNode) {
  const auto profile = Import(Small());
  ASSERT_TRUE(profile) << profile.error().message;
  const Profile& p = **profile;
  const LiveMemory& live = *p.live_memory;
  EXPECT_EQ(live.source, "JAX device memory profile");
  ASSERT_EQ(p.size(), 3u);
  EXPECT_EQ(live.bytes, (std::vector<int64_t>{300, 50, kNotRecorded}));
  EXPECT_EQ(live.count, (std::vector<int64_t>{3, 1, 1}));
  EXPECT_EQ(p.Op(NodeId(0)), "buffer");
  EXPECT_EQ(p.DeviceName(NodeId(0)), "cuda:0");
  EXPECT_FALSE(p.device[NodeId(2)].valid());
  EXPECT_FALSE(p.stack[NodeId(1)].valid());
  const Stack& innermost = p.stacks[p.stack[NodeId(0)]];
  EXPECT_EQ(p.strings[p.frames[innermost.frame].function], "make");
  EXPECT_EQ(p.frames[innermost.frame].line, 9);
  EXPECT_EQ(p.frames[p.stacks[innermost.caller].frame].line, 3);
}

TEST(MemoryProfile, AProfileOfTimesIsNamed) {
  const auto profile = Import(Type("allocations", "count") + Type("cpu", "nanoseconds") + Tables());
  ASSERT_FALSE(profile);
  EXPECT_NE(profile.error().message.find("allocations (count), cpu (nanoseconds), not of memory"),
            std::string::npos)
      << profile.error().message;
}

TEST(MemoryProfile, IdsThatLeadNowhereCostTheirFrameAlone) {
  const auto profile =
      Import(Heads() + Sample({1, 3, 99, ~uint64_t{0}}, {1, 7}, Label("kind", "gone")) + Tables());
  ASSERT_TRUE(profile) << profile.error().message;
  EXPECT_EQ((*profile)->live_memory->bytes, std::vector<int64_t>{7});
  EXPECT_FALSE((*profile)->damage.empty());
  EXPECT_EQ((*profile)->frames.size(), 1u);
  PrintEverything(*profile);
}

TEST(MemoryProfile, SizesBelowZeroAndBeyondAllSumsAreNoSizes) {
  const std::string negative = Heads() + Sample({1}, {1, ~uint64_t{0}}, "") + Tables();
  EXPECT_FALSE(Import(negative));
  EXPECT_TRUE(Import(negative, true));
  std::string huge = Heads();
  for (int i = 0; i < 3; ++i) huge += Sample({1}, {INT64_MAX, INT64_MAX}, "");
  const auto profile = Import(huge + Tables());
  ASSERT_TRUE(profile);
  EXPECT_EQ((*profile)->live_memory->bytes, std::vector<int64_t>{INT64_MAX});
  PrintEverything(*profile);
}

TEST(MemoryProfile, AStackOfAMillionFramesIsCut) {
  const std::string bytes = Heads() + Sample(std::vector<uint64_t>(1'000'000, 1), {1, 7}, "") + Tables();
  const auto profile = Import(bytes);
  ASSERT_TRUE(profile) << profile.error().message;
  EXPECT_LE((*profile)->stacks.size(), 4096u);
  EXPECT_EQ((*profile)->damage.size(), 1u);
  PrintEverything(*profile);
}

TEST(MemoryProfile, ATableBeyondAllSenseIsRefused) {
  std::string bytes = Heads();
  for (int i = 0; i < (1 << 22) + 1; ++i) bytes += std::string("\x32\0", 2);
  const auto profile = Import(bytes);
  ASSERT_FALSE(profile);
  EXPECT_NE(profile.error().message.find("entries"), std::string::npos);
}

TEST(MemoryProfile, EveryCutAndEveryBitIsSurvived) {
  const std::string whole = Small();
  for (size_t size = 0; size < whole.size(); ++size) {
    for (const bool keep_going : {false, true}) {
      if (const auto profile = Import(whole.substr(0, size), keep_going)) PrintEverything(*profile);
    }
  }
  for (size_t bit = 0; bit < whole.size() * 8; ++bit) {
    std::string bytes = whole;
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << bit % 8));
    (void)SniffWire(bytes);
    if (const auto profile = Import(bytes, true)) PrintEverything(*profile);
  }
}

}  // namespace
}  // namespace tfprof
