#include <fmt/ranges.h>

#include <map>
#include <string>

#include "base/text.h"
#include "base/units.h"
#include "export/checkpoint_formats.h"
#include "export/text_table.h"

namespace tfprof {
namespace {

std::string Shown(const std::string& text) { return Printable(text, text.size() * 4); }

std::string Dims(const CheckpointTensor& tensor) {
  return tensor.shape.empty() ? "scalar" : fmt::format("{}", fmt::join(tensor.shape, "x"));
}

std::string Bytes(const CheckpointTensor& tensor) {
  return tensor.bytes ? FormatMemory(*tensor.bytes) : "n/a";
}

std::string Plural(size_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

class TextCheckpoint final : public CheckpointFormat {
 public:
  TextCheckpoint(const CheckpointReport& report, Output& out)
      : report_(report), out_(out), table_("lllrrl") {}

  void Begin() override {
    const Checkpoint& checkpoint = *report_.checkpoint;
    out_.Format("Checkpoint {}: {}, {}", Shown(checkpoint.prefix()), checkpoint.format(),
                Plural(checkpoint.tensors().size(), "tensor"));
    if (report_.shown.size() < checkpoint.tensors().size()) out_.Format(", {} shown", report_.shown.size());
    out_.Write("\n\n");
    for (const std::string& problem : checkpoint.problems()) out_.Format("  {}\n", Shown(problem));
    if (!report_.options.values) table_.Add({"name", "dtype", "shape", "elements", "bytes", ""});
  }

  void Add(const CheckpointRow& row) override {
    totals_[DataTypeName(row.tensor.dtype)].Add(row);
    all_.Add(row);
    if (report_.options.values) return Block(row);
    const std::string& variable = row.tensor.full_name;
    std::string last = variable.empty() ? "" : fmt::format("variable {}", Shown(variable));
    if (!row.error.empty()) last = "cannot be read: " + ShortError(row);
    table_.Add({Shown(row.tensor.name), DataTypeName(row.tensor.dtype), Dims(row.tensor),
                fmt::format("{}", row.tensor.elements), Bytes(row.tensor), std::move(last)});
  }

  void End() override {
    if (!report_.options.values) {
      table_.Write(out_);
      out_.Put('\n');
    }
    TextTable totals("lrrr");
    totals.Add({"total", "tensors", "elements", "bytes"});
    for (const auto& [dtype, total] : totals_) AddTotal(dtype, total, &totals);
    if (totals_.size() != 1) AddTotal("all", all_, &totals);
    totals.Write(out_);
  }

 private:
  static void AddTotal(const std::string& name, const CheckpointTotals& total, TextTable* table) {
    table->Add({name, fmt::format("{}", total.tensors), FormatNumber(total.elements),
                total.bytes_known ? FormatMemory(total.bytes) : "n/a"});
  }

  // The row names the tensor already, and the title the checkpoint.
  std::string ShortError(const CheckpointRow& row) const {
    const size_t name = row.error.find("': ");
    return Shown(name == std::string::npos ? row.error : row.error.substr(name + 3));
  }

  // One tensor with its values.
  void Block(const CheckpointRow& row) {
    out_.Format("{}: {}, {}, {}", Shown(row.tensor.name), DataTypeName(row.tensor.dtype), Dims(row.tensor),
                Bytes(row.tensor));
    if (row.values) out_.Format(", crc32c {:08x}", row.values->crc32c);
    if (!row.tensor.full_name.empty()) out_.Format(", variable {}", Shown(row.tensor.full_name));
    out_.Put('\n');
    if (!row.error.empty()) {
      out_.Format("  cannot be read: {}\n\n", ShortError(row));
      return;
    }
    const TensorStatistics& s = row.values->statistics;
    if (s.min) {
      out_.Format("  min {}, max {}, mean {:.8g}", ShortElementText(*s.min), ShortElementText(*s.max),
                  *s.mean);
    }
    const bool real = KindOfElements(row.tensor.dtype) == ElementKind::kReal ||
                      KindOfElements(row.tensor.dtype) == ElementKind::kComplex;
    if (real) out_.Format("{}{} nan, {} inf", s.min ? ", " : "  ", s.nan, s.inf + s.minus_inf);
    if (s.min || real) out_.Put('\n');
    out_.Format("{}\n\n", PrintTensor(row.tensor, *row.values, report_.options.max_values));
  }

  const CheckpointReport& report_;
  Output& out_;
  TextTable table_;
  std::map<std::string, CheckpointTotals> totals_;
  CheckpointTotals all_;
};

}  // namespace

std::unique_ptr<CheckpointFormat> MakeCheckpointText(const CheckpointReport& report, Output& out) {
  return std::make_unique<TextCheckpoint>(report, out);
}

}  // namespace tfprof
