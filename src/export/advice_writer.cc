#include <rapidjson/writer.h>

#include "export/output.h"
#include "export/page_formats.h"
#include "tfprof/export.h"

namespace tfprof {
namespace {

// An empty line, the checker's name, its lines.
void TextAdvice(const Advice& advice, Output& out) {
  for (const CheckerAdvice& checker : advice.checkers) {
    out.Format("\n{}:\n", checker.name);
    for (const std::string& report : checker.reports) out.Format("{}\n", report);
    if (!checker.not_checked.empty()) {
      out.Format("not checked: {}\n", checker.not_checked);
    } else if (checker.reports.empty()) {
      out.Write("nothing found\n");
    }
  }
}

void JsonAdvice(const Advice& advice, Output& out) {
  rapidjson::Writer<Output> json(out);
  const auto text = [&json](std::string_view s) {
    json.String(s.data(), static_cast<rapidjson::SizeType>(s.size()));
  };
  json.StartObject();
  json.Key("checkers");
  json.StartObject();
  for (const CheckerAdvice& checker : advice.checkers) {
    text(checker.name);
    json.StartObject();
    json.Key("reports");
    json.StartArray();
    for (const std::string& report : checker.reports) text(report);
    json.EndArray();
    if (!checker.not_checked.empty()) {
      json.Key("not_checked");
      text(checker.not_checked);
    }
    json.EndObject();
  }
  json.EndObject();
  json.EndObject();
  out.Put('\n');
}

}  // namespace

void WriteAdvice(const Advice& advice, Format format, const Sink& sink) {
  Output out(sink);
  if (format == Format::kJson) {
    JsonAdvice(advice, out);
  } else if (format == Format::kHtml) {
    WriteAdviceHtml(advice, out);
  } else {
    TextAdvice(advice, out);
  }
}

}  // namespace tfprof
