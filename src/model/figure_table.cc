#include "base/checked.h"
#include "model/add_figures.h"
#include "tfprof/figures.h"

namespace tfprof {

ColumnSet FigureTable::AllFigures() {
  ColumnSet all;
  for (size_t i = 0; i < kFigureCount; ++i) all.Add(static_cast<ColumnId>(i));
  return all;
}

FigureTable::FigureTable(ColumnSet kept, bool fractions) : kept_(kept), fractions_(fractions) {
  place_.fill(kNotKept);
  for (size_t i = 0; i < kFigureCount; ++i) {
    if (!kept.Has(static_cast<ColumnId>(i))) continue;
    figure_[stride_] = static_cast<ColumnId>(i);
    place_[i] = static_cast<uint8_t>(stride_++);
  }
}

size_t FigureTable::bytes() const {
  return values_.capacity() * sizeof(int64_t) + rests_.capacity() * sizeof(int32_t) +
         known_.capacity() * sizeof(Known);
}

void FigureTable::Reserve(size_t rows) {
  values_.reserve(rows * stride_);
  known_.reserve(rows);
  if (fractions_) rests_.reserve(rows * kTimeCount);
}

void FigureTable::Resize(size_t rows) {
  values_.resize(rows * stride_);
  known_.resize(rows);
  if (fractions_) rests_.resize(rows * kTimeCount);
}

uint32_t FigureTable::Add(const Figures& figures) {
  Resize(size() + 1);
  Set(size() - 1, figures);
  return static_cast<uint32_t>(size() - 1);
}

void FigureTable::Set(size_t row, const Figures& figures) {
  for (size_t i = 0; i < stride_; ++i) values_[row * stride_ + i] = figures[figure_[i]];
  SetKnown(row, figures.known);
  if (!fractions_) return;
  for (size_t i = 0; i < kTimeCount; ++i) rests_[row * kTimeCount + i] = figures.rest_picos[i];
}

Figures FigureTable::operator[](size_t row) const {
  Figures out;
  for (size_t i = 0; i < stride_; ++i) {
    out[figure_[i]] = values_[row * stride_ + i];
    if (Knows(row, figure_[i])) out.known.Add(figure_[i]);
  }
  if (!fractions_) return out;
  for (size_t i = 0; i < kTimeCount; ++i) out.rest_picos[i] = rests_[row * kTimeCount + i];
  return out;
}

void FigureTable::AddRow(size_t from, size_t to, bool* saturated) {
  const int64_t* b = &values_[from * stride_];
  int64_t* a = &values_[to * stride_];
  for (size_t i = 0; i < stride_; ++i) a[i] = SaturatingAdd(a[i], b[i], saturated);
  known_[to] |= known_[from];
  if (!fractions_) return;
  for (size_t i = 0; i < kTimeCount; ++i) {
    const uint8_t place = place_[IndexOf(ColumnId::kMicros) + i];
    int32_t& rest = rests_[to * kTimeCount + i];
    const int32_t more = rests_[from * kTimeCount + i];
    if (place != kNotKept && (rest | more) != 0) AddRest(more, &rest, &a[place], saturated);
  }
}

}  // namespace tfprof
