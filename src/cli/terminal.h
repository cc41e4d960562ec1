// What depends on a person sitting there: colour, pager, progress. None of it shows in a pipe.
#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

#include "cli/command.h"
#include "tfprof/document.h"
#include "tfprof/profile.h"
#include "tfprof/result.h"

namespace tfprof::cli {

bool StdoutIsTerminal();

// Whether plots may use Unicode: the locale's encoding is UTF-8, and the terminal is not a dumb one.
bool SpeaksUnicode();

// As it was asked for; else on a terminal that can show colour, and NO_COLOR is not set.
bool UsesColor(const Context& context);

// Columns that a report has: those of the terminal it goes to; 0: it goes elsewhere, or must stay as it is.
size_t ReportWidth(const Context& context);

// What cannot be written is lost, and nothing else: messages are no reason to fail.
void Say(std::FILE* stream, std::string_view text);

// Lines on stderr. Whatever they quote says nothing to the terminal.
void PrintError(const Error& error);
void PrintNote(std::string_view text);
void PrintWarning(std::string_view text);

// Where a report goes: standard output, through the pager when it is longer than the screen, or a file
// (written beside and renamed). Finish() reports what went wrong; without it a file is not replaced.
class ReportOutput {
 public:
  static Result<std::unique_ptr<ReportOutput>> Open(const Context& context);
  virtual ~ReportOutput() = default;
  virtual void Write(std::string_view text) = 0;
  virtual Status Finish() = 0;
  Sink sink() {
    return [this](std::string_view text) { Write(text); };
  }
};

// A bar on stderr, drawn only on a terminal and only once loading has taken a second.
Progress ProgressBar();
void ClearProgressBar();

}  // namespace tfprof::cli
