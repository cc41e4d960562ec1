#include <fmt/ranges.h>

#include <map>
#include <optional>

#include "export/checkpoint_formats.h"
#include "export/html_page.h"

namespace tfprof {
namespace {

constexpr HtmlAlign kRight = HtmlAlign::kRight;

std::string Optional(const std::optional<Element>& element) { return element ? ElementText(*element) : ""; }

class HtmlCheckpoint final : public CheckpointFormat {
 public:
  HtmlCheckpoint(const CheckpointReport& report, Output& out)
      : values_(report.options.values), report_(report), out_(out) {}

  void Begin() override {
    page_.emplace("Checkpoint", out_);
    page_->Inputs(report_.checkpoint->files());
    page_->Warnings(report_.checkpoint->problems());
    std::vector<HtmlColumn> columns = {{"name"},  {"variable"},         {"type"},
                                       {"shape"}, {"elements", kRight}, {"bytes", kRight}};
    if (values_) {
      for (const char* title : {"min", "max", "mean", "NaN", "Inf"}) columns.push_back({title, kRight});
    }
    columns.push_back({"error"});
    table_.emplace(out_, columns);
  }
  void Add(const CheckpointRow& row) override {
    table_->Row()
        .Code(row.tensor.name)
        .Code(row.tensor.full_name)
        .Text(DataTypeName(row.tensor.dtype))
        .Text(fmt::format("{}", fmt::join(row.tensor.shape, "x")))
        .Number(HtmlUnit::kCount, row.tensor.elements)
        .Number(HtmlUnit::kBytes, row.tensor.bytes);
    if (values_) Values(row.values);
    table_->Text(row.error);
    totals_[DataTypeName(row.tensor.dtype)].Add(row);
  }
  void End() override {
    table_.reset();
    page_->Section("By type", [&] {
      HtmlTable table(out_, {{"type"}, {"tensors", kRight}, {"elements", kRight}, {"bytes", kRight}});
      for (const auto& [type, t] : totals_) {
        table.Row()
            .Text(type)
            .Number(HtmlUnit::kCount, t.tensors)
            .Number(HtmlUnit::kCount, t.elements)
            .Number(HtmlUnit::kBytes, t.bytes_known ? std::optional(t.bytes) : std::nullopt);
      }
    });
    page_.reset();
  }

 private:
  void Values(const TensorValues* values) {
    if (!values) {
      for (int i = 0; i < 5; ++i) table_->Text("");
      return;
    }
    const TensorStatistics& s = values->statistics;
    table_->Text(Optional(s.min)).Text(Optional(s.max)).Text(s.mean ? fmt::format("{}", *s.mean) : "");
    table_->Number(HtmlUnit::kCount, s.nan).Number(HtmlUnit::kCount, s.inf + s.minus_inf);
  }

  bool values_;
  const CheckpointReport& report_;
  Output& out_;
  std::optional<HtmlPage> page_;
  std::optional<HtmlTable> table_;
  std::map<std::string, CheckpointTotals> totals_;
};

}  // namespace

std::unique_ptr<CheckpointFormat> MakeCheckpointHtml(const CheckpointReport& report, Output& out) {
  return std::make_unique<HtmlCheckpoint>(report, out);
}

}  // namespace tfprof
