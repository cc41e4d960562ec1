// Values are read while the Document is printed, one tensor at a time: people see statistics or the ends of
// each dimension, programs the first values.
#include <map>

#include "base/checked.h"
#include "base/text.h"
#include "base/units.h"
#include "report/documents.h"
#include "report/print_tensor.h"
#include "report/tensor_value.h"

namespace tfprof {
namespace {

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
Block WithValues(const CheckpointReport& report) {
  const auto fill = [&report](size_t r, RowCells& out) {
    const int64_t most = report.options.max_values;
    const CheckpointTensor& listed = report.checkpoint->tensors()[report.shown[r]];
    const Tensor t = ReadTensor(report, r, {{0, most > 0 ? most : listed.elements}}, out.problems);
    out.Add(cell::Text(t.tensor.name), t.tensor.full_name.empty() ? Cell() : cell::Text(t.tensor.full_name),
            cell::Text(DataTypeName(t.tensor.dtype)), cell::Dims(t.tensor.shape), cell::Bytes(t.tensor.bytes),
            CrcCell(t), t.error.empty() ? Cell() : cell::Text(std::string(t.error)));
    if (!t.values) return;
    const int64_t left_out = t.values->elements - static_cast<int64_t>(t.values->kept);
    out.Add(Values(t.values), left_out > 0 ? cell::Count(left_out) : Cell(), Statistics(*t.values));
  };
  return ForPrograms("tensors", Table{Ids("name", "full_name", "dtype", "shape", "bytes", "crc32c", "error",
                                          "values", "values_left_out", "statistics"),
                                      report.shown.size(), fill});
}

// A message names the tensor and the checkpoint, as the row and the title do.
std::string ShortError(const std::string& error) {
  const size_t name = error.find("': ");
  return name == std::string::npos ? error : error.substr(name + 3);
}

// One row for each, to be read, and for CSV with what is exact.
Table Listing(const CheckpointReport& report) {
  Table table{
      Heads(Code("name", "name"), Left("full_name", ""), Left("dtype", "dtype"), Left("shape", ""),
            Left("", "shape"), Right("elements", "elements"), Right("bytes", "bytes"), Left("crc32c", "")),
      report.shown.size()};
  if (report.options.values) {
    const auto statistics =
        Heads(Right("min", "min"), Right("max", "max"), Right("mean", "mean"), Right("nan", "nan"),
              Left("inf", ""), Left("minus_inf", ""), Right("", "inf"));
    table.columns.insert(table.columns.end(), statistics.begin(), statistics.end());
  }
  const size_t known = table.columns.size();
  table.columns.push_back(Left("error", ""));
  table.columns.push_back(Left("", "remark"));
  table.fill = [&report, known](size_t r, RowCells& out) {
    const Tensor t = ReadTensor(report, r, {}, out.problems);
    const std::string& variable = t.tensor.full_name;
    out.Add(cell::Text(t.tensor.name), cell::Text(variable), cell::Text(DataTypeName(t.tensor.dtype)),
            cell::Dims(t.tensor.shape), ShapeCell(t.tensor), cell::Count(t.tensor.elements),
            cell::Bytes(t.tensor.bytes), t.Crc() ? cell::Text(fmt::format("{:08x}", *t.Crc())) : Cell());
    if (t.values) {
      const TensorStatistics& s = t.values->statistics;
      out.Add(LimitText(s.min), LimitText(s.max),
              s.mean ? cell::Real(s.mean).Says(fmt::format("{:.6g}", *s.mean)) : Cell(), cell::Count(s.nan),
              cell::Count(s.inf), cell::Count(s.minus_inf), cell::Count(s.inf + s.minus_inf));
    }
    out.cells.resize(known);
    out.Add(cell::Text(std::string(t.error)), !t.error.empty()
                                                  ? cell::Text("cannot be read: " + ShortError(t.error))
                                              : variable.empty() ? Cell()
                                                                 : cell::Text("variable " + variable));
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
  Table table = TableOf(Heads(Left("dtype", "total"), Right("tensors", "tensors"),
                              Right("elements", "elements"), Right("bytes", "bytes")),
                        std::move(rows), [](const Totals& t, RowCells& out) {
                          out.Add(cell::Text(t.dtype), cell::Count(t.tensors), cell::Amount(t.elements),
                                  cell::Bytes(t.bytes_known ? std::optional(t.bytes) : std::nullopt));
                        });
  table.rows = types;
  table.sums = types != 1 ? 1 : 0;
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
  out.Add(OptionsBlock(report.options,
                       {"show_name_regexes", "hide_name_regexes", "order_by", "values", "max_values"}));
  out.Add(Fields({{"prefix", cell::Text(checkpoint.prefix())}, {"format", cell::Text(checkpoint.format())}}));
  out.Add(ForPeople(
      "",
      ProseOf(fmt::format("Checkpoint {}: {}, {} tensor{}{}", checkpoint.prefix(), checkpoint.format(), all,
                          all == 1 ? "" : "s",
                          report.shown.size() < all ? fmt::format(", {} shown", report.shown.size()) : ""))));
  out.Add({"", "", ProseOf(checkpoint.problems()), kInText});
  out.Add(WithValues(report));
  const bool in_text = !report.options.values;
  out.Add({"", "", Listing(report), static_cast<uint8_t>(kInMarkdown | kInHtml | (in_text ? kInText : 0))});
  if (report.options.values) {
    const auto paragraph = [&report](size_t i, Problems& problems) { return Paragraph(report, i, problems); };
    out.Add({"", "", Prose{report.shown.size(), paragraph, true}, kInText});
  }
  out.Add(TotalsBlock(report));
  out.csv = Listing(report);
  return out;
}

}  // namespace tfprof
