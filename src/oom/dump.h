// One dump of an allocator while its lines are read: chunks, regions, summary, pool, statistics. Fill() turns
// it into the figures of an event. Also MemoryDump files are collected here.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "oom/dump_lines.h"
#include "tfprof/oom.h"

namespace tfprof::oom {

// What may still be kept of all dumps together; totals go on where it is spent, so that memory stays bounded
// whatever a log holds.
struct Budget {
  int64_t entries = int64_t{1} << 20;
  bool Spend() { return entries > 0 && entries-- > 0; }
};

class Dump {
 public:
  explicit Dump(Budget* budget) : budget_(budget) {}

  void AddRegion(int64_t size);
  void AddChunk(bool in_use, uint64_t address, int64_t size, std::string_view holder);
  void AddRow(int64_t size, int64_t count);
  void BeginSummary() { summary_began_ = true; }
  void EndSummary() { summary_done_ = summary_began_; }
  void SetPool(const DumpLine& line);
  void BeginStats() { in_stats_ = true; }
  void SetStat(std::string_view name, const Size& size);

  bool HasChunksOrRows() const { return any_chunk_ || !rows_.empty(); }
  bool summary_done() const { return summary_done_; }
  bool Complete() const;  // the chunk list, by the summary and the sizes of regions
  bool StatsMissing() const;

  // Pool, chunks, regions, statistics; not the request and what follows from it.
  void Fill(OomEvent* event) const;
  // Chunks, regions and who holds them alone; `complete` says whether totals may be made of them.
  void FillChunks(bool complete, OomEvent* event) const;

  // (size, in use) -> count: equal where two dumps show the same state.
  using Table = std::map<std::pair<int64_t, bool>, int64_t>;
  const Table& table() const { return table_; }

 private:
  struct Printed {  // a figure and its text, as texts are compared
    int64_t bytes = 0;
    std::string text;
    bool is_integer = false;
  };
  static Printed Keep(const Size& size);
  const std::optional<Printed>& Stat(size_t i) const;
  void FillPool(bool complete, OomEvent* event) const;

  Budget* budget_;
  Table table_;
  std::map<int64_t, int64_t> rows_;  // size -> count
  std::vector<OomRegion> regions_;
  std::map<std::string, std::pair<int64_t, int64_t>> holders_;  // "": none; count, bytes
  std::optional<Printed> pool_, limit_, unallocated_;
  std::array<std::optional<Printed>, kStats> stats_;
  uint64_t next_address_ = 0;  // behind the last chunk
  bool any_chunk_ = false, region_lines_ = false, chunk_before_region_ = false, cut_short_ = false;
  bool summary_began_ = false, summary_done_ = false, in_stats_ = false, stats_void_ = false;
};

}  // namespace tfprof::oom
