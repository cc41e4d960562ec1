#include "import/text_cursor.h"

#include <algorithm>
#include <charconv>
#include <vector>

namespace tfprof::import_text {

std::string Quoted(std::string_view text) {
  return text.size() <= kMaxQuoted ? fmt::format("'{}'", text)
                                   : fmt::format("'{}...'", text.substr(0, kMaxQuoted));
}

namespace {

void AppendUtf8(uint32_t code, std::string* out) {
  if (code < 0x80) {
    out->push_back(static_cast<char>(code));
    return;
  }
  const int tail = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;  // bytes behind the first
  static constexpr uint32_t kLead[] = {0, 0xC0, 0xE0, 0xF0};
  out->push_back(static_cast<char>(kLead[tail] | code >> 6 * tail));
  for (int i = tail - 1; i >= 0; --i) out->push_back(static_cast<char>(0x80 | (code >> 6 * i & 0x3F)));
}

}  // namespace

std::string Cursor::Found() const {
  if (AtEnd()) return "the end of the file";
  if (IsQuote(*p_)) return "a string";
  Cursor ahead = *this;
  const std::string_view word = Is(*p_, kWord) ? ahead.TakeNumber() : std::string_view();
  if (!word.empty()) return Quoted(word);
  if (*p_ > ' ' && *p_ < 0x7F) return fmt::format("'{}'", *p_);
  return fmt::format("byte 0x{:02x}", static_cast<unsigned char>(*p_));
}

// Adjacent literals are one string. `out` may be null: the string is then only checked.
bool Cursor::TakeStrings(std::string* out) {
  do {
    if (!TakeLiteral(out)) return false;
    SkipSpace();
  } while (!AtEnd() && IsQuote(*p_));
  return true;
}

bool Cursor::TakeLiteral(std::string* out) {
  const char* start = p_;
  const char quote = *p_++;
  while (true) {
    const char* run = p_;
    while (p_ != end_ && Is(*p_, kPlain)) ++p_;
    if (out != nullptr) out->append(run, p_);
    if (p_ == end_) return Fail(start, "string is not closed before the end of the file");
    if (*p_ == quote) {
      ++p_;
      return true;
    }
    if (*p_ == '\n') return Fail(start, "string is not closed on its line");
    if (*p_ == '\0') return Fail(p_, "byte 0x00 in a string (write it as \\000)");
    if (*p_ == '\\') {
      if (!TakeEscape(out)) return false;
    } else {
      if (out != nullptr) out->push_back(*p_);  // the other kind of quote
      ++p_;
    }
  }
}

// One escape, from its backslash.
bool Cursor::TakeEscape(std::string* out) {
  static constexpr std::string_view kLetters = "abfnrtv?\\'\"";
  static constexpr std::string_view kMeanings = "\a\b\f\n\r\t\v?\\'\"";
  const char* start = p_++;
  const char c = Peek();
  if (c >= '0' && c <= '7') {  // by hand: tensor_content is millions of these
    unsigned value = 0;
    for (int i = 0; i < 3 && p_ != end_ && *p_ >= '0' && *p_ <= '7'; ++i) value = value * 8 + (*p_++ - '0');
    if (value > 0xFF) return Fail(start, "octal escape above \\377");
    if (out != nullptr) out->push_back(static_cast<char>(value));
    return true;
  }
  if (!AtEnd()) ++p_;
  if (c == 'x' || c == 'X') {
    unsigned value = 0;
    const char* stop = std::from_chars(p_, p_ + std::min<ptrdiff_t>(2, end_ - p_), value, 16).ptr;
    if (stop == p_) return Fail(start, "expected hexadecimal digits after \\x");
    p_ = stop;
    if (out != nullptr) out->push_back(static_cast<char>(value));
    return true;
  }
  if (c == 'u' || c == 'U') {
    uint32_t code = 0;
    if (!TakeUnicode(start, c == 'u' ? 4 : 8, &code)) return false;
    if (out != nullptr) AppendUtf8(code, out);
    return true;
  }
  const size_t index = c == '\0' ? std::string_view::npos : kLetters.find(c);
  if (index == std::string_view::npos) return Fail(start, "unknown escape in a string");
  if (out != nullptr) out->push_back(kMeanings[index]);
  return true;
}

// The digits of \u or \U. A pair of surrogates, UTF-16's way to write one character, comes out as that one.
bool Cursor::TakeUnicode(const char* escape, int digits, uint32_t* code) {
  const auto take = [&](uint32_t* value) {
    if (end_ - p_ < digits) return false;
    const auto result = std::from_chars(p_, p_ + digits, *value, 16);
    if (result.ptr != p_ + digits) return false;
    p_ = result.ptr;
    return true;
  };
  if (!take(code)) {
    return Fail(escape, fmt::format("expected {} hexadecimal digits after \\{}", digits, escape[1]));
  }
  const bool high = *code >= 0xD800 && *code < 0xDC00;
  if (high && digits == 4 && end_ - p_ >= 6 && p_[0] == '\\' && p_[1] == 'u') {
    p_ += 2;
    uint32_t low = 0;
    if (take(&low) && low >= 0xDC00 && low < 0xE000) {
      *code = 0x10000 + ((*code - 0xD800) << 10) + (low - 0xDC00);
      return true;
    }
  }
  const bool surrogate = *code >= 0xD800 && *code < 0xE000;
  return (!surrogate && *code <= 0x10FFFF) || Fail(escape, "escape is not a Unicode character");
}

// `[type.googleapis.com/pkg.Type]` or `[pkg.extension]`, from its bracket.
bool Cursor::TakeBracketedName(std::string_view* name) {
  const char* start = p_++;
  while (!AtEnd() && (Is(*p_, kNumber) || *p_ == ' ' || *p_ == '/' || *p_ == '-')) ++p_;
  if (!Consume(']')) return Expected("']' after the name of a type");
  *name = {start, p_};
  return true;
}

// Past whatever value stands here: a scalar, or brackets with anything in them as long as they match. Only
// strings and brackets are looked at: nothing more is known of the value, nor needed.
bool Cursor::SkipValue(std::string_view name) {
  std::string closers;
  do {
    SkipSpace();
    const char c = Peek();
    if (IsQuote(c)) {
      if (!TakeStrings(nullptr)) return false;
    } else if (IsOpener(c) || c == '[') {
      if (closers.size() == kMaxTextDepth) return TooDeep();
      closers.push_back(CloserOf(c));
      ++p_;
    } else if (!closers.empty() && c == closers.back()) {
      closers.pop_back();
      ++p_;
    } else if (c == '-' || Is(c, kNumber)) {
      if (Consume('-')) SkipSpace();
      if (TakeNumber().empty()) return Expected(fmt::format("a value for {}", Quoted(name)));
    } else if (!closers.empty() && c != '\0' && std::strchr(":,;/", c) != nullptr) {
      ++p_;
    } else if (closers.empty()) {
      return Expected(fmt::format("a value for {}", Quoted(name)));
    } else {
      return Expected(fmt::format("'{}' to close {}", closers.back(), Quoted(name)));
    }
  } while (!closers.empty());
  return true;
}

}  // namespace tfprof::import_text
