// Finds the few lines of a log that can say something, at the speed of memory: a log of gigabytes with one
// dump is skimmed, and only what may begin something is read. Bytes come in blocks of any size; memory is
// bounded by one block and one line.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "oom/log_reader.h"

namespace tfprof::oom {

class LineScanner {
 public:
  explicit LineScanner(LogReader* reader) : reader_(reader) {}

  void Add(std::string_view block);
  void Finish();  // the last line, if it has no end

  int64_t lines() const { return lines_; }

 private:
  void Skim(const char* begin, const char* end);
  void Give(std::string_view line, bool header_only, bool cut);

  // A longer line is read in pieces.
  static constexpr size_t kLongestLine = size_t{1} << 20;

  LogReader* reader_;
  std::string rest_;  // the beginning of a line whose end has not come
  int64_t lines_ = 0;
};

}  // namespace tfprof::oom
