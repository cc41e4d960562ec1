#include <fmt/ranges.h>

#include <optional>
#include <utility>

#include "base/checked.h"
#include "base/text.h"
#include "export/cells.h"
#include "export/checkpoint_formats.h"

namespace tfprof {
namespace {

std::string Valid(const std::string& text) {
  return IsValidUtf8(text) ? text : Printable(text, text.size() * 4);
}

std::string Dims(const CheckpointTensor& tensor) { return fmt::format("{}", fmt::join(tensor.shape, "x")); }

std::string Optional(const std::optional<Element>& element) { return element ? ElementText(*element) : ""; }

class CsvCheckpoint final : public CheckpointFormat {
 public:
  CsvCheckpoint(const CheckpointReport& report, Output& out) : values_(report.options.values), out_(out) {}

  void Begin() override {
    out_.Write("name,full_name,dtype,shape,elements,bytes,crc32c");
    if (values_) out_.Write(",min,max,mean,nan,inf,minus_inf");
    out_.Write(",error\n");
  }
  void Add(const CheckpointRow& row) override {
    CsvCell(Valid(row.tensor.name), out_);
    out_.Put(',');
    CsvCell(Valid(row.tensor.full_name), out_);
    out_.Format(",{},{},{},", DataTypeName(row.tensor.dtype), Dims(row.tensor), row.tensor.elements);
    if (row.tensor.bytes) out_.Format("{}", *row.tensor.bytes);
    out_.Put(',');
    const auto crc = row.values ? std::optional(row.values->crc32c) : row.tensor.crc32c;
    if (crc) out_.Format("{:08x}", *crc);
    if (values_ && row.values) {
      const TensorStatistics& s = row.values->statistics;
      out_.Format(",{},{},{},{},{},{}", Optional(s.min), Optional(s.max),
                  s.mean ? fmt::format("{}", *s.mean) : "", s.nan, s.inf, s.minus_inf);
    } else if (values_) {
      out_.Write(",,,,,,");
    }
    out_.Put(',');
    CsvCell(Valid(row.error), out_);
    out_.Put('\n');
  }
  void End() override {}

 private:
  bool values_;
  Output& out_;
};

class MarkdownCheckpoint final : public CheckpointFormat {
 public:
  MarkdownCheckpoint(const CheckpointReport& report, Output& out)
      : values_(report.options.values), out_(out) {}

  void Begin() override {
    out_.Write(values_ ? "| name | dtype | shape | bytes | min | max | mean | nan | inf |\n"
                         "|---|---|---|---:|---:|---:|---:|---:|---:|\n"
                       : "| name | dtype | shape | bytes |\n|---|---|---|---:|\n");
  }
  void Add(const CheckpointRow& row) override {
    out_.Write("| ");
    MarkdownCell(Valid(row.tensor.name), out_);
    if (!row.error.empty()) {
      out_.Write(" (cannot be read: ");
      MarkdownCell(Valid(row.error), out_);
      out_.Write(")");
    }
    out_.Format(" | {} | {} | {} |", DataTypeName(row.tensor.dtype), Dims(row.tensor),
                row.tensor.bytes ? fmt::format("{}", *row.tensor.bytes) : "n/a");
    if (values_ && row.values) {
      const TensorStatistics& s = row.values->statistics;
      out_.Format(" {} | {} | {} | {} | {} |", Optional(s.min), Optional(s.max),
                  s.mean ? fmt::format("{:.6g}", *s.mean) : "", s.nan, s.inf + s.minus_inf);
    } else if (values_) {
      out_.Write(" | | | | |");
    }
    out_.Put('\n');
  }
  void End() override {}

 private:
  bool values_;
  Output& out_;
};

std::unique_ptr<CheckpointFormat> MakeFormat(const CheckpointReport& report, Output& out) {
  switch (report.options.format) {
    case Format::kJson:
      return MakeCheckpointJson(report, out);
    case Format::kCsv:
      return std::make_unique<CsvCheckpoint>(report, out);
    case Format::kMarkdown:
      return std::make_unique<MarkdownCheckpoint>(report, out);
    case Format::kHtml:
      return MakeCheckpointHtml(report, out);
    default:
      return MakeCheckpointText(report, out);
  }
}

// JSON lists the first elements, text shows the corners, the tables none.
std::vector<ValueRange> Wanted(const CheckpointReport& report, const CheckpointTensor& tensor) {
  const int64_t most = report.options.max_values;
  if (report.options.format == Format::kJson) return {{0, most > 0 ? most : tensor.elements}};
  if (report.options.format == Format::kText) return RangesToPrint(tensor, most);
  return {};
}

}  // namespace

void CheckpointTotals::Add(const CheckpointRow& row) {
  bool saturated = false;
  ++tensors;
  elements = SaturatingAdd(elements, row.tensor.elements, &saturated);
  bytes = SaturatingAdd(bytes, row.tensor.bytes.value_or(0), &saturated);
  bytes_known &= row.tensor.bytes.has_value();
}

std::vector<std::string> WriteCheckpoint(const CheckpointReport& report,
                                         const std::function<void(std::string_view)>& sink) {
  Output out(sink);
  const Checkpoint& checkpoint = *report.checkpoint;
  std::vector<std::string> failed = checkpoint.problems();
  const std::unique_ptr<CheckpointFormat> format = MakeFormat(report, out);
  format->Begin();
  for (size_t index : report.shown) {
    CheckpointRow row{checkpoint.tensors()[index], nullptr, {}};
    std::optional<TensorValues> values;
    if (report.options.values) {
      const std::vector<ValueRange> wanted = Wanted(report, row.tensor);
      if (Result<TensorValues> read = checkpoint.Read(index, wanted); read) {
        values = std::move(*read);
        row.values = &*values;
      } else {
        row.error = read.error().message;
      }
    } else if (Status s = checkpoint.Check(index); !s) {
      row.error = s.error().message;
    }
    if (!row.error.empty()) failed.push_back(row.error);
    format->Add(row);
  }
  format->End();
  return failed;
}

}  // namespace tfprof
