#include "server/query.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "base/text.h"

namespace tfprof::server {
namespace {

constexpr size_t kMostFields = 200;

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

template <class T>
bool ParseAll(const std::string& text, T& out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

std::optional<std::string> Decoded(std::string_view text, bool plus_is_blank) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '%') {
      const int high = i + 2 < text.size() ? HexDigit(text[i + 1]) : -1;
      const int low = i + 2 < text.size() ? HexDigit(text[i + 2]) : -1;
      if (high < 0 || low < 0) return std::nullopt;
      c = static_cast<char>(high * 16 + low);
      i += 2;
    } else if (c == '+' && plus_is_blank) {
      c = ' ';
    }
    if (c == '\0') return std::nullopt;
    out += c;
  }
  return out;
}

Result<Query> Query::Parse(std::string_view text) {
  Query out;
  for (const std::string& part : SplitList(text, '&')) {
    if (part.empty()) continue;
    const size_t equals = part.find('=');
    const std::optional<std::string> name = Decoded(std::string_view(part).substr(0, equals), true);
    const std::optional<std::string> value = equals == std::string::npos
                                                 ? std::string()
                                                 : Decoded(std::string_view(part).substr(equals + 1), true);
    if (!name || !value) return Error::Usage("the query is not percent-encoded text");
    if (out.fields_.size() == kMostFields) return Error::Usage("the query has too many fields");
    out.fields_.emplace_back(*name, *value);
  }
  return out;
}

const std::string* Query::Find(std::string_view name) const {
  for (const auto& [key, value] : fields_) {
    if (key == name) return &value;
  }
  return nullptr;
}

std::string Query::Get(std::string_view name, std::string_view otherwise) const {
  const std::string* found = Find(name);
  return found ? *found : std::string(otherwise);
}

std::vector<std::string> Query::All(std::string_view name) const {
  std::vector<std::string> out;
  for (const auto& [key, value] : fields_) {
    if (key == name) out.push_back(value);
  }
  return out;
}

Result<int64_t> Query::Number(std::string_view name, int64_t otherwise, int64_t least, int64_t most) const {
  const std::string* text = Find(name);
  if (!text || text->empty()) return otherwise;
  int64_t value = 0;
  if (!ParseAll(*text, value) || value < least || value > most)
    return Error::Usage(
        fmt::format("{}={}: a number from {} to {} is wanted", name, Printable(*text), least, most));
  return value;
}

Result<double> Query::Real(std::string_view name, double otherwise) const {
  const std::string* text = Find(name);
  if (!text || text->empty()) return otherwise;
  double value = 0;
  if (!ParseAll(*text, value) || !std::isfinite(value))
    return Error::Usage(fmt::format("{}={}: a number is wanted", name, Printable(*text)));
  return value;
}

}  // namespace tfprof::server
