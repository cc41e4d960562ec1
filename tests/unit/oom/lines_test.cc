#include <gtest/gtest.h>

#include <string>

#include "oom/dump_lines.h"
#include "oom/error_lines.h"
#include "oom/line.h"
#include "oom/prefixes.h"
#include "oom/size.h"
#include "oom/triggers.h"
#include "oom/utf8.h"

namespace tfprof::oom {
namespace {

int64_t Bytes(std::string_view text) {
  const std::optional<Size> size = TakeSize(&text);
  return size && text.empty() ? size->bytes : -1;
}

TEST(OomSize, IsRoundedToTheNearestByteHalfUp) {
  EXPECT_EQ(Bytes("0B"), 0);
  EXPECT_EQ(Bytes("256B"), 256);
  EXPECT_EQ(Bytes("2.8KiB"), 2867);
  EXPECT_EQ(Bytes("98.00MiB"), 98 << 20);
  EXPECT_EQ(Bytes("2.80GiB"), 3006477107);
  EXPECT_EQ(Bytes("11.06TiB"), 12160598603203);
  EXPECT_EQ(Bytes("0.5B"), 1);
  EXPECT_EQ(Bytes("99999999999999EiB"), INT64_MAX);
  for (const char* text : {"", "B", "12", "1.MiB", "1 MiB", "1MB", ".5KiB", "-1B"})
    EXPECT_EQ(Bytes(text), -1) << text;
}

TEST(OomHeader, OfEveryTimeIsFoundAnywhere) {
  const auto prefix = [](std::string_view line) {
    const Header header = FindHeader(line);
    return header.found ? std::string(line.substr(0, header.begin)) + "|" + std::to_string(header.thread) +
                              "|" + std::string(line.substr(header.end))
                        : "none";
  };
  EXPECT_EQ(prefix("I1115 21:23:46.324068     950 pjrt_api.cc:119] text"), "|950| text");
  EXPECT_EQ(prefix("W0000 00:00:1794777317.543288   23258 bfc_allocator.cc:502] A"), "|23258| A");
  EXPECT_EQ(prefix("2018-03-13 21:59:44.860973: I tensorflow/core/bfc_allocator.cc:628] A"), "|-1| A");
  EXPECT_EQ(prefix("I tensorflow/core/bfc_allocator.cc:628]A"), "|-1|A");
  EXPECT_EQ(prefix("2018-03-13 21:59:44.860973: W T:\\src\\bfc_allocator.cc:1] A"), "|-1| A");
  EXPECT_EQ(prefix("w-3: I1115 21:23:46.324068 950 train.py:9] A"), "w-3: |950| A");
  EXPECT_EQ(prefix("[a:1] b] 7/9 E1115 21:23:46.1 9 x:0] F1115 21:23:46.1 8 y:0] A"),
            "[a:1] b] 7/9 |9| F1115 21:23:46.1 8 y:0] A");
  EXPECT_EQ(prefix("loss: 7.72018-03-13 21:59:44.860973: I a.h:6] A"), "loss: 7.7|-1| A");
  for (const char* line :
       {"", "]", ":1]", "I train.py:9] A", "X1115 21:23:46.3 950 a.cc:1] A", "I1115 21:23 950 a.cc:1]",
        "loss [1:2] acc", "I1115 21:23:46.324068     950 pjrt_api.cc:] A"}) {
    EXPECT_EQ(prefix(line), "none") << line;
  }
}

TEST(OomLine, TimeStampOfKubernetesIsDropped) {
  EXPECT_EQ(WithoutTimeStamp("2026-03-02T09:14:05.123Z x"), "x");
  EXPECT_EQ(WithoutTimeStamp("2026-03-02T09:14:05+01:00  x"), " x");
  EXPECT_EQ(WithoutTimeStamp("2026-03-02T09:14:05Z "), "");
  for (const char* line : {"2026-03-02T09:14:05Zx", "2026-03-02 09:14:05Z x", "2026-03-02T09:14:05 x",
                           "2026-03-02T09:14:05.Z x"}) {
    EXPECT_EQ(WithoutTimeStamp(line), line);
  }
}

TEST(OomLine, ProgressBarsAreNoPrefixes) {
  for (const char* text :
       {"15/15 [==============] - 2s 100ms/step - loss: 7.7", "\r 45%|####      | 45/100 [00:01<00:01]",
        "7/9 \xE2\x94\x81\xE2\x94\x81 1s", "\x1b[1m15/15\x1b[0m", "1/2 [..]\b\b\b"}) {
    EXPECT_TRUE(IsProgressBar(text)) << text;
  }
  for (const char* text : {"", "worker-3: ", "[1,0]<stderr>:", "gpu 3/8: ", "(a/b) ", "node1 | "}) {
    EXPECT_FALSE(IsProgressBar(text)) << text;
  }
}

TEST(OomDumpLine, ChunksOfEveryTime) {
  const auto read = [](std::string_view body) {
    const DumpLine line = ReadDumpLine(body);
    return line.kind != DumpLine::Kind::kChunk
               ? "none"
               : (line.in_use ? "used " : "free ") + std::to_string(line.address) + " " +
                     std::to_string(line.bytes) + " " + std::string(line.holder);
  };
  EXPECT_EQ(read("Chunk at 0x10 of size 256"), "used 16 256 ");
  EXPECT_EQ(read("Free  at 0xff of size 512"), "free 255 512 ");
  EXPECT_EQ(read("InUse at 0x10 next 7 of size 256"), "used 16 256 ");
  EXPECT_EQ(read("InUse at 10 of size 256 next 18446744073709551615"), "used 16 256 ");
  EXPECT_EQ(read("InUse at 10 of size 256 tag lower allocation_annotation xla.execute{a=b c} next 1"),
            "used 16 256 xla.execute{a=b c}");
  EXPECT_EQ(read("InUse at 10 of size 256 by op a/b c action_count 7 step 9 next 1"), "used 16 256 a/b c");
  for (const char* body : {"Chunk at of size 256", "InUse at 10 of size", "InUse at 10 of size 25x",
                           "Free at 10 of size 2", "InUse at 10 of size 256, next 3"}) {
    EXPECT_EQ(read(body), "none") << body;
  }
}

TEST(OomDumpLine, Requests) {
  DumpLine line = ReadDumpLine(
      "Allocator (GPU_0_bfc) ran out of memory trying to allocate 4.00MiB (rounded to 4194304)requested by "
      "op a/b ");
  EXPECT_EQ(line.kind, DumpLine::Kind::kRequest);
  EXPECT_EQ(line.name, "GPU_0_bfc");
  EXPECT_EQ(line.size.bytes, 4 << 20);
  EXPECT_EQ(line.rounded, 4194304);
  EXPECT_EQ(line.op, "a/b");
  line = ReadDumpLine("Ran out of memory trying to allocate 549.32MiB.  See logs for memory state.");
  EXPECT_EQ(line.kind, DumpLine::Kind::kLateRequest);
  EXPECT_EQ(line.rounded, std::nullopt);
  line = ReadDumpLine(
      "Allocator (a) ran out of memory trying to allocate 1.5GiB with freed_by_count=0. The caller indicates "
      "that this is not a failure, but");
  EXPECT_TRUE(line.not_a_failure && line.repeats);
  EXPECT_EQ(ReadDumpLine("Allocator (a) ran out of memory trying to allocate much").kind,
            DumpLine::Kind::kNone);
  EXPECT_EQ(FindRequest("x: Allocator (no) Allocator (a) ran out of memory trying to allocate 1B"), 3u);
  EXPECT_EQ(FindRequest("x: Allocator (no)"), std::string_view::npos);
}

TEST(OomDumpLine, PoolOfEveryTime) {
  for (const char* body :
       {"Total size in pool: 100B memory_limit_: 200B available size: 50B curr_region_allocation_bytes_: 1B",
        "total_region_allocated_bytes_: 100 memory_limit_: 200 available bytes: 50 curr_region: 1",
        "Allocator memory summary: rounded request 1B, total free in pool 9B, unallocated bytes 50B, pool "
        "size 100B, pool limit 200B"}) {
    const DumpLine line = ReadDumpLine(body);
    ASSERT_EQ(line.kind, DumpLine::Kind::kPool) << body;
    EXPECT_EQ(line.pool->bytes, 100);
    EXPECT_EQ(line.limit->bytes, 200);
    EXPECT_EQ(line.unallocated->bytes, 50);
  }
  EXPECT_EQ(ReadDumpLine("Total size in pool: 100B memory_limit_: ").kind, DumpLine::Kind::kNone);
}

TEST(OomErrorLine, BothKinds) {
  auto error = FindError(
      "x: OOM when allocating tensor with shape[2,3] and type float on /gpu:0 by allocator GPU_0_bfc\t [[");
  ASSERT_TRUE(error);
  EXPECT_EQ(error->shape, (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(error->dtype, "float");
  EXPECT_EQ(error->device, "/gpu:0");
  EXPECT_EQ(error->allocator, "GPU_0_bfc");
  EXPECT_EQ(FindError("OOM when allocating temporary tensor of shape [] and type half")->shape,
            std::vector<int64_t>());
  error = FindError(
      "Out of memory while trying to allocate 1024 bytes with allocator A on device 3. "
      "[executable_name='jit_f'] x");
  ASSERT_TRUE(error);
  EXPECT_EQ(error->size->bytes, 1024);
  EXPECT_EQ(error->device, "3");
  EXPECT_EQ(error->program, "jit_f");
  for (const char* line :
       {"OOM when allocating tensor with shape[2,", "Out of memory while trying to allocate", "OOM"}) {
    EXPECT_FALSE(FindError(line)) << line;
  }
}

TEST(OomErrorLine, NodesInEverySpelling) {
  EXPECT_EQ(FindNode("\t [[{{node a/b}}]]"), "a/b");
  EXPECT_EQ(FindNode("[[{{function_node f_1}}{{node a/b}}]]"), "a/b");
  EXPECT_EQ(FindNode("[[{{node a/b}} = MatMul[T=DT_FLOAT](x, y)]]"), "a/b");
  EXPECT_EQ(FindNode("[[Node: a/b = MatMul[T=DT_FLOAT](x, y)]]"), "a/b");
  EXPECT_EQ(FindNode("[[node a/b (defined at train.py:7) ]]"), "a/b");
  EXPECT_EQ(FindNode("[[1 2] [3 4]] [[{{node a"), "");
  EXPECT_EQ(FindCallOp("failed to allocate memory [Op:Mul]"), "Mul");
}

TEST(OomPrefixes, TheLongestThatALineBeginsWith) {
  Prefixes prefixes;
  for (const char* text : {"a", "ab: ", "ab: c", "b"}) prefixes.Seen(text);
  const auto longest = [&](std::string_view line) {
    size_t length = 99;
    prefixes.Longest(line, &length);
    return length;
  };
  EXPECT_EQ(longest("ab: cd"), 5u);
  EXPECT_EQ(longest("ab: d"), 4u);
  EXPECT_EQ(longest("abx"), 1u);
  EXPECT_EQ(longest("ab"), 1u);
  EXPECT_EQ(longest("c"), 0u);
  EXPECT_EQ(longest(""), 0u);
}

TEST(OomPrefixes, AreNotKeptWithoutEnd) {
  Prefixes prefixes;
  for (int i = 0; i < 100000; ++i) prefixes.Seen("step " + std::to_string(i) + " ");
  EXPECT_NE(prefixes.Seen("step 7 "), nullptr);
  EXPECT_EQ(prefixes.Seen("step 99999 "), nullptr);
  Prefix* made = prefixes.Get("step 99999 ");
  EXPECT_EQ(prefixes.Seen("step 99999 "), made);
}

TEST(OomTriggers, AreFoundAtEveryPlace) {
  for (const std::string word : {"InUse at 7f of size 256",
                                 "Allocator (x) ran",
                                 "OOM when allocating",
                                 "[Op:X]",
                                 "[[{{node x}}]]",
                                 "Limit:  1",
                                 "MaxAllocSize: 3",
                                 "NumAllocs: 3",
                                 "Stats: ",
                                 "totalMemory: 3GiB",
                                 "Sum Total of in-use chunks: ",
                                 "Ran out of memory trying",
                                 "Out of memory while trying",
                                 "memory_limit_: 3",
                                 "[[Node: x = ",
                                 "CUDA_ERROR_OUT_OF_MEMORY",
                                 "Can't reduce memory use",
                                 "failed to allocate memory",
                                 "Hint: If you",
                                 "Garbage collection: deallocate",
                                 "Current usage from device"}) {
    for (size_t at = 0; at < 40; ++at) {
      for (const size_t behind : {0u, 1u, 5u, 30u}) {
        const std::string text = std::string(at, 'q') + word + std::string(behind, 'z');
        const char* end = text.data() + text.size();
        EXPECT_LT(FindTrigger(text.data(), end), end) << word << " at " << at;
      }
    }
  }
  const std::string picture = "q" + std::string(60, '*') + std::string(40, '_');
  EXPECT_LT(FindTrigger(picture.data(), picture.data() + picture.size()), picture.data() + picture.size());
  const std::string nothing = "step 12 loss 0.3 __init__ max_x [3/4] Output statistics of my size";
  EXPECT_EQ(FindTrigger(nothing.data(), nothing.data() + nothing.size()), nothing.data() + nothing.size());
}

TEST(OomUtf8, WhatIsNoneIsReplaced) {
  EXPECT_EQ(ReplaceInvalidUtf8("a\xFFz"), "a\xEF\xBF\xBDz");
  EXPECT_EQ(ReplaceInvalidUtf8("\xE2\x82z"), "\xEF\xBF\xBDz");
  EXPECT_EQ(ReplaceInvalidUtf8("\xED\xA0\x80"), "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
  EXPECT_EQ(ReplaceInvalidUtf8("\xC3\xBC"), "\xC3\xBC");
}

}  // namespace
}  // namespace tfprof::oom
