#include "infer/value.h"

#include <algorithm>
#include <cmath>

#include "graph/attributes.h"
#include "proto/tensor_proto.h"
#include "tfprof/tensor.h"

namespace tfprof {
namespace {

// The first `count` elements of little-endian bytes.
void AddElements(int32_t type, std::string_view bytes, size_t count, Value* out) {
  for (size_t i = 0; i < count; ++i) {
    const Element element = ElementAt(type, bytes, i);
    if (out->floating()) {
      out->AddFloat(element.real);
    } else {
      out->AddInt(element.integer);
    }
  }
}

}  // namespace

bool IsFloatingType(int32_t type) { return KindOfElements(type) == ElementKind::kReal; }

bool IsIntegerType(int32_t type) {
  const ElementKind kind = KindOfElements(type);
  return kind == ElementKind::kSigned || kind == ElementKind::kUnsigned || kind == ElementKind::kBool;
}

int64_t Value::Int(size_t i) const {
  if (!floating_) return elements_[i];
  const double v = Float(i);
  if (std::isnan(v)) return 0;
  return static_cast<int64_t>(std::clamp(v, -9.2e18, 9.2e18));
}

Shape ShapeOfValue(const Value& value) {
  std::vector<int64_t> dims;
  for (size_t i = 0; i < value.size(); ++i) {
    dims.push_back(value.Known(i) && value.Int(i) >= 0 ? value.Int(i) : kUnknownDim);
  }
  return dims.size() > 254 ? Shape() : Shape(std::move(dims));
}

std::optional<Value> ValueOfShape(const Shape& shape) {
  if (!shape.known()) return std::nullopt;
  std::vector<int64_t> elements = shape.dims();
  for (int64_t& e : elements) e = e < 0 ? Value::kUnknown : e;
  return Value::Integers(std::move(elements));
}

std::optional<Value> Join(const Value& a, const Value& b) {
  if (a.floating() != b.floating() || a.size() != b.size()) return std::nullopt;
  Value out = a;
  bool any = a.size() == 0;
  for (size_t i = 0; i < a.size(); ++i) {
    if (a.raw()[i] != b.raw()[i]) out.Forget(i);
    any |= out.Known(i);
  }
  return any ? std::optional(std::move(out)) : std::nullopt;
}

Constant ParseTensor(std::string_view tensor_proto) {
  Constant out;
  out.shape = Shape::Scalar();
  TensorHead head;
  if (!Survives([&] { head = ReadTensorHead(tensor_proto); })) return {};
  out.type = head.dtype;
  if (head.has_shape) out.shape = ParseShape(head.shape);
  const std::optional<int64_t> elements = out.shape.Elements();
  if (!elements || *elements > static_cast<int64_t>(kMaxValueElements)) return out;
  if (!IsFloatingType(out.type) && !IsIntegerType(out.type)) return out;
  const auto size = static_cast<size_t>(*elements);
  Value value(IsFloatingType(out.type));
  std::string numbers;
  if (!Survives([&] { ReadTensorValues(tensor_proto, out.type, size, &numbers, nullptr); })) return out;
  if (!head.content.empty() && head.content.size() != size * DataTypeBytes(out.type)) return out;
  AddElements(out.type, numbers, std::min(size, numbers.size() / DataTypeBytes(out.type)), &value);
  // Fewer values than elements: the last one repeats; none: zeros.
  while (value.size() < size) {
    if (value.size() > 0) {
      value.AddFrom(value, value.size() - 1);
    } else if (value.floating()) {
      value.AddFloat(0);
    } else {
      value.AddInt(0);
    }
  }
  out.value = std::move(value);
  return out;
}

}  // namespace tfprof
