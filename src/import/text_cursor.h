// A place in protobuf text, and the words, numbers, strings and skipped values read from there: the lexical
// half of text_proto.h. Owns nothing; the text must outlive it. Every read is one forward pass, nothing
// recurses.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "fmt/format.h"
#include "import/text_proto.h"

namespace tfprof::import_text {

inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
inline constexpr size_t kMaxQuoted = 60;  // how much of a name or value an error repeats

enum CharClass : uint8_t { kSpace = 1, kWord = 2, kNumber = 4, kPlain = 8 };

// kWord: identifiers. kNumber: these and the dot. kPlain: a string's bytes that mean
// themselves.
inline constexpr std::array<uint8_t, 256> kClasses = [] {
  std::array<uint8_t, 256> classes = {};
  for (int c = 0; c < 256; ++c) {
    const bool digit = c >= '0' && c <= '9';
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    uint8_t bits = 0;
    if (c == ' ' || (c >= '\t' && c <= '\r')) bits |= kSpace;
    if (digit || letter || c == '_') bits |= kWord;
    if (digit || letter || c == '_' || c == '.') bits |= kNumber;
    if (c != '"' && c != '\'' && c != '\\' && c != '\n' && c != '\0') bits |= kPlain;
    classes[static_cast<size_t>(c)] = bits;
  }
  return classes;
}();

inline bool Is(char c, CharClass what) { return (kClasses[static_cast<unsigned char>(c)] & what) != 0; }
inline bool IsOpener(char c) { return c == '{' || c == '<'; }
inline bool IsQuote(char c) { return c == '"' || c == '\''; }
inline char CloserOf(char opener) { return opener == '{' ? '}' : opener == '<' ? '>' : ']'; }

// 'text', or its beginning where it is long.
std::string Quoted(std::string_view text);

// A place in the text, and the words, strings and skipped values read from there. The first failure is kept,
// with its place; every reader returns false from then on.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : begin_(text.data()), p_(begin_), end_(begin_ + text.size()) {
    if (text.starts_with(kByteOrderMark)) p_ += kByteOrderMark.size();
  }

  bool AtEnd() const { return p_ == end_; }
  // The next byte; 0 at the end of the text, which no reader accepts any more than a 0 within it.
  char Peek() const { return p_ == end_ ? '\0' : *p_; }
  const char* begin() const { return begin_; }
  const char* place() const { return p_; }
  void Advance() { ++p_; }

  bool Consume(char c) {
    if (p_ == end_ || *p_ != c) return false;
    ++p_;
    return true;
  }

  // To the next byte that is neither white space nor comment.
  void SkipSpace() {
    while (true) {
      while (p_ != end_ && Is(*p_, kSpace)) ++p_;
      if (p_ == end_ || *p_ != '#') return;
      const void* newline = std::memchr(p_, '\n', static_cast<size_t>(end_ - p_));
      p_ = newline == nullptr ? end_ : static_cast<const char*>(newline);
    }
  }

  std::string_view TakeWord() {
    const char* start = p_;
    while (p_ != end_ && Is(*p_, kWord)) ++p_;
    return {start, p_};
  }

  // A run of what numbers are made of. A sign belongs to it after an exponent's e, but not in 0xE-1.
  std::string_view TakeNumber() {
    const char* start = p_;
    const bool hex = end_ - p_ > 1 && p_[0] == '0' && (p_[1] == 'x' || p_[1] == 'X');
    while (p_ != end_) {
      const bool sign = (*p_ == '+' || *p_ == '-') && p_ != start && (p_[-1] | 0x20) == 'e' && !hex;
      if (!Is(*p_, kNumber) && !sign) break;
      ++p_;
    }
    return {start, p_};
  }

  bool TakeStrings(std::string* out);
  bool TakeBracketedName(std::string_view* name);
  bool SkipValue(std::string_view name);

  bool Fail(const char* at, std::string message) {
    if (failure_.empty()) {
      failed_at_ = at;
      failure_ = std::move(message);
    }
    return false;
  }
  // "expected WHAT, found ..." at the present place.
  bool Expected(std::string_view what) {
    return Fail(p_, fmt::format("expected {}, found {}", what, Found()));
  }

  bool TooDeep() { return Fail(p_, fmt::format("nested deeper than {} levels", kMaxTextDepth)); }

  std::string Failure(std::string_view file) const {
    const auto [line, column] = LineAndColumn(failed_at_);
    return fmt::format("{}:{}:{}: {}", file, line, column, failure_);
  }
  // Counted only when asked for, from the start: texts are long and failures few.
  std::pair<int64_t, int64_t> LineAndColumn(const char* at) const {
    const int64_t line = std::count(begin_, at, '\n') + 1;
    const char* start = at;
    while (start != begin_ && start[-1] != '\n') --start;
    return {line, at - start + 1};
  }

 private:
  bool TakeLiteral(std::string* out);
  bool TakeEscape(std::string* out);
  bool TakeUnicode(const char* escape, int digits, uint32_t* code);
  std::string Found() const;

  const char* begin_;
  const char* p_;
  const char* end_;
  const char* failed_at_ = nullptr;
  std::string failure_;
};

}  // namespace tfprof::import_text
