// What people type to find names: the first line; the others are names.
#include "base/name_matcher.h"
#include "base/name_search.h"
#include "target.h"

namespace tfprof {

void FuzzPatterns(std::string_view text) {
  const std::vector<std::string> lines = SplitList(text, '\n');
  if (lines.empty()) return;
  const Result<NameSearch> search = NameSearch::Compile(lines[0]);
  const Result<NameMatcher> matcher = NameMatcher::Compile({lines[0]}, "-show_name_regexes");
  const Result<NameMatcher> several = NameMatcher::Compile(SplitList(lines[0], ','), "-show_name_regexes");
  Require(search.ok() || !search.error().message.empty(), "an error says something");
  Require(matcher.ok() || matcher.error().message.find("show_name_regexes") != std::string::npos,
          "an error names the option");
  for (size_t i = 1; i < lines.size(); ++i) {
    if (search) search->Finds(lines[i]);
    if (matcher)
      Require(!matcher->matches_all() || matcher->Matches(lines[i]), "what matches all matches this");
    if (several) several->Matches(lines[i]);
  }
}

}  // namespace tfprof
