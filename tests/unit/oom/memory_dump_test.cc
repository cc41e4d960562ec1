#include "oom/memory_dump.h"

#include <gtest/gtest.h>

#include <protozero/pbf_writer.hpp>
#include <string>

namespace tfprof::oom {
namespace {

std::string Chunk(uint64_t address, uint64_t size, bool in_use, const std::string& op = "") {
  std::string out;
  protozero::pbf_writer chunk(out);
  chunk.add_uint64(1, address);
  chunk.add_int64(2, static_cast<int64_t>(size));
  chunk.add_int64(3, static_cast<int64_t>(size) - 1);
  if (!op.empty()) chunk.add_string(5, op);
  chunk.add_bool(8, in_use);
  return out;
}

std::string Made(const std::vector<std::string>& chunks) {
  std::string out;
  protozero::pbf_writer dump(out);
  dump.add_string(1, "GPU_0_bfc");
  for (const std::string& chunk : chunks) dump.add_message(3, chunk);
  return out;
}

TEST(MemoryDump, IsKnownByItsFirstBytes) {
  EXPECT_TRUE(IsMemoryDump(Made({})));
  EXPECT_TRUE(IsMemoryDump(Made({Chunk(1, 2, true)})));
  EXPECT_FALSE(IsMemoryDump(""));
  EXPECT_FALSE(IsMemoryDump("\n"));
  EXPECT_FALSE(IsMemoryDump("\n\nstep 1\n"));
  EXPECT_FALSE(IsMemoryDump("\x0a\x03 ab\x12"));
  EXPECT_FALSE(IsMemoryDump("\x0a\x03xab\x13"));
}

TEST(MemoryDump, RegionsEndWhereAddressesDo) {
  const OomEvent event = ReadMemoryDump(Made({Chunk(100, 50, true, "a"), Chunk(150, 10, false),
                                              Chunk(500, 20, true), Chunk(520, 5, true, "a")}),
                                        "f");
  EXPECT_EQ(event.allocator, "GPU_0_bfc");
  ASSERT_EQ(event.regions.size(), 2u);
  EXPECT_EQ(event.regions[0].size, 60);
  EXPECT_EQ(event.regions[1].in_use_chunks, 2);
  EXPECT_EQ(event.pool_bytes, 85);
  EXPECT_EQ(event.requested_in_use_bytes, 72);
  ASSERT_EQ(event.held_by.size(), 2u);
  EXPECT_EQ(event.held_by[0].name, "a");
  EXPECT_EQ(event.held_by[1].name, std::nullopt);
  EXPECT_EQ(event.missing, (std::vector<std::string>{"request", "stats"}));
}

TEST(MemoryDump, DamageKeepsWhatIsBeforeIt) {
  std::string bytes = Made({Chunk(100, 50, true), Chunk(150, 10, false)});
  bytes.resize(bytes.size() - 3);
  const OomEvent cut = ReadMemoryDump(bytes, "f");
  EXPECT_EQ(cut.chunks.size(), 1u);
  EXPECT_EQ(cut.pool_bytes, std::nullopt);
  EXPECT_EQ(cut.missing, (std::vector<std::string>{"request", "truncated", "stats"}));
  const OomEvent no_utf8 = ReadMemoryDump(Made({Chunk(1, 2, true), Chunk(3, 4, true, "\xFF")}), "f");
  EXPECT_EQ(no_utf8.chunks.size(), 1u);
  EXPECT_EQ(no_utf8.missing[1], "truncated");
}

TEST(MemoryDump, SnapshotsAreThinnedOutAndKeepTheirPeak) {
  std::string bytes = Made({});
  protozero::pbf_writer dump(bytes);
  for (uint64_t i = 0; i < 10000; ++i) {
    std::string one;
    protozero::pbf_writer snapshot(one);
    snapshot.add_uint64(1, 7 + i);
    snapshot.add_int64(2, i == 5000 ? 999 : 10);
    dump.add_message(4, one);
  }
  const OomEvent event = ReadMemoryDump(bytes, "f");
  ASSERT_TRUE(event.snapshots);
  EXPECT_EQ(event.snapshots->count, 10000);
  EXPECT_EQ(event.snapshots->first_action, 7);
  EXPECT_EQ(event.snapshots->last_action, 10006);
  EXPECT_EQ(event.snapshots->max_size, 999);
  EXPECT_LE(event.snapshots->sizes.size(), 256u);
  EXPECT_EQ(*std::max_element(event.snapshots->sizes.begin(), event.snapshots->sizes.end()), 999);
}

}  // namespace
}  // namespace tfprof::oom
