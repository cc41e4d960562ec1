// The figures that every view counts, as one array: summing, filtering and sorting are loops, not thirteen
// copies. Which figures there are is in columns.h.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "tfprof/big_vector.h"
#include "tfprof/columns.h"

namespace tfprof {

// Figures of one row, by ColumnId. A figure that is not `known` was not recorded; its value is then 0.
struct Figures {
  std::array<int64_t, kFigureCount> value{};
  // Times are whole microseconds, and what is beyond them in picoseconds: captures record it, run metadata
  // does not.
  std::array<int32_t, kTimeCount> rest_picos{};
  ColumnSet known;

  int64_t operator[](ColumnId figure) const { return value[IndexOf(figure)]; }
  int64_t& operator[](ColumnId figure) { return value[IndexOf(figure)]; }
  bool Knows(ColumnId figure) const { return known.Has(figure); }
  // Of a time: 12.345 are 12345 nanoseconds, rounded.
  int64_t Nanos(ColumnId time) const;
  int32_t& Rest(ColumnId time) { return rest_picos[IndexOf(time) - IndexOf(ColumnId::kMicros)]; }
  int32_t Rest(ColumnId time) const { return rest_picos[IndexOf(time) - IndexOf(ColumnId::kMicros)]; }
  void Set(ColumnId figure, int64_t v) {
    (*this)[figure] = v;
    known.Add(figure);
  }
};

// The figures of many rows, of which not all need to be kept: a million rows of all thirteen are 100 MB,
// mostly zeros. One that is not kept is 0 and not known.
class FigureTable {
 public:
  FigureTable() : FigureTable(AllFigures(), true) {}
  // `fractions`: times have what is beyond whole microseconds.
  FigureTable(ColumnSet kept, bool fractions);

  static ColumnSet AllFigures();

  size_t size() const { return known_.size(); }
  size_t bytes() const;  // of memory
  void Reserve(size_t rows);
  void Resize(size_t rows);
  uint32_t Add(const Figures& figures = {});  // at the end; gives its row
  void Set(size_t row, const Figures& figures);
  void SetKnown(size_t row, ColumnSet known) {
    known_[row] = static_cast<Known>(known.bits() & kept_.bits());
  }

  Figures operator[](size_t row) const;
  int64_t Value(size_t row, ColumnId figure) const {
    const uint8_t place = place_[IndexOf(figure)];
    return place == kNotKept ? 0 : values_[row * stride_ + place];
  }
  int32_t Rest(size_t row, ColumnId time) const {
    return rests_.empty() ? 0 : rests_[row * kTimeCount + IndexOf(time) - IndexOf(ColumnId::kMicros)];
  }
  [[gnu::always_inline]] void Prefetch(size_t row) const {
    __builtin_prefetch(values_.data() + row * stride_);
    __builtin_prefetch(values_.data() + row * stride_ + stride_ - 1);
    __builtin_prefetch(known_.data() + row);
  }
  bool Knows(size_t row, ColumnId figure) const { return (known_[row] >> IndexOf(figure)) & 1; }

  // Adds one row to another, figure by figure; what either knows is known then.
  void AddRow(size_t from, size_t to, bool* saturated);

 private:
  using Known = uint16_t;
  static_assert(kFigureCount <= 16);
  static constexpr uint8_t kNotKept = 0xFF;

  ColumnSet kept_;
  bool fractions_;
  size_t stride_ = 0;
  std::array<uint8_t, kFigureCount> place_{};    // in a row's values
  std::array<ColumnId, kFigureCount> figure_{};  // the other way round
  BigVector<int64_t> values_;
  BigVector<int32_t> rests_;  // of captures alone
  BigVector<Known> known_;
};

}  // namespace tfprof
