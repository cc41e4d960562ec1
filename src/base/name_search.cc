#include "base/name_search.h"

#include <fmt/format.h>

#include "base/text.h"

namespace tfprof {

Result<NameSearch> NameSearch::Compile(std::string_view words) {
  NameSearch out;
  if (words.empty()) return out;
  const bool wild = words.size() > 2 && words.starts_with('/') && words.ends_with('/');
  RE2::Options options;
  options.set_case_sensitive(false);
  options.set_literal(!wild);
  options.set_log_errors(false);
  options.set_encoding(RE2::Options::EncodingLatin1);  // names are bytes
  const std::string_view text = wild ? words.substr(1, words.size() - 2) : words;
  out.pattern_ = std::make_unique<RE2>(re2::StringPiece(text.data(), text.size()), options);
  if (!out.pattern_->ok())
    return Error::Usage(fmt::format("{}: {}", Printable(words), out.pattern_->error()));
  return out;
}

}  // namespace tfprof
