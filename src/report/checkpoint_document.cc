// Values are read while the Document is printed, one tensor at a time: people see statistics or the ends of
// each dimension, programs the first values.
#include <map>

#include "base/checked.h"
#include "base/text.h"
#include "base/units.h"
#include "report/documents.h"
#include "report/print_tensor.h"

namespace tfprof {
namespace {

constexpr Look kRight = Look::kRight;

// One tensor, read as far as a table or a text needs it.
struct Tensor {
  const CheckpointTensor& tensor;
  std::shared_ptr<const TensorValues> values;  // none: not asked for, or `error`
  std::string error;                           // why it cannot be read

  std::optional<uint32_t> Crc() const { return values ? std::optional(values->crc32c) : tensor.crc32c; }
};

Tensor ReadTensor(const CheckpointReport& report, size_t row, const std::vector<ValueRange>& wanted,
                  Problems& problems) {
  const size_t index = report.shown[row];
  Tensor out{report.checkpoint->tensors()[index], nullptr, {}};
  if (report.options.values) {
    if (Result<TensorValues> read = report.checkpoint->Read(index, wanted); read) {
      out.values = std::make_shared<const TensorValues>(std::move(*read));
    } else {
      out.error = read.error().message;
    }
  } else if (Status s = report.checkpoint->Check(index); !s) {
    out.error = s.error().message;
  }
  if (!out.error.empty()) problems.push_back(out.error);
  return out;
}

// "CAFE" as "43414645": strings of tensors are bytes, which JSON has no place for.
std::string Hex(std::string_view bytes) {
  std::string out;
  for (const char c : bytes) out += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return out;
}

Cell ElementCell(const Element& element) {
  switch (element.kind) {
    case ElementKind::kSigned:
      return cell::Plain(element.integer);
    case ElementKind::kUnsigned:
      return cell::Unsigned(static_cast<uint64_t>(element.integer));
    case ElementKind::kBool:
      return cell::Flag(element.integer != 0);
    case ElementKind::kComplex:
      return cell::List(
          2, [element](size_t i) { return cell::Real(i == 0 ? element.real : element.imaginary); });
    default:
      return cell::Real(element.real);
  }
}

Cell Limit(const std::optional<Element>& element) {
  return element ? ElementCell(*element) : cell::Missing();
}
// As text, since it says all digits of its type.
Cell LimitText(const std::optional<Element>& element) {
  return element ? cell::Text(ElementText(*element)) : Cell();
}

Cell Statistics(const TensorValues& values) {
  if (values.dtype == kTypeString) return {};
  const TensorStatistics& s = values.statistics;
  return cell::Object({{"min", Limit(s.min)},
                       {"max", Limit(s.max)},
                       {"mean", cell::Real(s.mean)},
                       {"nan", cell::Count(s.nan)},
                       {"inf", cell::Count(s.inf)},
                       {"minus_inf", cell::Count(s.minus_inf)}});
}

Cell Values(const std::shared_ptr<const TensorValues>& values) {
  if (!values->strings.empty()) {
    return cell::List(values->strings.size(),
                      [values](size_t i) { return cell::Text(Hex(values->strings[i])); });
  }
  return cell::List(values->kept, [values](size_t i) { return ElementCell(values->At(i)); });
}

Cell ShapeCell(const CheckpointTensor& tensor) {
  return cell::Dims(tensor.shape).Says(tensor.shape.empty() ? "scalar" : FormatShape(tensor.shape));
}

Cell CrcCell(const Tensor& t) {
  return t.Crc() && t.error.empty() ? cell::Text(fmt::format("{:08x}", *t.Crc())) : cell::Missing();
}

// For programs: with the first values of each.
Block ForPrograms(const CheckpointReport& report) {
  Table table{
      {{"name", ""},
       {"full_name", ""},
       {"dtype", ""},
       {"shape", ""},
       {"bytes", ""},
       {"crc32c", ""},
       {"error", ""},
       {"values", ""},
       {"values_left_out", ""},
       {"statistics", ""}},
      report.shown.size(),
      [&report](size_t r, RowCells& out) {
        const int64_t most = report.options.max_values;
        const CheckpointTensor& listed = report.checkpoint->tensors()[report.shown[r]];
        const Tensor t = ReadTensor(report, r, {{0, most > 0 ? most : listed.elements}}, out.problems);
        out.Add(
            cell::Text(t.tensor.name), t.tensor.full_name.empty() ? Cell() : cell::Text(t.tensor.full_name),
            cell::Text(DataTypeName(t.tensor.dtype)), cell::Dims(t.tensor.shape), cell::Bytes(t.tensor.bytes),
            CrcCell(t), t.error.empty() ? Cell() : cell::Text(std::string(t.error)));
        if (!t.values) return;
        const int64_t left_out = t.values->elements - static_cast<int64_t>(t.values->kept);
        out.Add(Values(t.values), left_out > 0 ? cell::Count(left_out) : Cell(), Statistics(*t.values));
      }};
  return {"tensors", "", std::move(table), kInJson};
}

// A message names the tensor and the checkpoint, as the row and the title do.
std::string ShortError(const std::string& error) {
  const size_t name = error.find("': ");
  return name == std::string::npos ? error : error.substr(name + 3);
}

Block ForPeople(const CheckpointReport& report) {
  Table table;
  table.columns = {{"", "name", Look::kCode},
                   {"", "dtype"},
                   {"", "shape"},
                   {"", "elements", kRight},
                   {"", "bytes", kRight}};
  if (report.options.values) {
    for (const char* title : {"min", "max", "mean", "nan", "inf"})
      table.columns.push_back({"", title, kRight});
  }
  table.columns.push_back({"", "remark"});
  table.rows = report.shown.size();
  table.fill = [&report](size_t r, RowCells& out) {
    const Tensor t = ReadTensor(report, r, {}, out.problems);
    out.Add(cell::Text(t.tensor.name), cell::Text(DataTypeName(t.tensor.dtype)), ShapeCell(t.tensor),
            cell::Count(t.tensor.elements), cell::Bytes(t.tensor.bytes));
    if (t.values) {
      const TensorStatistics& s = t.values->statistics;
      out.Add(LimitText(s.min), LimitText(s.max),
              s.mean ? cell::Text(fmt::format("{:.6g}", *s.mean)) : Cell(), cell::Count(s.nan),
              cell::Count(s.inf + s.minus_inf));
    } else if (report.options.values) {
      out.Add({}, Cell(), Cell(), Cell(), Cell());
    }
    const std::string& variable = t.tensor.full_name;
    out.Add(!t.error.empty()   ? cell::Text("cannot be read: " + ShortError(t.error))
            : variable.empty() ? Cell()
                               : cell::Text("variable " + variable));
  };
  const bool in_text = !report.options.values;
  return {"", "", std::move(table), static_cast<uint8_t>(kInMarkdown | kInHtml | (in_text ? kInText : 0))};
}

Table CsvTable(const CheckpointReport& report) {
  Table table;
  for (const char* id : {"name", "full_name", "dtype", "shape", "elements", "bytes", "crc32c"})
    table.columns.push_back({id, ""});
  if (report.options.values) {
    for (const char* id : {"min", "max", "mean", "nan", "inf", "minus_inf"})
      table.columns.push_back({id, ""});
  }
  table.columns.push_back({"error", ""});
  table.rows = report.shown.size();
  table.fill = [&report](size_t r, RowCells& out) {
    const Tensor t = ReadTensor(report, r, {}, out.problems);
    out.Add(cell::Text(t.tensor.name), cell::Text(t.tensor.full_name),
            cell::Text(DataTypeName(t.tensor.dtype)), cell::Dims(t.tensor.shape),
            cell::Count(t.tensor.elements), cell::Bytes(t.tensor.bytes),
            t.Crc() ? cell::Text(fmt::format("{:08x}", *t.Crc())) : Cell());
    if (t.values) {
      const TensorStatistics& s = t.values->statistics;
      out.Add(LimitText(s.min), LimitText(s.max), cell::Real(s.mean), cell::Count(s.nan), cell::Count(s.inf),
              cell::Count(s.minus_inf));
    } else if (report.options.values) {
      out.Add({}, Cell(), Cell(), Cell(), Cell(), Cell());
    }
    out.Add(cell::Text(std::string(t.error)));
  };
  return table;
}

// Text with values: each tensor in a paragraph of its own.
std::string Paragraph(const CheckpointReport& report, size_t row, Problems& problems) {
  const int64_t most = report.options.max_values;
  const CheckpointTensor& tensor = report.checkpoint->tensors()[report.shown[row]];
  const Tensor t = ReadTensor(report, row, RangesToPrint(tensor, most), problems);
  std::string out =
      fmt::format("{}: {}, {}, {}", Escaped(tensor.name), DataTypeName(tensor.dtype),
                  ShapeCell(tensor).words(), tensor.bytes ? FormatMemory(*tensor.bytes) : "n/a");
  if (t.values) out += fmt::format(", crc32c {:08x}", t.values->crc32c);
  if (!tensor.full_name.empty()) out += fmt::format(", variable {}", Escaped(tensor.full_name));
  if (!t.values) return out + fmt::format("\n  cannot be read: {}\n\n", Escaped(ShortError(t.error)));
  const TensorStatistics& s = t.values->statistics;
  out += '\n';
  if (s.min)
    out += fmt::format("  min {}, max {}, mean {:.8g}", ShortElementText(*s.min), ShortElementText(*s.max),
                       *s.mean);
  const bool real = KindOfElements(tensor.dtype) == ElementKind::kReal ||
                    KindOfElements(tensor.dtype) == ElementKind::kComplex;
  if (real) out += fmt::format("{}{} nan, {} inf", s.min ? ", " : "  ", s.nan, s.inf + s.minus_inf);
  if (s.min || real) out += '\n';
  return out + PrintTensor(tensor, *t.values, most) + "\n\n";
}

struct Totals {
  std::string dtype;
  int64_t tensors = 0, elements = 0, bytes = 0;
  bool bytes_known = true;

