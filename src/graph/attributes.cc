#include "graph/attributes.h"

#include <charconv>
#include <cstring>

#include "base/field_walker.h"

namespace tfprof {
namespace {

constexpr uint32_t kNodeDefAttr = 5, kNameAttrListAttr = 2;
constexpr uint32_t kList = 1, kText = 2, kInt = 3, kBool = 5, kType = 6, kShape = 7, kTensor = 8,
                   kPlaceholder = 9, kFunc = 10;
constexpr uint32_t kListText = 2, kListInt = 3, kListFloat = 4, kListType = 6, kListShape = 7, kListFunc = 9;
constexpr int kMaxBindings = 64;

// The value of `name` in the map field `number` of a message.
std::optional<std::string_view> FindEntry(std::string_view message, uint32_t number, std::string_view name) {
  FieldWalker walker(message);
  Field field;
  std::optional<std::string_view> found;
  while (walker.Next(&field)) {
    if (field.number != number || !field.is_bytes()) continue;
    FieldWalker entry(field.bytes);
    Field part;
    std::string_view key, value;
    while (entry.Next(&part)) {
      if (part.number == 1) key = part.bytes;
      if (part.number == 2) value = part.bytes;
    }
    if (key == name) found = value;
  }
  return found;
}

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
  FieldWalker walker(shape_proto);
  Field field;
  std::vector<int64_t> dims;
  while (walker.Next(&field)) {
    if (field.number == 3 && field.value != 0) return {};
    if (field.number != 2 || !field.is_bytes()) continue;
    const std::optional<Field> size = LastField(field.bytes, 1);
    const int64_t dim = size ? static_cast<int64_t>(size->value) : 0;
    dims.push_back(dim < 0 ? kUnknownDim : dim);
    if (dims.size() > 254) return {};  // TensorFlow's own limit
  }
  return walker.damaged() ? Shape() : Shape(std::move(dims));
}

std::optional<std::string_view> Attributes::Find(std::string_view name) const {
  std::optional<std::string_view> value = FindEntry(node_def_, kNodeDefAttr, name);
  const AttrBinding* binding = binding_;
  for (int depth = 0; value && depth < kMaxBindings; ++depth) {
    const std::string_view placeholder = LastBytes(*value, kPlaceholder);
    if (placeholder.empty()) return value;
    if (!binding) return std::nullopt;
    value = FindEntry(binding->name_attr_list, kNameAttrListAttr, placeholder);
    if (!value) value = FindEntry(binding->caller, kNodeDefAttr, placeholder);
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
  const auto type = static_cast<int32_t>(Int(name, fallback));
  return type > 100 ? type - 100 : type;
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
