#include "oom/line.h"

#include <cstring>

#include "base/text.h"
#include "oom/size.h"

namespace tfprof::oom {
namespace {

bool IsSeverity(char c) { return c == 'I' || c == 'W' || c == 'E' || c == 'F'; }

// Reads backwards from the end of a text. Each takes something off the back and says whether it was there.
class Backwards {
 public:
  explicit Backwards(std::string_view text) : text_(text) {}
  bool Take(char c) {
    if (text_.empty() || text_.back() != c) return false;
    text_.remove_suffix(1);
    return true;
  }
  bool Digits(size_t least, size_t most) {
    size_t n = 0;
    while (n < most && !text_.empty() && IsDigit(text_.back())) {
      text_.remove_suffix(1);
      ++n;
    }
    return n >= least;
  }
  bool Severity() {
    if (text_.empty() || !IsSeverity(text_.back())) return false;
    text_.remove_suffix(1);
    return true;
  }
  bool Blanks() {
    const size_t before = size();
    while (Take(' ')) {
    }
    return size() < before;
  }
  bool FileName() {  // anything but blanks and brackets
    const size_t before = size();
    while (!text_.empty() && text_.back() != ' ' && text_.back() != '\t' && text_.back() != ']') {
      text_.remove_suffix(1);
    }
    return size() < before;
  }
  size_t size() const { return text_.size(); }
  std::string_view rest() const { return text_; }

 private:
  std::string_view text_;
};

// [IWEF]MMDD HH:MM:SS.uuuuuu THREAD, read from behind.
bool TakeNewHeader(Backwards at, Header* header) {
  const size_t thread_end = at.size();
  const std::string_view text = at.rest();
  if (!at.Digits(1, 20)) return false;
  std::string_view thread = text.substr(at.size(), thread_end - at.size());
  if (!at.Blanks() || !at.Digits(1, 9) || !at.Take('.') || !at.Digits(1, 20) || !at.Take(':')) return false;
  if (!at.Digits(2, 2) || !at.Take(':') || !at.Digits(2, 2) || !at.Take(' ')) return false;
  if (!at.Digits(4, 4) || !at.Severity()) return false;
  header->begin = at.size();
  header->thread = TakeInteger(&thread).value_or(kNoThread);
  return true;
}

// YYYY-MM-DD HH:MM:SS.uuuuuu: [IWEF], read from behind; the time may be missing.
bool TakeOldHeader(Backwards at, Header* header) {
  if (!at.Severity()) return false;
  header->begin = at.size();
  header->thread = kNoThread;
  if (at.Take(' ') && at.Take(':') && at.Digits(1, 9) && at.Take('.') && at.Digits(2, 2) && at.Take(':') &&
      at.Digits(2, 2) && at.Take(':') && at.Digits(2, 2) && at.Take(' ') && at.Digits(2, 2) && at.Take('-') &&
      at.Digits(2, 2) && at.Take('-') && at.Digits(4, 4)) {
    header->begin = at.size();
  }
  return true;
}

bool TakeHeader(std::string_view before_bracket, Header* header) {
  Backwards at(before_bracket);
  if (!at.Digits(1, before_bracket.size()) || !at.Take(':')) return false;
  const std::string_view named = at.rest();
  if (!at.FileName() || !at.Take(' ')) return false;
  if (TakeNewHeader(at, header)) return true;
  return (named.ends_with(".cc") || named.ends_with(".h")) && TakeOldHeader(at, header);
}

// The length of +hh:mm, -hh:mm or Z at the front; 0: none.
size_t ZoneLength(std::string_view text) {
  if (text.starts_with('Z')) return 1;
  if (text.size() < 6 || (text[0] != '+' && text[0] != '-') || text[3] != ':') return 0;
  return IsDigit(text[1]) && IsDigit(text[2]) && IsDigit(text[4]) && IsDigit(text[5]) ? 6 : 0;
}

}  // namespace

bool MayEndHeader(const char* begin, const char* bracket) {
  const char* p = bracket;
  while (p > begin && IsDigit(p[-1])) --p;
  return p < bracket && p > begin && p[-1] == ':';
}

Header FindHeader(std::string_view line) {
  Header header;
  const char* begin = line.data();
  const char* end = begin + line.size();
  for (const char* p = begin; p < end; ++p) {
    p = static_cast<const char*>(std::memchr(p, ']', static_cast<size_t>(end - p)));
    if (p == nullptr) break;
    if (!MayEndHeader(begin, p)) continue;
    const auto at = static_cast<size_t>(p - begin);
    if (!TakeHeader(line.substr(0, at), &header)) continue;
    header.found = true;
    header.end = at + 1;
    break;
  }
  return header;
}

std::string_view WithoutTimeStamp(std::string_view line) {
  static constexpr std::string_view kShape = "0000-00-00T00:00:00";
  if (line.size() <= kShape.size()) return line;
  for (size_t i = 0; i < kShape.size(); ++i) {
    if (kShape[i] == '0' ? !IsDigit(line[i]) : line[i] != kShape[i]) return line;
  }
  std::string_view rest = line.substr(kShape.size());
  if (rest.size() > 1 && rest[0] == '.' && IsDigit(rest[1])) {
    rest.remove_prefix(1);
    while (!rest.empty() && IsDigit(rest[0])) rest.remove_prefix(1);
  }
  const size_t zone = ZoneLength(rest);
  if (zone == 0 || rest.size() == zone || rest[zone] != ' ') return line;
  return rest.substr(zone + 1);
}

bool IsProgressBar(std::string_view text) {
  if (text.find_first_of("\r\b\x1b") != std::string_view::npos)
    return true;                                               // it moves back to draw itself again
  if (text.find("%|") != std::string_view::npos) return true;  // 45%|####
  for (size_t slash = text.find('/'); slash != std::string_view::npos; slash = text.find('/', slash + 1)) {
    if (slash == 0 || !IsDigit(text[slash - 1]))
      continue;  // 15/15 [====], also with a bar of other characters
    size_t i = slash + 1;
    while (i < text.size() && IsDigit(text[i])) ++i;
    if (i == slash + 1 || i >= text.size() || text[i] != ' ') continue;
    while (i < text.size() && text[i] == ' ') ++i;
    if (i < text.size() && (text[i] == '[' || text[i] == '\xE2')) return true;
  }
  return false;
}

}  // namespace tfprof::oom
