// What the page draws, as one JSON object: docs/server.md says how it is made up. page.cc has Documents,
// page_view.cc the rows of views and comparisons.
#pragma once

#include "base/json_writer.h"
#include "report/document.h"
#include "tfprof/report.h"

namespace tfprof {

// A name of a stranger on one line: control characters are spelt out, as in text.
void PageText(JsonWriter& json, std::string_view text);

// The rows, column by column.
void WritePageView(const Report& report, JsonWriter& json);

}  // namespace tfprof
