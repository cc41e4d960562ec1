#include "import/checkpoint/collector.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "base/crc32c.h"

namespace tfprof {
namespace {

bool Less(const Element& a, const Element& b) {
  if (a.kind == ElementKind::kReal) return a.real < b.real;
  if (a.kind == ElementKind::kUnsigned) {
    return static_cast<uint64_t>(a.integer) < static_cast<uint64_t>(b.integer);
  }
  return a.integer < b.integer;
}

double AsDouble(const Element& element) {
  if (element.kind == ElementKind::kReal) return element.real;
  if (element.kind == ElementKind::kUnsigned)
    return static_cast<double>(static_cast<uint64_t>(element.integer));
  return static_cast<double>(element.integer);
}

}  // namespace

TensorCollector::TensorCollector(int32_t dtype, std::span<const ValueRange> keep)
    : keep_(keep), size_(DataTypeBytes(dtype)) {
  out_.dtype = dtype;
}

template <class Take>
void TensorCollector::Keep(int64_t elements, Take take) {
  const int64_t begin = out_.elements, end = begin + elements;
  while (!keep_.empty() && keep_[0].begin < end) {
    const int64_t first = std::max(keep_[0].begin, begin), last = std::min(keep_[0].end, end);
    if (first < last) {
      take(static_cast<size_t>(first - begin), static_cast<size_t>(last - first));
      out_.kept += static_cast<size_t>(last - first);
    }
    if (keep_[0].end > end) break;
    keep_ = keep_.subspan(1);
  }
}

void TensorCollector::CountElement(const Element& element) {
  TensorStatistics& s = out_.statistics;
  const double parts[] = {element.real, element.imaginary};
  if (std::isnan(parts[0]) || std::isnan(parts[1])) {
    ++s.nan;
  } else if (std::isinf(parts[0]) || std::isinf(parts[1])) {
    ++(element.kind == ElementKind::kReal && parts[0] < 0 ? s.minus_inf : s.inf);
  } else if (element.kind != ElementKind::kComplex) {
    sum_ += AsDouble(element);
    ++finite_;
    if (!s.min || Less(element, *s.min)) s.min = element;
    if (!s.max || Less(*s.max, element)) s.max = element;
  }
}

// The types that large tensors have, without a decision per element.
template <class Float>
void TensorCollector::CountFloats(std::string_view bytes, size_t elements) {
  TensorStatistics& s = out_.statistics;
  double low = HUGE_VAL, high = -HUGE_VAL;
  const int64_t before = finite_;
  for (size_t i = 0; i < elements; ++i) {
    Float value;
    std::memcpy(&value, bytes.data() + i * sizeof value, sizeof value);
    if (!std::isfinite(value)) [[unlikely]] {
      ++(std::isnan(value) ? s.nan : value < 0 ? s.minus_inf : s.inf);
      continue;
    }
    sum_ += static_cast<double>(value);
    ++finite_;
    low = std::min<double>(low, value);
    high = std::max<double>(high, value);
  }
  if (finite_ == before) return;
  if (!s.min || low < s.min->real) s.min = Element{ElementKind::kReal, 0, low};
  if (!s.max || high > s.max->real) s.max = Element{ElementKind::kReal, 0, high};
}

void TensorCollector::Count(std::string_view bytes, size_t elements) {
  if (out_.dtype == kTypeFloat) return CountFloats<float>(bytes, elements);
  if (out_.dtype == kTypeDouble) return CountFloats<double>(bytes, elements);
  for (size_t i = 0; i < elements; ++i) CountElement(ElementAt(out_.dtype, bytes, i));
}

void TensorCollector::Add(std::string_view bytes) {
  const size_t elements = bytes.size() / size_;
  out_.crc32c = ExtendCrc32c(out_.crc32c, bytes);
  Count(bytes, elements);
  Keep(static_cast<int64_t>(elements),
       [&](size_t first, size_t count) { out_.data.append(bytes.substr(first * size_, count * size_)); });
  out_.elements += static_cast<int64_t>(elements);
  out_.bytes += static_cast<int64_t>(bytes.size());
}

void TensorCollector::AddString(std::string_view element) {
  const uint64_t length = element.size();
  char prefix[sizeof length];
  std::memcpy(prefix, &length, sizeof length);
  out_.crc32c = ExtendCrc32c(ExtendCrc32c(out_.crc32c, {prefix, sizeof prefix}), element);
  Keep(1, [&](size_t, size_t) { out_.strings.emplace_back(element); });
  ++out_.elements;
  out_.bytes += static_cast<int64_t>(element.size());
}

TensorValues TensorCollector::Finish() {
  if (finite_ > 0) out_.statistics.mean = sum_ / static_cast<double>(finite_);
  return std::move(out_);
}

}  // namespace tfprof
