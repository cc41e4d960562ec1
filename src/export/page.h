// What the page draws, as one JSON object: docs/server.md says how it is made up. page.cc has Documents,
// page_view.cc the rows of views and comparisons.
#pragma once

#include "base/json_writer.h"
#include "report/document.h"
#include "tfprof/report.h"

namespace tfprof {

// Whole numbers that JavaScript's cannot hold are strings of digits.
void PageNumber(JsonWriter& json, int64_t value);

// The rows, column by column.
void WritePageView(const Report& report, JsonWriter& json);

}  // namespace tfprof
