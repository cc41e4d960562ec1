#include "oom/memory_dump.h"
#include "target.h"
#include "tfprof/report_kinds.h"

namespace tfprof {

void FuzzOomDump(std::string_view bytes) {
  oom::IsMemoryDump(bytes);
  OomReport report;
  report.files = {"fuzzed"};
  report.events.push_back(oom::ReadMemoryDump(bytes, "fuzzed"));
  const OomEvent& event = report.events[0];
  Require(!event.missing.empty() && event.missing[0] == "request", "a file has no request");
  Require(event.pool_bytes.has_value() == event.requested_in_use_bytes.has_value(),
          "totals are of whole files");
  Render(*DocumentOf(std::move(report)), bytes.size() % 2 ? Format::kText : Format::kJson, {},
         [](std::string_view) {});
}

}  // namespace tfprof
