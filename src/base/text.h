// Small text helpers that several rooms need.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tfprof {

bool IsValidUtf8(std::string_view text);

// Text that is safe to show, all of it: what is neither invalid UTF-8 nor has control characters stays as it
// is; in others these, and backslashes, become \xNN, so that two of them never become one.
std::string Escaped(std::string_view text);

// The same for messages: cut to about `limit` bytes.
std::string Printable(std::string_view text, size_t limit = 80);

std::vector<std::string> SplitList(std::string_view text, char separator);  // "" gives no elements
std::string ToLower(std::string_view text);

// The word nearest to `word` by edit distance, or "" when none is near enough to be a likely misspelling.
std::string_view ClosestWord(std::string_view word, const std::vector<std::string_view>& known);

// " (did you mean 'micros'?)" or "".
std::string DidYouMean(std::string_view word, const std::vector<std::string_view>& known);

}  // namespace tfprof
