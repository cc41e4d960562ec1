// The query of a request: names and values, decoded. Everything in it is a stranger's.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tfprof/result.h"

namespace tfprof::server {

// Percent signs decoded; none: a sequence that is none, or a NUL.
std::optional<std::string> Decoded(std::string_view text, bool plus_is_blank);

class Query {
 public:
  static Result<Query> Parse(std::string_view text);

  const std::string* Find(std::string_view name) const;  // the first of that name; null: there is none
  std::string Get(std::string_view name, std::string_view otherwise = "") const;
  std::vector<std::string> All(std::string_view name) const;
  bool Has(std::string_view name) const { return Find(name) != nullptr; }
  const std::vector<std::pair<std::string, std::string>>& fields() const { return fields_; }

  // A number that must be within these bounds.
  Result<int64_t> Number(std::string_view name, int64_t otherwise, int64_t least, int64_t most) const;
  Result<double> Real(std::string_view name, double otherwise) const;

 private:
  std::vector<std::pair<std::string, std::string>> fields_;
};

}  // namespace tfprof::server
