// The page: one front end (web/, built into the binary) for `tfprof ui`, TensorBoard, notebooks and single
// files.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tfprof/document.h"
#include "tfprof/report_kinds.h"

namespace tfprof {

std::string PageHtml();         // the page of a server: refers to app.js and app.css beside it
std::string_view PageScript();  // app.js
std::string_view PageStyle();   // app.css

std::string_view UnitWord(Unit unit);  // as the page calls it: bytes, time, count

// A report as the page draws it, with titles and units: docs/server.md says how. Nothing in it ends a
// <script>. Gives what could not be read while it was printed, as Render() does.
std::vector<std::string> RenderForPage(const Document& document, const MadeReport* made, const Sink& sink);

}  // namespace tfprof
