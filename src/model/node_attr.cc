#include "model/node_attr.h"

#include "proto/attr_value.h"
#include "proto/tensor_proto.h"
#include "tfprof/tensor.h"

namespace tfprof {
namespace {

constexpr uint32_t kProfileNodeAttr = 11;

std::optional<std::string_view> Find(const Profile& profile, NodeId node, std::string_view name) {
  return FindAttr(profile.definition[node],
                  profile.definitions_are_profile_nodes ? kProfileNodeAttr : kNodeDefAttr, name);
}

// The member `number` of an AttrValue.
std::optional<Field> Member(const std::optional<std::string_view>& value, uint32_t number) {
  return value ? LastField(*value, number) : std::nullopt;
}

}  // namespace

std::optional<std::string_view> AttrString(const Profile& profile, NodeId node, std::string_view name) {
  const std::optional<Field> text = Member(Find(profile, node, name), attr_value::kText);
  return text && text->is_bytes() ? std::optional(text->bytes) : std::nullopt;
}

VariableRole RoleAttr(const Profile& profile, NodeId node) {
  if (!profile.may_tell_roles) return VariableRole::kNone;
  return RecordedRole(AttrString(profile, node, kRoleAttr).value_or(""));
}

std::optional<int32_t> AttrType(const Profile& profile, NodeId node, std::string_view name) {
  const std::optional<Field> type = Member(Find(profile, node, name), attr_value::kType);
  if (!type || !type->is_varint()) return std::nullopt;
  return WithoutReference(static_cast<int32_t>(type->value));
}

std::vector<int64_t> AttrIntegers(const Profile& profile, NodeId node, std::string_view name, size_t limit) {
  const std::optional<Field> tensor = Member(Find(profile, node, name), attr_value::kTensor);
  if (!tensor || !tensor->is_bytes()) return {};
  int32_t type = 0;
  std::string numbers;
  const bool whole = Survives([&] {
    type = ReadTensorHead(tensor->bytes).dtype;
    if (type == kTypeInt32 || type == kTypeInt64)
      ReadTensorValues(tensor->bytes, type, limit, &numbers, nullptr);
  });
  if (!whole || numbers.empty()) return {};
  const size_t size = numbers.size() / DataTypeBytes(type);
  std::vector<int64_t> out;
  for (size_t i = 0; i < size && size <= limit; ++i) out.push_back(ElementAt(type, numbers, i).integer);
  return out;
}

std::string_view RequestedDevice(const Profile& profile, NodeId node) {
  if (profile.definitions_are_profile_nodes) return {};
  return LastBytes(profile.definition[node], kNodeDefDevice);
}

}  // namespace tfprof
