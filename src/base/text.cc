#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <numeric>

namespace tfprof {
namespace {

// Length of the valid UTF-8 sequence that starts at text[i], 0 if there is none.
size_t SequenceLength(std::string_view text, size_t i) {
  const auto byte = [&](size_t k) { return static_cast<unsigned char>(text[k]); };
  const unsigned char lead = byte(i);
  if (lead < 0x80) return 1;
  const size_t length = lead >= 0xF0 && lead <= 0xF4 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC2 ? 2 : 0;
  if (length == 0 || lead > 0xF4 || i + length > text.size()) return 0;
  for (size_t k = i + 1; k < i + length; ++k) {
    if ((byte(k) & 0xC0) != 0x80) return 0;
  }
  const unsigned char second = byte(i + 1);
  const bool overlong = (lead == 0xE0 && second < 0xA0) || (lead == 0xF0 && second < 0x90);
  const bool out_of_range = (lead == 0xED && second > 0x9F) || (lead == 0xF4 && second > 0x8F);
  return overlong || out_of_range ? 0 : length;
}

// Sixteen bytes at once; a comparison gives 0 or -1 for each. Bytes beyond ASCII are below 0.
using Bytes = int8_t __attribute__((vector_size(16)));

// Whether `is_bad` says so of any byte. All are looked at: texts are short, and mostly there is none.
template <class IsBad>
bool AnyByte(std::string_view text, IsBad is_bad) {
  constexpr size_t kSize = sizeof(Bytes);
  Bytes bytes, bad;
  if (text.size() < kSize) {
    bytes = Bytes{} + ' ';
    std::copy(text.begin(), text.end(), reinterpret_cast<char*>(&bytes));
    bad = is_bad(bytes);
  } else {
    // The last ones end where the text does, some of them looked at twice.
    const char* const last = text.data() + text.size() - kSize;
    std::memcpy(&bytes, last, kSize);
    bad = is_bad(bytes);
    for (const char* at = text.data(); at < last; at += kSize) {
      std::memcpy(&bytes, at, kSize);
      bad |= is_bad(bytes);
    }
  }
  uint64_t halves[2];
  std::memcpy(halves, &bad, kSize);
  return (halves[0] | halves[1]) != 0;
}

Bytes Unprintable(Bytes bytes) { return (bytes < ' ') | (bytes == 0x7F); }

// Of a valid sequence; longer ones than three bytes are all alike here, since none of them matters.
uint32_t CodePoint(std::string_view c) {
  const auto byte = [&](size_t k) { return static_cast<uint32_t>(static_cast<unsigned char>(c[k])); };
  switch (c.size()) {
    case 1:
      return byte(0);
    case 2:
      return (byte(0) & 0x1F) << 6 | (byte(1) & 0x3F);
    case 3:
      return (byte(0) & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F);
    default:
      return 0x10000;
  }
}

bool ActsOnTerminal(std::string_view c) {
  const uint32_t code = CodePoint(c);
  if (code < 0x80) return code < 0x20 || code == 0x7F;
  return code <= 0x9F || code == 0x061C || code == 0x200E || code == 0x200F ||
         (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

// Characters for which `is_bad`, and bytes that are none, as \xNN.
template <class IsBad>
std::string EscapeWhere(std::string_view text, IsBad is_bad) {
  std::string out;
  for (size_t i = 0; i < text.size();) {
    const size_t length = SequenceLength(text, i);
    const std::string_view c = text.substr(i, std::max<size_t>(length, 1));
    if (length != 0 && !is_bad(c)) {
      out += c;
    } else {
      for (const char byte : c) out += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
    }
    i += c.size();
  }
  return out;
}

// Insertions, deletions, changes and swaps of neighbours that turn a into b.
size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  std::iota(above.begin(), above.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (size_t k = 1; k <= b.size(); ++k) {
      const bool differ = a[i - 1] != b[k - 1];
      row[k] = std::min({above[k] + 1, row[k - 1] + 1, above[k - 1] + differ});
      if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1]) {
        row[k] = std::min(row[k], before[k - 2] + 1);
      }
    }
    before.swap(above);
    above.swap(row);
  }
  return above.back();
}

}  // namespace

bool IsValidUtf8(std::string_view text) {
  if (!AnyByte(text, [](Bytes bytes) { return bytes < 0; })) return true;  // nearly always
  for (size_t i = 0; i < text.size();) {
    const size_t length = SequenceLength(text, i);
    if (length == 0) return false;
    i += length;
  }
  return true;
}

bool IsBare(std::string_view text, char other) {
  return !AnyByte(text, [other = static_cast<int8_t>(other)](Bytes bytes) {
    return Unprintable(bytes) | (bytes == '"') | (bytes == '\\') | (bytes == other);
  });
}

bool IsPlain(std::string_view text) {
  if (!AnyByte(text, Unprintable)) return true;
  for (size_t i = 0; i < text.size();) {
    const size_t length = SequenceLength(text, i);
    if (length == 0 || ActsOnTerminal(text.substr(i, length))) return false;
    i += length;
  }
  return true;
}

std::string Escaped(std::string_view text) {
  if (IsPlain(text)) return std::string(text);
  return EscapeWhere(text, [](std::string_view c) { return c == "\\" || ActsOnTerminal(c); });
}

std::string EscapedLines(std::string_view text) {
  return EscapeWhere(text, [](std::string_view c) { return c != "\n" && ActsOnTerminal(c); });
}

std::string QuotedJson(std::string_view text) {
  std::string out = "\"";
  for (size_t i = 0; i < text.size();) {
    const std::string_view c = text.substr(i, std::max<size_t>(SequenceLength(text, i), 1));
    if (c == "\"" || c == "\\") {
      out += fmt::format("\\{}", c);
    } else if (ActsOnTerminal(c)) {
      out += fmt::format("\\u{:04x}", CodePoint(c));
    } else {
      out += c;
    }
    i += c.size();
  }
  return out + '"';
}

std::string Printable(std::string_view text, size_t limit) {
  const auto cut = [](auto& in, size_t at) {  // not inside a character
    while (at > 0 && at < in.size() && (static_cast<unsigned char>(in[at]) & 0xC0) == 0x80) --at;
    return in.substr(0, at);
  };
  constexpr size_t kCharacter =
      4;  // no character is shorter when it is escaped: what is behind is never shown
  const std::string out = Escaped(text.size() / kCharacter > limit ? cut(text, limit + kCharacter) : text);
  return out.size() > limit ? cut(out, limit) + "..." : out;
}

std::vector<std::string> SplitList(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const size_t end = std::min(text.find(separator), text.size());
    parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

std::string ToLower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

std::string_view ClosestWord(std::string_view word, const std::vector<std::string_view>& known) {
  std::string_view best;
  size_t best_distance = std::max<size_t>(1, word.size() / 3) + 1;
  if (word.size() > 64) return best;
  for (std::string_view candidate : known) {
    // A word that was only begun ("acc" for accelerator_micros) is near too, but behind every real neighbour.
    size_t distance = EditDistance(word, candidate);
    if (word.size() >= 3 && candidate.starts_with(word)) distance = std::min(distance, best_distance - 1);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

std::string DidYouMean(std::string_view word, const std::vector<std::string_view>& known) {
  const std::string_view best = ClosestWord(word, known);
  return best.empty() ? "" : fmt::format(" (did you mean '{}'?)", best);
}

}  // namespace tfprof
