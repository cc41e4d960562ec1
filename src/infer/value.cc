#include "infer/value.h"

#include <algorithm>
#include <cmath>

#include "base/field_walker.h"
#include "graph/attributes.h"
#include "tfprof/tensor.h"

namespace tfprof {
namespace {

constexpr int32_t kHalf = 19, kBfloat16 = 14;

// One element of little-endian bytes.
void AddElement(int32_t type, std::string_view bytes, size_t index, Value* out) {
  const Element element = ElementAt(type, bytes, index);
  if (out->floating()) {
    out->AddFloat(element.real);
  } else {
    out->AddInt(element.integer);
  }
}

// The typed lists of a TensorProto: float_val, int_val, ...
void AddListed(const Field& field, int32_t type, Value* out) {
  const auto add_fixed = [&](size_t size) {
    const std::string_view one(reinterpret_cast<const char*>(&field.value), size);
    const std::string_view bytes = field.is_bytes() ? field.bytes : one;
    for (size_t i = 0; i < bytes.size() / size && out->size() <= kMaxValueElements; ++i)
      AddElement(type, bytes, i, out);
  };
  switch (field.number) {
    case 5:
      if (type == kTypeFloat) add_fixed(4);
      return;
    case 6:
      if (type == kTypeDouble) add_fixed(8);
      return;
    case 13:
      ForEachVarint(field, [&](uint64_t v) {
        const auto bits = static_cast<uint16_t>(v);
        const std::string_view bytes(reinterpret_cast<const char*>(&bits), sizeof(bits));
        if ((type == kHalf || type == kBfloat16) && out->size() <= kMaxValueElements)
          AddElement(type, bytes, 0, out);
      });
      return;
    case 7:
    case 10:
    case 11:
    case 16:
    case 17:
      ForEachVarint(field, [&](uint64_t v) {
        if (out->size() <= kMaxValueElements) out->AddInt(static_cast<int64_t>(v));
      });
      return;
    default:
      return;
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
  std::string_view content;
  out.shape = Shape::Scalar();
  FieldWalker types(tensor_proto);
  Field field;
  while (types.Next(&field)) {
    if (field.number == 1) out.type = static_cast<int32_t>(field.value);
    if (field.number == 2) out.shape = ParseShape(field.bytes);
    if (field.number == 4) content = field.bytes;
  }
  const std::optional<int64_t> elements = out.shape.Elements();
  if (!elements || *elements > static_cast<int64_t>(kMaxValueElements)) return out;
  if (!IsFloatingType(out.type) && !IsIntegerType(out.type)) return out;
  const auto size = static_cast<size_t>(*elements);
  Value value(IsFloatingType(out.type));
  if (!content.empty()) {
    if (content.size() != size * DataTypeBytes(out.type)) return out;
    for (size_t i = 0; i < size; ++i) AddElement(out.type, content, i, &value);
    out.value = std::move(value);
    return out;
  }
  FieldWalker lists(tensor_proto);
  while (lists.Next(&field)) AddListed(field, out.type, &value);
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
  Value exact(value.floating());
  for (size_t i = 0; i < size; ++i) exact.AddFrom(value, i);
  out.value = std::move(exact);
  return out;
}

}  // namespace tfprof
