// Where the prompt's lines come from: a person at a terminal, with editing, history and completion; a
// terminal that cannot do that; or a pipe. Only this file's source knows libedit.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "cli/completion.h"

namespace tfprof::cli {

class LineReader {
 public:
  enum class Outcome { kLine, kInterrupted, kEnd };

  virtual ~LineReader() = default;
  // Without the end of line. kInterrupted: Ctrl-C, the line is void.
  virtual Outcome Read(std::string* line) = 0;
};

// The part of the line before the cursor in, what it may become out.
using Completer = std::function<Completion(std::string_view line)>;

// Whether standard input is a terminal, and one that can move its cursor.
bool StdinIsTerminal();
bool TerminalCanEdit();

// Editing with history in `history_path` (empty: kept for this session only). Null when the terminal refuses.
// The prompt is drawn on standard output or, when that is no terminal, on standard error.
std::unique_ptr<LineReader> MakeLineEditor(std::string_view history_path, Completer completer);

// Lines of standard input as they are, with the prompt before each or without.
std::unique_ptr<LineReader> MakePlainReader(bool shows_prompt);

}  // namespace tfprof::cli
