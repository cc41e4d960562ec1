#include "export/fit.h"

#include <algorithm>

namespace tfprof {
namespace {

constexpr size_t kShortest = 12;  // of a name that was cut

bool IsStart(char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }

// The byte at which character `n` begins.
size_t ByteOf(std::string_view text, size_t n) {
  size_t at = 0;
  for (; at < text.size(); ++at) {
    if (IsStart(text[at]) && n-- == 0) break;
  }
  return at;
}

struct Word {
  size_t begin = 0, end = 0, width = 0;
};

}  // namespace

size_t TextWidth(std::string_view text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), IsStart));
}

std::string CutInMiddle(std::string_view text, size_t width, bool unicode) {
  const std::string_view mark = unicode ? "…" : "...";
  const size_t have = TextWidth(text), gap = TextWidth(mark);
  if (have <= width || width <= gap + 1) return std::string(text);
  const size_t keep = width - gap, behind = keep - keep / 2;
  std::string out(text.substr(0, ByteOf(text, keep / 2)));
  return out.append(mark).append(text.substr(ByteOf(text, have - behind)));
}

std::string FitLine(std::string_view line, const RenderOptions& options) {
  size_t width = 0;
  Word longest, word;
  bool in_escape = false;
  for (size_t i = 0; i <= line.size(); ++i) {
    const char c = i < line.size() ? line[i] : ' ';
    const bool escape = c == '\x1b' || in_escape;
    if (escape || c == ' ') {
      word.end = i;
      if (word.width > longest.width) longest = word;
      word = {i + 1, 0, 0};
      in_escape = escape && c != 'm';
      width += !escape && i < line.size();
    } else if (IsStart(c)) {
      ++word.width;
      ++width;
    }
  }
  if (width <= options.width || longest.width <= kShortest) return std::string(line);
  const size_t too_much = width - options.width;
  const size_t left = longest.width > too_much + kShortest ? longest.width - too_much : kShortest;
  std::string out(line.substr(0, longest.begin));
  out += CutInMiddle(line.substr(longest.begin, longest.end - longest.begin), left, options.unicode);
  return out.append(line.substr(longest.end));
}

}  // namespace tfprof
