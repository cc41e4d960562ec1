// The lines of one log, in order, into records: which line belongs to which event, also where several threads
// and processes write into one log. Lines that can say nothing need not be given, see LineScanner.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "oom/dump_lines.h"
#include "oom/error_lines.h"
#include "oom/prefixes.h"
#include "oom/record.h"

namespace tfprof::oom {

class LogReader {
 public:
  LogReader(std::string file, Budget* budget) : file_(std::move(file)), budget_(budget) {}

  // `text` without its line end; cut: it is the last one and has none.
  void Line(std::string_view text, int64_t number, bool cut);
  // A line of which only the header can be of interest.
  void HeaderLine(std::string_view text);
  // A list of nodes is open: any line may end it.
  bool wants_every_line() const { return open_lists_ > 0; }

  std::deque<Record> TakeRecords() { return std::move(records_); }
  int64_t not_failures() const { return not_failures_; }
  int64_t left_out() const { return left_out_; }

 private:
  static constexpr size_t kMostRecords = 10000, kMostStreams = 65536;
  static constexpr size_t kNone = SIZE_MAX;

  // Lines of one thread of one process.
  struct Stream {
    size_t open = kNone;         // the record whose dump is being printed
    size_t latest_dump = kNone;  // open or closed
    size_t latest = kNone;       // of any kind
    size_t current = kNone;      // the one that error lines were about
    size_t list_of = kNone;      // the record of which a list of nodes is being printed
    size_t list = 0;             // which
  };
  // Where a line belongs. `prefix` is null where nothing is known of its text yet.
  struct Place {
    Prefix* prefix = nullptr;
    std::string_view text;
    int64_t thread = kNoThread, line = 0;
    std::string_view body;
  };

  Place Locate(std::string_view line, int64_t number);
  Stream* FindStream(const Place& place);
  Stream& GetStream(Place& place);
  Prefix& GetPrefix(Place& place);
  Record* NewRecord(OomKind kind, Place& place);

  bool TakeListLine(Stream& stream, const Place& place, bool cut);
  void CloseList(Stream& stream);
  void TakeDumpLine(const DumpLine& line, Place& place);
  void TakeRequest(const DumpLine& line, Place& place);
  void TakeDumpHead(const DumpLine& line, Place& place);
  void TakeStats(const DumpLine& line, Place& place);
  Record* OpenDump(Place& place);
  void TakeErrorLine(Place& place);
  void TakeError(const ErrorMessage& error, Place& place);
  size_t ErrorOwner(const ErrorMessage& error, Place& place);
  void TakeNode(std::string_view node, Place& place);
  void TakeListHead(Place& place);
  void TakeNotes(Place& place);
  Record* Current(const Place& place);

  std::string file_;
  Budget* budget_;
  Prefixes prefixes_;
  std::map<std::pair<const Prefix*, int64_t>, Stream> streams_;
  Stream spare_;
  std::deque<Record> records_;  // a record stays where it is
  std::string repaired_;        // a line that was no UTF-8
  int64_t not_failures_ = 0, left_out_ = 0;
  int open_lists_ = 0;
};

}  // namespace tfprof::oom
