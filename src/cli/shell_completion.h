// Completion scripts for the shells, made from the tables of commands and options, so that they know exactly
// what the program knows.
#pragma once

#include <string>

namespace tfprof::cli {

std::string BashCompletion();
std::string ZshCompletion();
std::string FishCompletion();

}  // namespace tfprof::cli
