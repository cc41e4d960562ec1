#include "report/print_tensor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/checked.h"
#include "base/text.h"

namespace tfprof {
namespace {

constexpr int64_t kEdge = 3;                // elements at each end of a dimension
constexpr int64_t kMostInSummary = 10'000;  // a summary of many dimensions can still be long
constexpr size_t kLineWidth = 100, kStringWidth = 60;

// Which coordinates of one dimension are printed: all, or `edge` at each end.
struct Axis {
  int64_t size = 0, edge = 0;
  bool HasGap() const { return edge > 0 && size > 2 * edge; }
  int64_t Printed() const { return HasGap() ? 2 * edge : size; }
  int64_t At(int64_t i) const { return HasGap() && i >= edge ? size - 2 * edge + i : i; }
  bool GapBefore(int64_t i) const { return HasGap() && i == edge; }
};

struct Plan {
  std::vector<Axis> axes;
  int64_t printed = 1;
};

Plan MakePlan(const CheckpointTensor& tensor, int64_t most) {
  const bool whole = most <= 0 || tensor.elements <= most;
  Plan plan;
  bool saturated = false;
  for (const int64_t edge : {kEdge, int64_t{1}}) {
    plan = {};
    for (const int64_t dim : tensor.shape) {
      plan.axes.push_back({dim, whole ? 0 : edge});
      // Shapes without elements may have sizes of any product.
      plan.printed = SaturatingMul(plan.printed, plan.axes.back().Printed(), &saturated);
    }
    if (whole || plan.printed <= kMostInSummary) break;
  }
  if (!whole) plan.printed = std::min(plan.printed, kMostInSummary);
  return plan;
}

// Goes through the rows (all dimensions but the last) that are printed.
class RowCursor {
 public:
  explicit RowCursor(const Plan& plan)
      : plan_(plan), position_(plan.axes.empty() ? 0 : plan.axes.size() - 1) {}

  // To the next row; the dimension that was stepped in, or nothing at the end.
  std::optional<size_t> Next() {
    for (size_t d = position_.size(); d-- > 0;) {
      if (++position_[d] < plan_.axes[d].Printed()) return d;
      position_[d] = 0;
    }
    return std::nullopt;
  }
  bool AfterGap(size_t dimension) const { return plan_.axes[dimension].GapBefore(position_[dimension]); }
  int64_t FirstElement() const {
    int64_t index = 0;
    for (size_t d = 0; d < plan_.axes.size(); ++d) {
      index = index * plan_.axes[d].size + (d < position_.size() ? plan_.axes[d].At(position_[d]) : 0);
    }
    return index;
  }

 private:
  const Plan& plan_;
  std::vector<int64_t> position_;
};

std::string ShortReal(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  return fmt::format("{:.8g}", value);
}

std::string StringElementText(std::string_view element) {
  std::string out = fmt::format("'{}'", Printable(element, kStringWidth));
  if (element.size() > kStringWidth) out += fmt::format(" ({} bytes)", element.size());
  return out;
}

std::vector<std::string> Texts(const TensorValues& values) {
  std::vector<std::string> out;
  if (values.dtype == kTypeString) {
    for (const std::string& text : values.strings) out.push_back(StringElementText(text));
    return out;
  }
  for (size_t i = 0; i < values.kept; ++i) {
    out.push_back(ShortElementText(values.At(i)));
  }
  size_t width = 0;
  for (const std::string& text : out) width = std::max(width, text.size());
  for (std::string& text : out) text.insert(0, width - text.size(), ' ');
  return out;
}

// One row, broken into lines; `next` counts through `texts`.
void PrintRow(const Axis& axis, const std::vector<std::string>& texts, size_t indent, size_t* next,
              std::string* out) {
  size_t line = indent;
  for (int64_t i = 0; i < axis.Printed() && *next < texts.size(); ++i) {
    std::string text = texts[(*next)++];
    if (axis.GapBefore(i)) text.insert(0, "... ");
    if (i > 0 && line + 1 + text.size() > kLineWidth) {
      *out += "\n" + std::string(indent, ' ');
      line = indent;
    } else if (i > 0) {
      out->push_back(' ');
      ++line;
    }
    *out += text;
    line += text.size();
  }
}

}  // namespace

std::string ElementText(const Element& element) {
  switch (element.kind) {
    case ElementKind::kUnsigned:
      return fmt::format("{}", static_cast<uint64_t>(element.integer));
    case ElementKind::kSigned:
      return fmt::format("{}", element.integer);
    case ElementKind::kBool:
      return element.integer ? "True" : "False";
    case ElementKind::kComplex: {
      const std::string imaginary = ShortReal(element.imaginary);
      return fmt::format("{}{}{}j", ShortReal(element.real), imaginary[0] == '-' ? "" : "+", imaginary);
    }
    default:
      return fmt::format("{}", element.real);
  }
}

std::string ShortElementText(const Element& element) {
  return element.kind == ElementKind::kReal ? ShortReal(element.real) : ElementText(element);
}

std::vector<ValueRange> RangesToPrint(const CheckpointTensor& tensor, int64_t most) {
  const Plan plan = MakePlan(tensor, most);
  if (most <= 0 || tensor.elements <= most) return {{0, tensor.elements}};
  std::vector<ValueRange> out;
  int64_t left = plan.printed;
  RowCursor row(plan);
  const Axis& last = plan.axes.back();
  const auto add = [&](int64_t begin, int64_t count) {
    count = std::min(count, left);
    if (count > 0) out.push_back({begin, begin + count});
    left -= count;
  };
  do {
    const int64_t first = row.FirstElement();
    add(first, last.HasGap() ? last.edge : last.size);
    if (last.HasGap()) add(first + last.size - last.edge, last.edge);
  } while (left > 0 && row.Next());
  return out;
}

std::string PrintTensor(const CheckpointTensor& tensor, const TensorValues& values, int64_t most) {
  const std::vector<std::string> texts = Texts(values);
  if (tensor.elements == 0) return "[]";
  if (tensor.shape.empty()) return texts.empty() ? "" : texts[0];
  const Plan plan = MakePlan(tensor, most);
  const size_t rank = plan.axes.size();
  std::string out(rank, '[');
  RowCursor row(plan);
  size_t next = 0;
  for (;;) {
    PrintRow(plan.axes.back(), texts, rank, &next, &out);
    const std::optional<size_t> stepped = row.Next();
    if (!stepped) break;
    const size_t closed = rank - 1 - *stepped;
    out += std::string(closed, ']') + std::string(closed, '\n') + std::string(*stepped + 1, ' ');
    if (next >= texts.size()) return out + "... and more dimensions";
    if (row.AfterGap(*stepped)) out += "..." + std::string(closed, '\n') + std::string(*stepped + 1, ' ');
    out += std::string(closed, '[');
  }
  return out + std::string(rank, ']');
}

}  // namespace tfprof
