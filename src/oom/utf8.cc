#include "oom/utf8.h"

namespace tfprof::oom {
namespace {

struct Lead {
  size_t length = 0;                                  // of the whole character; 0: cannot begin one
  unsigned char first_low = 0x80, first_high = 0xBF;  // what the second byte may be
};

Lead LeadOf(unsigned char c) {
  if (c < 0x80) return {1};
  if (c >= 0xC2 && c <= 0xDF) return {2};
  if (c == 0xE0) return {3, 0xA0, 0xBF};
  if (c == 0xED) return {3, 0x80, 0x9F};
  if (c >= 0xE1 && c <= 0xEF) return {3};
  if (c == 0xF0) return {4, 0x90, 0xBF};
  if (c == 0xF4) return {4, 0x80, 0x8F};
  if (c >= 0xF1 && c <= 0xF3) return {4};
  return {};
}

}  // namespace

std::string ReplaceInvalidUtf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size();) {
    const Lead lead = LeadOf(static_cast<unsigned char>(text[i]));
    size_t n = 1;
    while (n < lead.length && i + n < text.size()) {
      const auto c = static_cast<unsigned char>(text[i + n]);
      if (c < (n == 1 ? lead.first_low : 0x80) || c > (n == 1 ? lead.first_high : 0xBF)) break;
      ++n;
    }
    if (n == lead.length) {
      out.append(text.substr(i, n));
    } else {
      out.append("\xEF\xBF\xBD");
    }
    i += n;
  }
  return out;
}

}  // namespace tfprof::oom
