// One self-contained HTML page, written piece by piece: style and scripts are inside, nothing is fetched (the
// page's own content policy forbids it), and everything that comes from an input is escaped. For outputs that
// are tables; reports of views have a page of their own on top of this one (html_report.cc).
//
//   HtmlPage page("Checkpoint", out);
//   page.Inputs(files);
//   page.Section("Tensors", [&] {
//     HtmlTable table(out, {{"name"}, {"bytes", HtmlAlign::kRight}});
//     for (const Tensor& t : tensors) table.Row().Text(t.name).Number(HtmlUnit::kBytes, t.bytes);
//   });
//
// Readers sort a table by its heads and filter a long one. A number shows two digits and a unit; the exact
// value is in its tooltip and in the cell's data-v.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "export/output.h"
#include "tfprof/columns.h"

namespace tfprof {

enum class HtmlUnit : uint8_t { kCount, kBytes, kTime };
enum class HtmlAlign : uint8_t { kLeft, kRight };

HtmlUnit HtmlUnitOf(ColumnId figure);
std::string_view UnitName(HtmlUnit unit);  // "count", "bytes", "time": as the scripts call them
std::string ReadableNumber(HtmlUnit unit, int64_t value);  // 1.23 GB
std::string ExactNumber(HtmlUnit unit, int64_t value);     // 1,234,567,890 bytes

void HtmlText(std::string_view text, Output& out);      // text or the value of a quoted attribute
void HtmlProse(std::string_view text, Output& out);     // text of our own: its lines stay lines
void ScriptString(std::string_view text, Output& out);  // a JSON string that may stand in a <script>
void ScriptNumber(int64_t value, Output& out);          // a string where JavaScript's numbers are not exact

struct HtmlColumn {
  std::string_view title;  // "": a column of bars
  HtmlAlign align = HtmlAlign::kLeft;
};

// A table; closed when it goes out of scope.
class HtmlTable {
 public:
  HtmlTable(Output& out, const std::vector<HtmlColumn>& columns);
  HtmlTable(const HtmlTable&) = delete;
  HtmlTable& operator=(const HtmlTable&) = delete;
  ~HtmlTable();

  HtmlTable& Row(bool is_sum = false);  // a sum stays last whatever the table is sorted by
  HtmlTable& Text(std::string_view text);
  HtmlTable& Prose(std::string_view text);
  HtmlTable& Code(std::string_view text, uint32_t depth = 0);  // set in so far
  HtmlTable& Shown(std::string_view value, std::string_view exact, std::string_view text);
  HtmlTable& Number(HtmlUnit unit, std::optional<int64_t> value);  // none: n/a
  HtmlTable& Share(double share);                                  // 0.125: 12.50%
  HtmlTable& Bar(double share);                                    // as wide as that

 private:
  Output& out_;
  bool in_row_ = false;
};

struct HtmlCard {  // one figure in large letters
  std::string label, value, exact, note;
};
HtmlCard NumberCard(std::string label, HtmlUnit unit, std::optional<int64_t> value, std::string note = "");

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

  template <class Write>
  void Section(std::string_view title, Write write) {
    BeginSection(title);
    write();
    out_.Write("</section>\n");
  }

 private:
  void BeginSection(std::string_view title);

  Output& out_;
};

}  // namespace tfprof
