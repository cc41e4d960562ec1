#include "oom/log_reader.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "oom/line_scanner.h"
#include "oom/settle.h"

namespace tfprof::oom {
namespace {

// A log given in blocks of this size.
OomReport Read(std::string_view text, size_t block = 1 << 16, Budget budget = {}) {
  OomReport report;
  LogReader reader("log", &budget);
  LineScanner scanner(&reader);
  for (size_t at = 0; at < text.size(); at += block) scanner.Add(text.substr(at, block));
  scanner.Finish();
  report.lines = scanner.lines();
  report.not_failures = reader.not_failures();
  report.events_left_out = reader.left_out();
  Settle(reader.TakeRecords(), &report);
  return report;
}

// The same with every line read in full, none skipped.
OomReport ReadEveryLine(std::string_view text) {
  OomReport report;
  Budget budget;
  LogReader reader("log", &budget);
  for (int64_t number = 1; !text.empty(); ++number) {
    const size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    reader.Line(line, number, end == std::string_view::npos);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    report.lines = number;
  }
  report.not_failures = reader.not_failures();
  Settle(reader.TakeRecords(), &report);
  return report;
}

std::string Words(const OomReport& report) {
  std::ostringstream out;
  out << report.lines << " lines, " << report.not_failures << "\n";
  for (const OomEvent& e : report.events) {
    out << *e.line << " x" << e.count << " " << e.allocator.value_or("-") << " " << e.op.value_or("-") << " "
        << e.program.value_or("-") << " " << e.in_use_bytes.value_or(-1) << " " << e.chunks.size() << " "
        << e.regions.size() << " " << kOomVerdictNames[static_cast<size_t>(e.verdict)] << " "
        << e.by_node.size();
    for (const std::string& text : e.missing) out << " " << text;
    for (const std::string& text : e.hints) out << " " << text;
    out << "\n";
  }
  return out.str();
}

std::string Data(const char* name) {
  std::ifstream in(std::string(TFPROF_TEST_DATA) + "/oom/" + name, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

constexpr const char* kLogs[] = {
    "two_devices.log", "workers.log",   "interleaved.log",           "tf1_synthetic.log",   "keras_fit.log",
    "kubernetes.log",  "jax_eager.log", "tf2_session_remaining.log", "tf0_12_synthetic.log"};

TEST(OomLog, SkimmingFindsWhatReadingEveryLineFinds) {
  for (const char* name : kLogs) {
    const std::string text = Data(name);
    ASSERT_FALSE(text.empty()) << name;
    EXPECT_EQ(Words(Read(text)), Words(ReadEveryLine(text))) << name;
    EXPECT_FALSE(Read(text).events.empty());
  }
}

TEST(OomLog, BlocksMayEndAnywhere) {
  for (const char* name : kLogs) {
    const std::string text = Data(name);
    const std::string whole = Words(Read(text, text.size()));
    for (const size_t block : {1u, 7u, 64u, 4093u})
      EXPECT_EQ(Words(Read(text, block)), whole) << name << " " << block;
  }
}

constexpr char kHead[] = "W1115 21:23:46.324068     950 bfc_allocator.cc:1] ";
std::string H(const std::string& body) { return kHead + body + "\n"; }
std::string Request(const std::string& size, const std::string& rest = "") {
  return "Allocator (GPU_0_bfc) ran out of memory trying to allocate " + size + rest;
}
std::string SmallDump() {
  return H("Next region of size 1024") + H("InUse at 100 of size 768 next 1") +
         H("Free  at 400 of size 256 next 2") + H("Summary of in-use Chunks by size: ") +
         H("1 Chunks of size 768 totalling 768B") + H("Sum Total of in-use chunks: 768B") +
         H("Total size in pool: 1.0KiB memory_limit_: 1.0KiB available size: 0B") + H("Stats: ") +
         "Limit: 1.0KiB\nInUse: 768B\nMaxInUse: 768B\nNumAllocs: 1\nMaxAllocSize: 768B\n\n" +
         H(std::string(75, '*') + std::string(25, '_'));
}

TEST(OomLog, ProgressBarGluedBeforeTheHeaderIsNoProcess) {
  const OomReport report = Read("15/15 [=======] - loss: 7.7" +
                                H(Request("512B (rounded to 512)", "requested by op a/b")) + SmallDump());
  ASSERT_EQ(report.events.size(), 1u);
  EXPECT_EQ(report.events[0].prefix, std::nullopt);
  EXPECT_EQ(report.events[0].op, "a/b");
  EXPECT_EQ(report.events[0].verdict, OomVerdict::kTooMuchHeld);
  EXPECT_EQ(report.events[0].short_by, 256);
}

TEST(OomLog, ProgressBarOfAWorkerBelongsToTheWorker) {
  const std::string worker = "w-1: ";
  std::string text =
      worker + H("hello") + worker + "\r 45%|###   | 45/100 [00:01<00:01, 9it/s]" + H(Request("512B"));
  std::istringstream lines(SmallDump());
  for (std::string line; std::getline(lines, line);) text += worker + line + "\n";
  const OomReport report = Read(text);
  ASSERT_EQ(report.events.size(), 1u);
  EXPECT_EQ(report.events[0].prefix, "w-1:");
}

TEST(OomLog, ExactBytesOfTheErrorAreThoseOfTheRoundedRequest) {
  const OomReport report = Read(H(Request("2.80GiB", " (rounded to 3003121664)")) + SmallDump() +
                                "jax.errors.JaxRuntimeError: RESOURCE_EXHAUSTED: Out of memory while trying "
                                "to allocate 3003121600 bytes.\n");
  ASSERT_EQ(report.events.size(), 1u);
  EXPECT_EQ(report.events[0].requested_bytes, 3003121600);
  EXPECT_TRUE(report.events[0].missing.empty());
  const OomReport other = Read(H(Request("2.80GiB")) + SmallDump() +
                               "Out of memory while trying to allocate 3103121600 bytes.\n");
  EXPECT_EQ(other.events.size(), 2u);
}

TEST(OomLog, EagerOpThatSaysNoMoreThanThatItFailed) {
  const std::string line =
      "ResourceExhaustedError: {{function_node __wrapped__Mul_device_/job:localhost}} failed to allocate "
      "memory [Op:Mul]\n";
  const OomReport with_dump = Read(H(Request("512B")) + SmallDump() + line);
  ASSERT_EQ(with_dump.events.size(), 1u);
  EXPECT_EQ(with_dump.events[0].op, "Mul");
  EXPECT_TRUE(with_dump.events[0].missing.empty());
  const OomReport alone = Read(line);
  ASSERT_EQ(alone.events.size(), 1u);
  EXPECT_EQ(alone.events[0].kind, OomKind::kMessage);
  EXPECT_EQ(alone.events[0].op, "Mul");
}

TEST(OomLog, DeviceThatRefusedMemoryProvesThatThePoolCouldNotGrow) {
  const std::string refused =
      "E cuda_driver.cc:1] failed to allocate 2.20G (2362232064 bytes) from device: "
      "CUDA_ERROR_OUT_OF_MEMORY: out of memory\n";
  const OomReport report = Read(refused +
                                "E cuda_driver.cc:1] failed to allocate 1.98G (2126008832 bytes) from "
                                "device: CUDA_ERROR_OUT_OF_MEMORY\n" +
                                "W bfc_allocator.cc:1] " + Request("512B") +
                                "\nW bfc_allocator.cc:1] Stats: \nLimit: 4096\nInUse: 1024\n");
  ASSERT_EQ(report.events.size(), 1u);
  ASSERT_TRUE(report.events[0].refused);
  EXPECT_EQ(report.events[0].refused->count, 2);
  EXPECT_EQ(report.events[0].refused->bytes, 2126008832);
  EXPECT_EQ(report.events[0].verdict, OomVerdict::kUnknown);
  EXPECT_EQ(report.events[0].likely, OomVerdict::kPoolCouldNotGrow);
  EXPECT_EQ(report.events[0].judged_by, "device");
}

TEST(OomLog, WhatTheProgramNeedsAtLeastIsKept) {
  const OomReport report = Read(Data("jax_larger.log"));
  ASSERT_EQ(report.events.size(), 1u);
  ASSERT_TRUE(report.events[0].program_need);
  EXPECT_EQ(report.events[0].program_need->limit_bytes, 2804325581);
  EXPECT_EQ(report.events[0].program_need->reduced_to_bytes, 11520000000004);
}

TEST(OomLog, ListThatTwoThreadsPrintForOneEventIsTwoLists) {
  const std::string error =
      "OOM when allocating tensor with shape[8] and type float on /d:0 by allocator GPU_0_bfc\n";
  const std::string other = "I1115 21:23:46.324068     951 x.cc:1] ";
  const OomReport report =
      Read(kHead + error + "Current usage from device: /d:0, allocator: a\n  1.0KiB from n0\n" + other +
           error + "Current usage from device: /d:1, allocator: a\n  2.0KiB from n1\n" + kHead + "\n" +
           "Current usage from device: /d:0, allocator: a\n");
  ASSERT_EQ(report.events.size(), 1u);
  ASSERT_EQ(report.events[0].by_node.size(), 2u);
  EXPECT_EQ(report.events[0].by_node[0].nodes.size(), 1u);
  EXPECT_EQ(report.events[0].by_node[1].nodes.size(), 1u);
}

TEST(OomLog, TotalsJudgeWhereTheListIsCut) {
  const std::string cut = H(Request("512B")) + H("Sum Total of in-use chunks: ") +
                          H("Total size in pool: 1024B memory_limit_: 1024B available size: 0B") +
                          H("Stats: ") + "InUse: 768B\n";
  OomReport report = Read(cut);
  ASSERT_EQ(report.events.size(), 1u);
  EXPECT_EQ(report.events[0].verdict, OomVerdict::kUnknown);
  EXPECT_EQ(report.events[0].likely, OomVerdict::kTooMuchHeld);
  EXPECT_EQ(report.events[0].judged_by, "totals");
  EXPECT_EQ(report.events[0].short_by, 256);
  std::string enough = cut;
  enough.replace(enough.find("768B"), 4, "256B");
  EXPECT_EQ(Read(enough).events[0].likely, OomVerdict::kFragmented);
}

TEST(OomLog, FragmentedPoolNamesWhatStandsBetween) {
  const OomReport report = Read(Data("tf2_fragmented.log"));
  ASSERT_TRUE(report.events.at(0).obstacle);
  const OomObstacle& obstacle = *report.events[0].obstacle;
  EXPECT_EQ(obstacle.region, 1u);
  EXPECT_EQ(obstacle.chunks, 3);
  EXPECT_EQ(obstacle.bytes, 3 << 20);
  EXPECT_EQ(obstacle.hole_bytes, 8 << 20);
}

TEST(OomLog, EndlessLinesAndEndlessDumpsStayBounded) {
  std::string text;
  for (int i = 0; i < 12000; ++i) text += H(Request(std::to_string(i) + "B"));
  text += std::string(3 << 20, 'x') + H(Request("1B")) + "Allocator (";
  const OomReport report = Read(text);
  EXPECT_EQ(report.events.size(), 10000u);
  EXPECT_EQ(report.events_left_out, 2001);
  EXPECT_EQ(report.lines, 12002);
  std::string chunks;
  for (int64_t i = 1; i < 5000; ++i) chunks += "InUse at 1 of size " + std::to_string(i) + "\n";
  const OomReport many = Read(chunks, 1 << 16, Budget{1000});
  ASSERT_EQ(many.events.size(), 1u);
  EXPECT_LE(many.events[0].chunks.size() + many.events[0].regions.size(), 1000u);
  EXPECT_EQ(many.events[0].missing[1], "chunks");
}

}  // namespace
}  // namespace tfprof::oom
