// One self-contained HTML page, written piece by piece: style and scripts are inside, nothing is fetched (the
// page's own content policy forbids it), and everything that comes from an input is escaped. html.cc writes
// Documents into it, view_html.cc the rows of views.
//
//   HtmlPage page("Checkpoint", out);
//   page.Inputs(files);
//   page.Cards({NumberCard("size", Unit::kBytes, bytes)});
//
// A number shows two digits and a unit; the exact value is in its tooltip.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/output.h"
#include "tfprof/columns.h"

namespace tfprof {

std::string_view UnitName(Unit unit);                  // "count", "bytes", "time": as the scripts call them
std::string ReadableNumber(Unit unit, int64_t value);  // 1.23 GB
std::string ExactNumber(Unit unit, int64_t value);     // 1,234,567,890 bytes

void HtmlText(std::string_view text, Output& out);      // text or the value of a quoted attribute
void HtmlProse(std::string_view text, Output& out);     // text of our own: its lines stay lines
void ScriptString(std::string_view text, Output& out);  // a JSON string that may stand in a <script>
void ScriptNumber(int64_t value, Output& out);          // a string where JavaScript's numbers are not exact

// Text between tags of our own.
inline void HtmlIn(std::string_view open, std::string_view text, std::string_view close, Output& out) {
  out.Write(open);
  HtmlText(text, out);
  out.Write(close);
}

struct HtmlCard {  // one figure in large letters
  std::string label, value, exact, note;
};
HtmlCard NumberCard(std::string label, Unit unit, std::optional<int64_t> value, std::string note = "");

// A page; closed when it goes out of scope.
class HtmlPage {
 public:
  HtmlPage(std::string_view title, Output& out);
  HtmlPage(const HtmlPage&) = delete;
  HtmlPage& operator=(const HtmlPage&) = delete;
  ~HtmlPage();

  void Inputs(const std::vector<std::string>& files);
  void Warnings(const std::vector<std::string>& warnings);
  void Cards(const std::vector<HtmlCard>& cards);
  // Names and values that fold away below a title.
  void Facts(std::string_view title, const std::vector<std::pair<std::string, std::string>>& facts);
  void Paragraph(std::string_view text, std::string_view css_class = "soft");
  void Script(std::string_view text);  // a script of our own

 private:
  Output& out_;
};

}  // namespace tfprof
