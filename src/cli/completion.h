// What Tab completes to at the prompt. A pure function of the line, the tables of commands and options, and
// two look-ups that the caller hands in; the line editor inserts and lists what comes out.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace tfprof::cli {

// Where words come from that no table holds.
struct Lookups {
  // Names of nodes and scopes (these end in '/') that begin with the prefix; at most `limit`.
  std::function<std::vector<std::string>(std::string_view prefix, size_t limit)> names;
  // Names of nodes in which the pattern is found anywhere; at most `limit`. For when none begins with it.
  std::function<std::vector<std::string>(std::string_view pattern, size_t limit)> matching = {};
  // Paths that begin with the prefix; directories end in '/'.
  std::function<std::vector<std::string>(std::string_view prefix)> files;
};

struct Candidate {
  std::string text;
  bool closed = true;  // a whole word: a blank follows when it is the only one
  bool operator==(const Candidate&) const = default;
};

struct Completion {
  std::string prefix;                 // what stands before the cursor already; every candidate begins with it
  bool inside = false;                // or matches it anywhere: then a candidate replaces it
  std::vector<Candidate> candidates;  // sorted and distinct, fit to be printed
  bool cut_off = false;               // there are more, so that what these have in common says nothing
  char quote = 0;                     // the quote that is open at the cursor
};

// `line` is the part of the line before the cursor.
Completion Complete(std::string_view line, const Lookups& lookups);

// What to insert at the cursor (where candidates match `inside`: in place of the prefix, and if there is
// one): the rest of the only candidate and a blank, or what all have in common; quoted where blanks ask for
// it. Empty: nothing to add.
std::string Insertion(const Completion& completion);

// The candidates in columns, down then across, at most `rows` lines of `width` columns. Of paths and scopes
// only the last part is shown.
std::string CandidateColumns(const Completion& completion, size_t width, size_t rows);

// The look-up for files: names beginning with a dot only when asked for.
std::vector<std::string> FilesBeginningWith(std::string_view prefix);

}  // namespace tfprof::cli
