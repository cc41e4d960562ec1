#include "report/documents.h"

#include "base/options_table.h"
#include "base/units.h"

namespace tfprof {

std::string Percent(int64_t part, int64_t whole) {
  return fmt::format("{:.2f}%", whole > 0 ? 100 * static_cast<double>(part) / static_cast<double>(whole) : 0);
}

Block CoverageBlock(const Coverage& coverage) {
  Facts facts;
  for (const CoverageField& field : kCoverageFields)
    facts.push_back({field.name, "", cell::Count(coverage.*field.member)});
  return {"coverage", "", facts, kInJson};
}

Block MissingBlock(const std::vector<MissingInfo>& missing) {
  return {"missing", "Missing",
          TableOf({{"what", "what"}, {"needed_for", "needed for"}, {"how", "how to record it"}}, missing,
                  [](const MissingInfo& m, RowCells& out) {
                    out.Add(cell::Text(m.what), cell::Text(m.needed_for), cell::Text(m.how).Lines());
                  }),
          kInJson | kInHtml};
}

Block OptionsBlock(const Options& options, std::initializer_list<std::string_view> names) {
  Facts facts;
  for (const std::string_view name : names)
    facts.push_back({std::string(name), "", cell::Text(FindOption(name)->get(options))});
  return {"options", "", facts, kInJson};
}

std::string SizeText(std::optional<int64_t> bytes) {
  if (!bytes) return "n/a";
  return *bytes < 1'000'000'000 ? FormatMemory(*bytes)
                                : fmt::format("{:.2f}GB", static_cast<double>(*bytes) / 1e9);
}

Cell Size(std::optional<int64_t> bytes) { return cell::Bytes(bytes).Says(SizeText(bytes)); }

}  // namespace tfprof
