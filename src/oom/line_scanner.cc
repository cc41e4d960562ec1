#include "oom/line_scanner.h"

#include <algorithm>
#include <cstring>

#include "oom/line.h"
#include "oom/triggers.h"

namespace tfprof::oom {
namespace {

const char* Find(char c, const char* begin, const char* end) {
  const void* at = std::memchr(begin, c, static_cast<size_t>(end - begin));
  return at == nullptr ? end : static_cast<const char*>(at);
}

const char* LineBegin(const char* begin, const char* at) {
  const void* newline = memrchr(begin, '\n', static_cast<size_t>(at - begin));
  return newline == nullptr ? begin : static_cast<const char*>(newline) + 1;
}

// The next `]` that may end a header, or `end`.
const char* FindHeaderEnd(const char* begin, const char* end) {
  for (const char* p = begin; p < end; ++p) {
    p = Find(']', p, end);
    if (p < end && MayEndHeader(begin, p)) return p;
  }
  return end;
}

int64_t CountLines(const char* begin, const char* end) { return std::count(begin, end, '\n'); }

}  // namespace

void LineScanner::Give(std::string_view line, bool header_only, bool cut) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (header_only) {
    reader_->HeaderLine(line);
  } else {
    reader_->Line(line, lines_ + 1, cut);
  }
}

// Two searches run ahead, for headers and for words; the nearer one says which line is next.
void LineScanner::Skim(const char* begin, const char* end) {
  const char* header = nullptr;
  const char* trigger = nullptr;
  for (const char* p = begin; p < end;) {
    const char* line = p;
    if (!reader_->wants_every_line()) {
      if (header < p) header = FindHeaderEnd(p, end);
      if (trigger < p) trigger = FindTrigger(p, end);
      const char* next = std::min(header, trigger);
      if (next == end) {
        lines_ += CountLines(p, end);
        return;
      }
      line = LineBegin(p, next);
      lines_ += CountLines(p, line);
    } else {
      trigger = line;
    }
    const char* line_end = Find('\n', line, end);
    Give({line, static_cast<size_t>(line_end - line)}, trigger >= line_end, false);
    ++lines_;
    p = line_end + 1;
  }
}

void LineScanner::Add(std::string_view block) {
  if (!rest_.empty()) {
    const size_t newline = block.find('\n');
    rest_.append(block.substr(0, newline));
    if (newline == std::string_view::npos) {
      if (rest_.size() < kLongestLine) return;
      Give(rest_, false, false);
      rest_ = " ";  // the line goes on; nothing but its end is left to find at its front
      return;
    }
    Give(rest_, false, false);
    rest_.clear();
    ++lines_;
    block.remove_prefix(newline + 1);
  }
  const size_t last = block.rfind('\n');
  const size_t whole = last == std::string_view::npos ? 0 : last + 1;
  Skim(block.data(), block.data() + whole);
  rest_ = block.substr(whole);
}

void LineScanner::Finish() {
  if (rest_.empty()) return;
  Give(rest_, false, true);
  ++lines_;
  rest_.clear();
}

}  // namespace tfprof::oom
