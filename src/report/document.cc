#include "report/document.h"

#include <algorithm>

#include "base/units.h"

namespace tfprof {

struct MakeCell {
  static Cell Of(Cell::Kind kind, int64_t number = 0, double real = 0, Quantity quantity = Quantity::kCount) {
    Cell out;
    out.kind_ = kind;
    out.number_ = number;
    out.real_ = real;
    out.quantity_ = quantity;
    return out;
  }
  static Cell View(std::string_view text) {
    Cell out = Of(Cell::Kind::kText);
    out.view_ = text.data() ? text : std::string_view("");
    return out;
  }
  static Cell Owned(std::string text) {
    Cell out = Of(Cell::Kind::kText);
    out.words_ = std::move(text);
    return out;
  }
  static Cell Nested(Cell::Kind kind, size_t size, Cell::Item item, Cell::Fields fields) {
    Cell out = Of(kind, static_cast<int64_t>(size));
    out.nested_ =
        std::make_shared<const std::pair<Cell::Item, Cell::Fields>>(std::move(item), std::move(fields));
    return out;
  }
};

namespace cell {

using Kind = Cell::Kind;

Cell Missing() { return MakeCell::Of(Kind::kMissing); }
Cell Text(std::string_view text) { return MakeCell::View(text); }
Cell Text(std::string&& text) { return MakeCell::Owned(std::move(text)); }
Cell TextOrMissing(std::string_view text) { return text.empty() ? Missing() : Text(text); }
Cell Number(std::optional<int64_t> value, Quantity quantity) {
  return value ? MakeCell::Of(Kind::kNumber, *value, 0, quantity) : Missing();
}
Cell Picos(std::optional<int64_t> value) {
  return Nanos(value ? std::optional(NanosOfPicos(*value)) : std::nullopt);
}

Cell Unsigned(uint64_t value) {
  return MakeCell::Of(Kind::kNumber, static_cast<int64_t>(value), 0, Quantity::kUnsigned);
}
Cell Real(std::optional<double> value) { return value ? MakeCell::Of(Kind::kReal, 0, *value) : Missing(); }
Cell Share(double share) { return MakeCell::Of(Kind::kShare, 0, share); }
Cell ShareOf(int64_t part, int64_t whole) {
  return Share(whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0);
}
Cell Flag(std::optional<bool> value) { return value ? MakeCell::Of(Kind::kFlag, *value) : Missing(); }
Cell List(size_t size, Cell::Item item) { return MakeCell::Nested(Kind::kList, size, std::move(item), {}); }
Cell Texts(const std::vector<std::string>& texts) {
  return List(texts.size(), [&texts](size_t i) { return Text(texts[i]); });
}
Cell Dims(const std::vector<int64_t>& dims) {
  return List(dims.size(), [&dims](size_t i) { return Plain(dims[i]); }).Says(FormatShape(dims));
}
Cell Object(Cell::Fields fields) { return MakeCell::Nested(Kind::kObject, 0, {}, std::move(fields)); }

}  // namespace cell

bool IsEmpty(const Block& block) {
  if (const auto* facts = std::get_if<Facts>(&block.body))
    return std::all_of(facts->begin(), facts->end(), [](const Fact& fact) { return fact.title.empty(); });
  if (const auto* table = std::get_if<Table>(&block.body)) return table->rows + table->sums == 0;
  const auto* prose = std::get_if<Prose>(&block.body);
  return prose && prose->size == 0;
}

namespace {

void LimitRows(size_t limit, std::vector<Block>* blocks) {
  for (Block& block : *blocks) {
    if (auto* table = std::get_if<Table>(&block.body)) table->limit = limit;
    if (auto* group = std::get_if<Group>(&block.body)) LimitRows(limit, &group->blocks);
  }
}

}  // namespace

void LimitRows(int64_t max_rows, Document* document) {
  if (max_rows <= 0) return;
  LimitRows(static_cast<size_t>(max_rows), &document->blocks);
  if (document->csv) document->csv->limit = static_cast<size_t>(max_rows);
}

Prose ProseOf(const std::vector<std::string>& texts) {
  return {texts.size(), [&texts](size_t i, Problems&) { return texts[i]; }};
}

Prose ProseOf(std::string text) {
  return {text.empty() ? 0u : 1u, [text = std::move(text)](size_t, Problems&) { return text; }};
}

Prose ProseOf(std::vector<std::string>&& texts) {
  return {texts.size(), [texts = std::move(texts)](size_t i, Problems&) { return texts[i]; }};
}

Block ForPeople(std::string title, decltype(Block::body) body, std::string none) {
  return {"", std::move(title), std::move(body), kForPeople, std::move(none)};
}

Block ForPrograms(std::string id, decltype(Block::body) body) {
  return {std::move(id), "", std::move(body), kInJson};
}

Block Fields(Cell::Fields fields) {
  Facts facts;
  for (auto& [id, value] : fields) facts.push_back({std::move(id), "", std::move(value)});
  return ForPrograms("", std::move(facts));
}

std::vector<DocumentInput> InputsOf(const std::vector<std::string>& files) {
  std::vector<DocumentInput> out;
  for (const std::string& file : files) out.push_back({file, ""});
  return out;
}

}  // namespace tfprof
