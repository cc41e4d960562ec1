// AttrValue: finding an attribute, and the numbers of its members. Damaged bytes read as "no such attribute".
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "proto/field_walker.h"
#include "proto/node_def.h"

namespace tfprof {

namespace attr_value {
inline constexpr uint32_t kList = 1, kText = 2, kInt = 3, kBool = 5, kType = 6, kShape = 7, kTensor = 8,
                          kPlaceholder = 9, kFunc = 10;
// Of its ListValue.
inline constexpr uint32_t kListText = 2, kListInt = 3, kListFloat = 4, kListType = 6, kListShape = 7,
                          kListFunc = 9;
}  // namespace attr_value

// The AttrValue of `name` in the map field `number` of a message: of a NodeDef (kNodeDefAttr), a
// NameAttrList, a node of a saved profile. Linear in the attributes: short lists.
std::optional<std::string_view> FindAttr(std::string_view message, uint32_t number, std::string_view name);

// The number of an enum DataType; references (+100) as the type they refer to.
constexpr int32_t WithoutReference(int32_t type) { return type > 100 ? type - 100 : type; }

}  // namespace tfprof
