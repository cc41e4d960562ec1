#include "graph/attributes.h"

#include <charconv>
#include <cstring>

#include "proto/attr_value.h"

namespace tfprof {
namespace {

using namespace attr_value;  // NOLINT: the numbers of its members

constexpr uint32_t kNameAttrListAttr = 2;
constexpr int kMaxBindings = 64;

int64_t ParseNumber(std::string_view text, int64_t fallback) {
  int64_t value = fallback;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

template <class Use>
void ForEachInList(std::string_view attr_value, uint32_t number, Use&& use) {
  FieldWalker walker(LastBytes(attr_value, kList));
  Field field;
  while (walker.Next(&field)) {
    if (field.number == number) use(field);
  }
}

}  // namespace

std::string_view NameOfFunction(std::string_view name_attr_list) { return LastBytes(name_attr_list, 1); }

Shape ParseShape(std::string_view shape_proto) {
  constexpr size_t kMostDimensions = 254;  // TensorFlow's own limit
  std::vector<int64_t> dims;
  bool known = false;
  const bool whole = Survives([&] {
    const ShapeDims shape(shape_proto);
    known = !shape.unknown_rank() && shape.dims().size() <= kMostDimensions;
    if (known) dims.assign(shape.dims().begin(), shape.dims().end());
  });
  if (!whole || !known) return {};
  for (int64_t& dim : dims) dim = dim < 0 ? kUnknownDim : dim;
  return Shape(std::move(dims));
}

std::optional<std::string_view> Attributes::Find(std::string_view name) const {
  std::optional<std::string_view> value = FindAttr(node_def_, kNodeDefAttr, name);
  const AttrBinding* binding = binding_;
  for (int depth = 0; value && depth < kMaxBindings; ++depth) {
    const std::string_view placeholder = LastBytes(*value, kPlaceholder);
    if (placeholder.empty()) return value;
    if (!binding) return std::nullopt;
    value = FindAttr(binding->name_attr_list, kNameAttrListAttr, placeholder);
    if (!value) value = FindAttr(binding->caller, kNodeDefAttr, placeholder);
    binding = binding->outer;
  }
  return value;
}

int64_t Attributes::Int(std::string_view name, int64_t fallback) const {
  const std::optional<std::string_view> value = Find(name);
  if (!value) return ParseNumber(DefaultOf(facts_, name), fallback);
  for (const uint32_t member : {kInt, kBool, kType}) {
    if (const std::optional<Field> field = LastField(*value, member))
      return static_cast<int64_t>(field->value);
  }
  return fallback;
}

int32_t Attributes::Type(std::string_view name, int32_t fallback) const {
  return WithoutReference(static_cast<int32_t>(Int(name, fallback)));
}

std::string_view Attributes::Text(std::string_view name, std::string_view fallback) const {
  if (const std::optional<std::string_view> value = Find(name)) return LastBytes(*value, kText);
  const std::string_view text = DefaultOf(facts_, name);
  return text.size() >= 2 ? text.substr(1, text.size() - 2) : fallback;
}

std::vector<int64_t> Attributes::Ints(std::string_view name) const {
  std::vector<int64_t> out;
  const auto add = [&](uint64_t v) { out.push_back(static_cast<int64_t>(v)); };
  if (const std::optional<std::string_view> value = Find(name)) {
    ForEachInList(*value, kListInt, [&](const Field& f) { ForEachVarint(f, add); });
    if (out.empty()) ForEachInList(*value, kListType, [&](const Field& f) { ForEachVarint(f, add); });
    return out;
  }
  std::string_view text = DefaultOf(facts_, name);
  if (text.size() < 3) return out;
  text = text.substr(1, text.size() - 2);
  while (!text.empty()) {
    out.push_back(ParseNumber(text, 0));
    const size_t comma = text.find(',');
    text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
  }
  return out;
}

std::vector<double> Attributes::Floats(std::string_view name) const {
  std::vector<double> out;
  const std::optional<std::string_view> value = Find(name);
  if (!value) return out;
  ForEachInList(*value, kListFloat, [&](const Field& f) {
    const auto one = static_cast<uint32_t>(f.value);
    const std::string_view bytes =
        f.is_bytes() ? f.bytes : std::string_view(reinterpret_cast<const char*>(&one), sizeof(one));
    for (size_t at = 0; at + sizeof(float) <= bytes.size(); at += sizeof(float)) {
      float number;
      std::memcpy(&number, bytes.data() + at, sizeof(number));
      out.push_back(number);
    }
  });
  return out;
}

bool Attributes::HasText(std::string_view name, std::string_view text) const {
  bool found = false;
  if (const std::optional<std::string_view> value = Find(name)) {
    ForEachInList(*value, kListText, [&](const Field& f) { found = found || f.bytes == text; });
  }
  return found;
}

std::optional<Shape> Attributes::ShapeOf(std::string_view name) const {
  const std::optional<std::string_view> value = Find(name);
  if (!value) return std::nullopt;
  const std::optional<Field> field = LastField(*value, kShape);
  return field && field->is_bytes() ? std::optional(ParseShape(field->bytes)) : std::nullopt;
}

std::vector<Shape> Attributes::Shapes(std::string_view name) const {
  std::vector<Shape> out;
  if (const std::optional<std::string_view> value = Find(name)) {
    ForEachInList(*value, kListShape, [&](const Field& f) { out.push_back(ParseShape(f.bytes)); });
  }
  return out;
}

std::string_view Attributes::Tensor(std::string_view name) const {
  const std::optional<std::string_view> value = Find(name);
  return value ? LastBytes(*value, kTensor) : std::string_view();
}

std::string_view Attributes::Function(std::string_view name) const {
  const std::optional<std::string_view> value = Find(name);
  return value ? LastBytes(*value, kFunc) : std::string_view();
}

std::vector<std::string_view> Attributes::Functions(std::string_view name) const {
  std::vector<std::string_view> out;
  if (const std::optional<std::string_view> value = Find(name)) {
    ForEachInList(*value, kListFunc, [&](const Field& f) { out.push_back(f.bytes); });
  }
  return out;
}

size_t Attributes::ListSize(std::string_view name) const {
  size_t count = 0;
  const std::optional<std::string_view> value = Find(name);
  if (!value) return Ints(name).size();
  for (const uint32_t member : {kListText, kListInt, kListType, kListShape, kListFunc}) {
    ForEachInList(*value, member, [&](const Field& f) {
      if (f.is_bytes() && (member == kListInt || member == kListType)) {
        ForEachVarint(f, [&](uint64_t) { ++count; });
      } else {
        ++count;
      }
    });
  }
  return count;
}

}  // namespace tfprof
