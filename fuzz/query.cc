// Queries of requests: names and values, percent signs, numbers.
#include "server/query.h"

#include "target.h"

namespace tfprof {

void FuzzQuery(std::string_view text) {
  for (const bool plus_is_blank : {false, true}) {
    const std::optional<std::string> decoded = server::Decoded(text, plus_is_blank);
    Require(!decoded || decoded->size() <= text.size(), "decoding makes nothing longer");
    Require(!decoded || decoded->find('\0') == std::string::npos, "there is no NUL in it");
  }
  const Result<server::Query> query = server::Query::Parse(text);
  Require(query.ok() || !query.error().message.empty(), "an error says something");
  if (!query) return;
  for (const auto& [name, value] : query->fields()) {
    Require(query->Has(name) && !query->All(name).empty(), "what is there is found");
    const Result<int64_t> number = query->Number(name, 5, -3, 1000);
    Require(!number || (*number >= -3 && *number <= 1000), "a number is within its bounds");
    (void)query->Real(name, 0.5);
  }
}

}  // namespace tfprof
