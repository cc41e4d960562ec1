// Small text helpers that several rooms need.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tfprof {

inline bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsValidUtf8(std::string_view text);

// --- Text from outside: names, paths, words of files. Whoever shows it goes through one of these, since what
// is printed may be a command to the terminal (an escape sequence can fill the clipboard) or show itself as
// something else (marks that turn the direction of text, separators of lines).

// Valid UTF-8 without any of that: no control characters (C0, DEL, C1), no marks or separators as above.
bool IsPlain(std::string_view text);
// ASCII without control characters, quotes and backslashes, which is the same in JSON; and without `other`.
bool IsBare(std::string_view text, char other = '"');

// Safe to show, all of it: what is plain stays as it is; in others what is not, and backslashes, become \xNN,
// so that two of them never become one.
std::string Escaped(std::string_view text);

// The same for text of several lines that we composed ourselves: newlines and backslashes stay.
std::string EscapedLines(std::string_view text);

// The text of a JSON string, quoted; the same characters as \uNNNN. For valid UTF-8.
std::string QuotedJson(std::string_view text);

// As Escaped(), for messages: cut to about `limit` bytes.
std::string Printable(std::string_view text, size_t limit = 80);

std::vector<std::string> SplitList(std::string_view text, char separator);  // "" gives no elements
std::string ToLower(std::string_view text);

// The word nearest to `word` by edit distance, or "" when none is near enough to be a likely misspelling.
std::string_view ClosestWord(std::string_view word, const std::vector<std::string_view>& known);

// " (did you mean 'micros'?)" or "".
std::string DidYouMean(std::string_view word, const std::vector<std::string_view>& known);

}  // namespace tfprof
