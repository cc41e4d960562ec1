// A log in blocks of a size that its first byte says; skimming finds what reading every line finds.
#include <deque>

#include "oom/line_scanner.h"
#include "oom/settle.h"
#include "target.h"
#include "tfprof/report_kinds.h"

namespace tfprof {

void FuzzOomLog(std::string_view text) {
  const size_t block = text.empty() ? 1 : 1 + static_cast<unsigned char>(text[0]);
  OomReport report;
  report.files = {"fuzzed"};
  oom::Budget budget;
  oom::LogReader reader("fuzzed", &budget);
  oom::LineScanner scanner(&reader);
  for (size_t at = 0; at < text.size(); at += block) scanner.Add(text.substr(at, block));
  scanner.Finish();
  oom::Settle(reader.TakeRecords(), &report);
  for (const OomEvent& event : report.events) {
    Require(event.line && *event.line >= 1 && *event.line <= scanner.lines(), "an event has a line");
    Require(!event.op || IsValidUtf8(*event.op), "names are valid UTF-8");
    Require(event.count >= 1, "an event happened");
  }
  Render(*DocumentOf(std::move(report)), kFormats[text.size() % 5], {}, [](std::string_view) {});
}

}  // namespace tfprof