  void Add(const CheckpointTensor& tensor) {
    bool saturated = false;
    ++tensors;
    elements = SaturatingAdd(elements, tensor.elements, &saturated);
    bytes = SaturatingAdd(bytes, tensor.bytes.value_or(0), &saturated);
    bytes_known &= tensor.bytes.has_value();
  }
};

Block TotalsBlock(const CheckpointReport& report) {
  std::map<std::string, Totals> by_type;
  Totals all{"all"};
  for (const size_t index : report.shown) {
    const CheckpointTensor& tensor = report.checkpoint->tensors()[index];
    by_type[DataTypeName(tensor.dtype)].Add(tensor);
    all.Add(tensor);
  }
  std::vector<Totals> rows;
  for (auto& [dtype, totals] : by_type) {
    totals.dtype = dtype;
    rows.push_back(totals);
  }
  const size_t types = rows.size();
  rows.push_back(all);
  Table table{{{"dtype", "total"},
               {"tensors", "tensors", kRight},
               {"elements", "elements", kRight},
               {"bytes", "bytes", kRight}},
              types,
              [rows = std::move(rows)](size_t r, RowCells& out) {
                const Totals& t = rows[r];
                out.Add(cell::Text(t.dtype), cell::Count(t.tensors), cell::Amount(t.elements),
                        cell::Bytes(t.bytes_known ? std::optional(t.bytes) : std::nullopt));
              },
              types != 1 ? 1u : 0u};
  return {"totals", "", std::move(table)};
}

}  // namespace

Document CheckpointDocument(CheckpointReport made) {
  Document out;
  const CheckpointReport& report = Keep(std::move(made), out);
  const Checkpoint& checkpoint = *report.checkpoint;
  const size_t all = checkpoint.tensors().size();
  out.title = "Checkpoint";
  out.inputs = InputsOf(checkpoint.files());
  out.warnings = checkpoint.problems();
  out.blocks.push_back(OptionsBlock(
      report.options, {"show_name_regexes", "hide_name_regexes", "order_by", "values", "max_values"}));
  out.blocks.push_back({"", "",
                        Facts{{"prefix", "", cell::Text(checkpoint.prefix())},
                              {"format", "", cell::Text(checkpoint.format())}},
                        kInJson});
  out.blocks.push_back(
      {"", "",
       ProseOf(fmt::format("Checkpoint {}: {}, {} tensor{}{}", checkpoint.prefix(), checkpoint.format(), all,
                           all == 1 ? "" : "s",
                           report.shown.size() < all ? fmt::format(", {} shown", report.shown.size()) : "")),
       kForPeople});
  out.blocks.push_back({"", "", ProseOf(checkpoint.problems()), kInText});
  out.blocks.push_back(ForPrograms(report));
  out.blocks.push_back(ForPeople(report));
  if (report.options.values) {
    out.blocks.push_back(
        {"", "",
         Prose{report.shown.size(),
               [&report](size_t i, Problems& problems) { return Paragraph(report, i, problems); }, true},
         kInText});
  }
  out.blocks.push_back(TotalsBlock(report));
  out.csv = CsvTable(report);
  return out;
}

}  // namespace tfprof
