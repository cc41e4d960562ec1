// Captures that nobody recorded: every part that can lead nowhere, in a circle or beyond all numbers does,
// and reports of every kind are made of what comes out.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <memory>
#include <random>
#include <string>
#include <vector>

#include "import/xplane/import.h"
#include "import/xplane/made_capture.h"
#include "tfprof/report_kinds.h"

namespace tfprof::xplane {
namespace {

constexpr const char* kKinds[] = {"scope",   "graph", "op",      "code", "memory",
                                  "kernels", "steps", "summary", "info", "advise"};

// All reports of it; none: it could not be imported at all.
std::shared_ptr<const Profile> Use(const std::string& bytes, Names names = Names::kFolded) {
  ProfileBuilder builder(Detail::kExecutions, true);
  const WireFile file{"made.xplane.pb", bytes};
  const std::string path = file.path;
  const ImportInput input{file, path, 0, names};
  builder.SetInput(path, bytes);
  if (!ImportCaptures({&input, 1}, builder)) return nullptr;
  const std::shared_ptr<const Profile> profile = builder.Finish();
  for (const char* kind : kKinds) {
    const Result<MadeReport> made = FindReportKind(kind)->make({profile, {}});
    if (!made) {
      EXPECT_FALSE(made.error().message.empty());
      continue;
    }
    size_t written = 0;
    Render(*made->document, Format::kJson, {}, [&](std::string_view part) { written += part.size(); });
    EXPECT_GT(written, 0u) << kind;
  }
  return profile;
}

// A program, a kernel of each instruction, a step.
std::string MadeCapture(const std::string& proto, const std::vector<std::string>& kernels) {
  MadePlane metadata("/host:metadata"), gpu("/device:GPU:0"), host("/host:CPU");
  metadata.AddProgram("jit_f", 7, proto);
  std::vector<std::string> events;
  int64_t at = 0;
  for (const std::string& kernel : kernels) {
    events.push_back(gpu.Event(kernel, at += 100, 50,
                               {{"kernel_details", Ref{"regs:1"}},
                                {"hlo_op", Ref{kernel}},
                                {"hlo_module", Ref{"jit_f"}},
                                {"program_id", uint64_t{7}},
                                {"correlation_id", uint64_t{3}}}));
  }
  gpu.AddLine(14, "Stream #14", events);
  host.AddLine(1, "python",
               {host.Event("train", 0, 5000, {{"_r", int64_t{1}}, {"step_num", int64_t{4}}}),
                host.Event("cuLaunchKernel", 10, 20, {{"correlation_id", uint64_t{3}}}),
                host.Event("MemoryAllocation", 30, 1,
                           {{"allocator_name", "GPU_0_bfc"},
                            {"bytes_allocated", int64_t{1000}},
                            {"bytes_available", int64_t{5000}},
                            {"peak_bytes_in_use", int64_t{1000}},
                            {"allocation_bytes", int64_t{1000}},
                            {"address", uint64_t{64}}})});
  return MadeSpace({&metadata, &gpu, &host});
}

std::string SmallProgram() {
  return MadeModule("jit_f", 10,
                    {MadeComputation(20, 21, {{21, "in", "add", {8, 8}, "jit(f)/add"}}, true),
                     MadeComputation(10, 3,
                                     {{1, "p", "parameter"},
                                      {2, "dot.1", "dot", {8, 8}, "jit(f)/jvp(a)/dot_general", {1, 1}},
                                      {3, "fusion.2", "fusion", {8, 8}, "", {2}, {20}, Blob(11, "kLoop")}})});
}

std::string SmallCapture() { return MadeCapture(SmallProgram(), {"dot.1", "fusion.2"}); }

TEST(HostileCapture, OperandsAndComputationsInCirclesEnd) {
  const std::string proto = MadeModule(
      "jit_f", 10,
      {MadeComputation(
           20, 21,
           {{21, "a", "add", {8}, "jit(f)/a", {22, 21}}, {22, "b", "call", {8}, "jit(f)/b", {21}, {30}}}),
       MadeComputation(30, 31, {{31, "c", "while", {8}, "jit(f)/c", {31}, {20, 30}}}),
       MadeComputation(10, 2,
                       {{1, "t", "get-tuple-element", {8}, "", {2}},
                        {2, "u", "tuple", {8}, "", {1, 2}},
                        {3, "w", "while", {8}, "jit(f)/w", {4}, {10, 20}},
                        {4, "f", "fusion", {8}, "jit(f)/f", {3}, {10}},
                        {5, "i", "conditional", {8}, "jit(f)/i", {5, 5}, {10, 20, 30}},
                        {6, "s", "async-start", {8}, "jit(f)/s", {6}, {30}}})});
  const auto profile = Use(MadeCapture(proto, {"a", "b", "c", "f", "w", "i", "s"}));
  ASSERT_NE(profile, nullptr);
  EXPECT_GE(profile->size(), 4u);
}

TEST(HostileCapture, IdsThatLeadNowhere) {
  for (const uint64_t id : {uint64_t{0}, uint64_t{999}, uint64_t{1} << 32, ~uint64_t{0}}) {
    const std::string proto =
        MadeModule("jit_f", id,
                   {MadeComputation(10, id,
                                    {{2, "dot.1", "dot", {8, 8}, "jit(f)/dot", {id, id}},
                                     {3, "f", "fusion", {8, 8}, "jit(f)/f", {id}, {id}},
                                     {id, "w", "while", {8}, "jit(f)/w", {id}, {id, id}},
                                     {4, "g", "get-tuple-element", {8}, "", {id}, {}, Num(13, id)},
                                     {5, "p", "parameter", {8}, "", {}, {}, Num(9, id)}})});
    EXPECT_NE(Use(MadeCapture(proto, {"dot.1", "f", "w", "g"})), nullptr);
  }
  // Events and stats of metadata that is not there.
  const std::string line =
      Num(1, 5) + Blob(4, Num(1, 999) + Num(2, 1) + Num(3, 1) + Blob(4, Num(1, 999) + Num(7, 999)));
  EXPECT_NE(Use(Blob(1, Blob(2, "/device:GPU:0") + Blob(3, line))), nullptr);
}

TEST(HostileCapture, FramesInACircle) {
  const auto frame = [](uint64_t location, uint64_t parent) {
    return Blob(4, Num(1, location) + Num(2, parent));
  };
  const std::string index = Blob(1, "a.py") + Blob(2, "f") + Blob(3, Num(1, 1) + Num(2, 1) + Num(3, 5)) +
                            frame(1, 2) + frame(1, 1) + frame(1, 3) + frame(99, ~uint64_t{0});
  for (const uint64_t start : {uint64_t{1}, uint64_t{3}, uint64_t{4}, uint64_t{77}}) {
    const std::string metadata = Blob(7, Blob(2, "jit(f)/dot") + Num(15, start));
    std::string proto = Blob(1, "jit_f") +
                        Blob(3, MadeComputation(10, 2, {{2, "dot.1", "dot", {8, 8}, "", {}, {}, metadata}})) +
                        Num(6, 10);
    for (const uint32_t field : {17, 25}) proto += Blob(field, index);
    EXPECT_NE(Use(MadeCapture(Blob(1, proto), {"dot.1"})), nullptr);
  }
}

TEST(HostileCapture, AMillionNamesThatNobodyUses) {
  std::string plane = Blob(2, "/device:GPU:0");
  for (uint64_t i = 1; i <= 1'000'000; ++i) {
    const std::string entry = Num(1, i * 7919) + Blob(2, Num(1, i * 7919) + Blob(2, "k"));
    plane += Blob(4, entry);
    plane += Blob(5, entry);
  }
  plane += Blob(3, Num(1, 14) + Blob(2, "Stream #14") + Blob(4, Num(1, 7919) + Num(2, 5) + Num(3, 10)));
  rusage before{}, after{};
  getrusage(RUSAGE_SELF, &before);
  EXPECT_NE(Use(Blob(1, plane)), nullptr);
  getrusage(RUSAGE_SELF, &after);
  EXPECT_LT(after.ru_maxrss - before.ru_maxrss, 600'000);  // kB; the file has 40 MB
}

TEST(HostileCapture, TimesOfEveryKindSaturate) {
  constexpr int64_t kTimes[] = {0, 1, -1, INT64_MAX, INT64_MIN, INT64_MAX / 1000, 1'000'000'000'000};
  MadePlane gpu("/device:GPU:0"), host("/host:CPU"), other("/device:GPU:1");
  int64_t id = 1;
  for (const int64_t timestamp : kTimes) {
    std::vector<std::string> events, calls;
    for (const int64_t start : kTimes) {
      for (const int64_t length : kTimes) {
        events.push_back(gpu.Event("k", start, length, {{"kernel_details", Ref{"regs:1"}}}));
        calls.push_back(host.Event("train", start, length, {{"_r", int64_t{1}}, {"step_num", start}}));
      }
    }
    gpu.AddLine(id, "Stream #" + std::to_string(id), events, timestamp);
    host.AddLine(id++, "t", calls, timestamp);
  }
  const auto profile = Use(MadeSpace({&gpu, &host, &other}));
  ASSERT_NE(profile, nullptr);
  for (const Step& step : profile->steps) {
    EXPECT_GE(step.sums.picos, 0);
    for (const StepRow& row : step.rows) EXPECT_GE(row.picos(), 0);
  }
}

TEST(HostileCapture, PlanesOfOneNameAndPlanesOfNothing) {
  MadePlane first("/device:GPU:0"), again("/device:GPU:0"), host("/host:CPU"), host_again("/host:CPU");
  MadePlane nothing("/device:GPU:1"), unnamed(""), no_events("/device:GPU:2");
  first.AddLine(14, "Stream #14", {first.Event("k", 0, 30, {{"kernel_details", Ref{"regs:1"}}})});
  again.AddLine(14, "Stream #14", {again.Event("k", 50, 30, {{"kernel_details", Ref{"regs:1"}}})});
  no_events.AddLine(14, "Stream #14", {});
  const auto profile =
      Use(MadeSpace({&first, &again, &host, &host_again, &nothing, &unnamed, &no_events, &first}));
  ASSERT_NE(profile, nullptr);
  Use(MadeSpace({&nothing}));
  Use(Blob(1, ""));
  Use("");
}

TEST(HostileCapture, AProgramThatIsCutLeavesTheRest) {
  const std::string proto = SmallProgram();
  for (size_t size = 0; size < proto.size(); size += 3) {
    const auto profile = Use(MadeCapture(proto.substr(0, size), {"dot.1", "fusion.2"}));
    ASSERT_NE(profile, nullptr) << size;
    EXPECT_GE(profile->size(), 1u) << size;
  }
}

TEST(HostileCapture, EveryCutIsReportedOn) {
  const std::string whole = SmallCapture();
  for (size_t size = 0; size < whole.size(); ++size) Use(whole.substr(0, size));
}

TEST(HostileCapture, TwoThousandFlippedBits) {
  const std::string whole = SmallCapture();
  std::mt19937 random(1);
  for (int i = 0; i < 2000; ++i) {
    std::string bytes = whole;
    for (size_t flips = 1 + random() % 3; flips > 0; --flips) {
      const size_t bit = random() % (bytes.size() * 8);
      bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << bit % 8));
    }
    Use(bytes, i % 2 == 0 ? Names::kFolded : Names::kRaw);
  }
}

}  // namespace
}  // namespace tfprof::xplane
