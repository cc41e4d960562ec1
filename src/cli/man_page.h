// The man page, made from the tables of commands and options.
#pragma once

#include <string>

namespace tfprof::cli {

std::string ManPage();  // roff, for the man macros

}  // namespace tfprof::cli
