// Documents: reports ready to print. report_kinds.h makes them; Render() prints one in any format, streaming,
// as often as one likes and from any thread.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "tfprof/options.h"

namespace tfprof {

struct Document;  // src/report/document.h

using Sink = std::function<void(std::string_view)>;

// How to print, where a format leaves a choice.
struct RenderOptions {
  bool color = false;   // text: escape sequences of terminals
  bool unicode = true;  // text: plots
  size_t width = 0;     // text: columns of the terminal, which long names are cut for; 0: nothing is cut
  bool defuse = false;  // CSV: texts that a spreadsheet would take for a formula begin with '
};

// HTML is one self-contained page that fetches nothing. Gives what could not be read while it was printed
// (values of checkpoints), one message each; the report says so in its place, and goes on.
std::vector<std::string> Render(const Document& document, Format format, const RenderOptions& options,
                                const Sink& sink);

}  // namespace tfprof
