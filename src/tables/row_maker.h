// Makes rows: values are added in the order of the table's fields, and Done() hands them to the sink.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "base/text.h"
#include "tfprof/figures.h"
#include "tfprof/tables.h"

namespace tfprof {

class RowMaker {
 public:
  explicit RowMaker(TableSink& sink) : sink_(sink) {}

  RowMaker& Begin(TableId table) {
    table_ = table;
    values_.clear();
    owned_.clear();
    return *this;
  }
  RowMaker& Null() {
    values_.emplace_back();
    return *this;
  }
  RowMaker& Int(int64_t value) {
    values_.push_back({TableValue::Kind::kInteger, value, 0, {}});
    return *this;
  }
  RowMaker& Int(size_t value) { return Int(static_cast<int64_t>(value)); }
  RowMaker& Int(bool value) { return Int(int64_t{value}); }
  RowMaker& Int(std::optional<int64_t> value) { return value ? Int(*value) : Null(); }
  RowMaker& Real(double value) {
    values_.push_back({TableValue::Kind::kReal, 0, value, {}});
    return *this;
  }
  // Made safe to show.
  RowMaker& Text(std::string_view text) { return Plain(IsPlain(text) ? text : Keep(Escaped(text))); }
  RowMaker& TextOrNull(std::string_view text) { return text.empty() ? Null() : Text(text); }
  // Several lines of ours.
  RowMaker& Lines(std::string_view text) { return text.empty() ? Null() : Plain(Keep(EscapedLines(text))); }
  // Composed by us of what is safe.
  RowMaker& Plain(std::string_view text) {
    values_.push_back({TableValue::Kind::kText, 0, 0, text});
    return *this;
  }
  // Lives until the next row.
  std::string_view Keep(std::string text) { return owned_.emplace_back(std::move(text)); }

  RowMaker& Figure(const Figures& figures, ColumnId id) {
    return figures.Knows(id) ? Int(figures[id]) : Null();
  }

  Status Done() { return sink_.Row(table_, values_); }

 private:
  TableSink& sink_;
  TableId table_ = TableId::kRuns;
  std::vector<TableValue> values_;
  std::deque<std::string> owned_;  // does not move what it holds
};

}  // namespace tfprof
