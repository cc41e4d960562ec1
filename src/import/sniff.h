// For recognising a format by its first records.
#pragma once

#include <algorithm>
#include <string_view>

#include "import/wire.h"

namespace tfprof {

// True when every one of the first fields of the message passes `test` and at least one does.
template <class Test>
bool AllFields(std::string_view message, Test test) {
  constexpr int kRecordsLookedAt = 8;
  FieldWalker walker(message);
  Field field;
  int seen = 0;
  while (seen < kRecordsLookedAt && walker.Next(&field)) {
    if (walker.damaged() && seen > 0) return true;  // cut here: what came before decides
    if (!test(static_cast<const Field&>(field))) return false;
    ++seen;
  }
  return seen > 0 && (!walker.damaged() || seen > 1 || field.is_bytes());
}

inline bool IsName(std::string_view text) {
  return !text.empty() && std::none_of(text.begin(), text.end(), [](char c) { return c >= 0 && c < ' '; });
}

// An entry of a map from numbers to strings.
inline bool IsStringEntry(const Field& f) {
  return (f.number == 1 && f.is_varint()) || (f.number == 2 && f.is_bytes());
}

}  // namespace tfprof
