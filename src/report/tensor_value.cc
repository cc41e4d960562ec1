#include "report/tensor_value.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <vector>

#include "base/text.h"

namespace tfprof {
namespace {

constexpr size_t kMostCharacters = 10'000;
constexpr int64_t kMostValues = kMostCharacters / 2;  // each takes two characters at least

Result<TensorValues> ReadFirst(const Report& report, const Row& row, int64_t count, Problems& problems) {
  const ValueRange first[] = {{0, count}};
  Result<TensorValues> values = report.checkpoint->Read(report.MoreOf(row).tensor, first);
  if (!values) problems.push_back(values.error().message);
  return values;
}

std::string ValueText(const TensorValues& values, size_t index) {
  if (values.dtype == kTypeString) {
    return fmt::format("'{}' ", Printable(values.strings[index], kMostCharacters));
  }
  const Element element = values.At(index);
  switch (element.kind) {
    case ElementKind::kReal:
      return fmt::format("{:.2f} ", element.real);
    case ElementKind::kComplex:
      return fmt::format("{:.2f}{:+.2f}j ", element.real, element.imaginary);
    case ElementKind::kUnsigned:
      return fmt::format("{} ", static_cast<uint64_t>(element.integer));
    default:
      return fmt::format("{} ", element.integer);
  }
}

// A scalar is a vector of one, as its shape is in the views.
std::string Nested(const CheckpointTensor& tensor, const TensorValues& values) {
  std::vector<int64_t> shape = tensor.shape;
  if (shape.empty()) shape = {1};
  if (values.elements == 0) return "[],\n";
  std::string out(shape.size(), '[');
  std::vector<int64_t> position(shape.size());
  for (size_t i = 0; i < values.kept && out.size() <= kMostCharacters; ++i) {
    out += ValueText(values, i);
    size_t closed = 0;
    for (size_t d = shape.size(); d-- > 0;) {
      if (++position[d] < shape[d]) break;
      position[d] = 0;
      ++closed;
    }
    for (size_t c = 0; c < closed; ++c) out += "],\n";
    if (closed < shape.size()) out += std::string(closed, '[');
  }
  if (out.size() <= kMostCharacters) return out;
  size_t cut = kMostCharacters;
  while (cut > 0 && (static_cast<unsigned char>(out[cut]) & 0xC0) == 0x80) --cut;  // not inside a character
  out.resize(cut);
  return out + fmt::format("...\n(cut after {} characters; -format json has all {} values)\n",
                           kMostCharacters, values.elements);
}

// "DT_FLOAT"
std::string EnumName(int32_t dtype) {
  if (dtype == kTypeFloat) return "DT_FLOAT";
  if (dtype == kTypeDouble) return "DT_DOUBLE";
  if (dtype == 19) return "DT_HALF";
  std::string name = "DT_" + DataTypeName(dtype);
  for (char& c : name) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return name;
}

const char* FieldOf(int32_t dtype) {
  const ElementKind kind = KindOfElements(dtype);
  return kind == ElementKind::kString    ? "value_str"
         : kind == ElementKind::kReal    ? "value_double"
         : kind == ElementKind::kComplex ? "value_complex"
                                         : "value_int64";
}

Cell ValueCell(const TensorValues& values, size_t index) {
  if (values.dtype == kTypeString) return cell::Text(std::string(values.strings[index]));
  const Element element = values.At(index);
  return element.kind == ElementKind::kBool ? cell::Plain(element.integer) : ElementCell(element);
}

}  // namespace

std::string TensorValueText(const Report& report, const Row& row, Problems& problems) {
  Result<TensorValues> values = ReadFirst(report, row, kMostValues, problems);
  if (!values)
    return fmt::format("(cannot be read: {})\n", Printable(values.error().message, kMostCharacters));
  return Nested(report.checkpoint->tensors()[report.MoreOf(row).tensor], *values);
}

std::string TensorValueLine(const Report& report, const Row& row, Problems& problems) {
  std::string text = TensorValueText(report, row, problems);
  while (!text.empty() && text.back() == '\n') text.pop_back();
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

Cell TensorValueCell(const Report& report, const Row& row, Problems& problems) {
  const CheckpointTensor& tensor = report.checkpoint->tensors()[report.MoreOf(row).tensor];
  Cell::Fields fields = {{"dtype", cell::Text(EnumName(tensor.dtype))}};
  if (Result<TensorValues> read = ReadFirst(report, row, tensor.elements, problems); read) {
    const auto values = std::make_shared<const TensorValues>(std::move(*read));
    fields.emplace_back(FieldOf(tensor.dtype),
                        cell::List(values->kept, [values](size_t i) { return ValueCell(*values, i); }));
  } else {
    fields.emplace_back("error", cell::Text(std::string(read.error().message)));
  }
  return cell::Object(std::move(fields));
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

}  // namespace tfprof
