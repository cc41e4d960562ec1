// Reading command lines and prompt lines: both forms of options (-opt value, --opt=value), switches, quoting.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/command.h"
#include "tfprof/result.h"

namespace tfprof::cli {

// Splits a line into words: blanks separate, quotes of both kinds group. A backslash is just a character,
// since regexes are full of them.
Result<std::vector<std::string>> SplitLine(std::string_view line);

// Words into a Context. The first plain word that is a command becomes context.command; other plain words are
// inputs, or words for commands that take those. Sets wants_help / wants_version for -h, --help, --version.
struct Parsed {
  bool wants_help = false, wants_version = false;
};
Result<Parsed> ParseWords(const std::vector<std::string>& words, Context* context);

}  // namespace tfprof::cli
