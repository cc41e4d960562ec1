// What the text reader knows about TensorFlow's messages: for each one its fields (name, number, type), for
// each enum its names. Plain constexpr tables, no descriptors; nothing is owned or initialised at run time.
//
// The tables follow the field lists of the file formats one to one and hold old names next to new ones where
// a field was renamed, so that texts of either age come out the same. A field missing here is not an error:
// the reader skips and counts it. A message that is only reached through skipped fields needs no table.
//
// Cost: FindField is a binary search over at most 18 rows, by length first, so most rows cost one integer
// compare.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace tfprof::import_text {

// Every message with a table. The first seven may be a whole file.
enum class MessageType : uint8_t {
  kGraphDef,
  kRunMetadata,
  kOpLogProto,
  kProfileProto,
  kSavedModel,
  kMetaGraphDef,
  kCheckpointState,
  // Graphs.
  kNodeDef,
  kExperimentalDebugInfo,
  kAttrValue,
  kListValue,
  kNameAttrList,
  kTensorShapeProto,
  kDim,
  kTensorProto,
  kVariantTensorDataProto,
  kResourceHandleProto,
  kDtypeAndShape,
  kFullTypeDef,
  kVersionDef,
  kFunctionDefLibrary,
  kFunctionDef,
  kArgAttrs,
  kGradientDef,
  kRegisteredGradient,
  kOpDef,
  kArgDef,
  kAttrDef,
  kOpDeprecation,
  kOpList,
  kGraphDebugInfo,
  kFileLineCol,
  kStackTrace,
  // Steps.
  kStepStats,
  kDeviceStepStats,
  kNodeExecStats,
  kAllocatorMemoryUsed,
  kAllocationRecord,
  kNodeOutput,
  kTensorDescription,
  kAllocationDescription,
  kMemoryStats,
  kCostGraphDef,
  kCostNode,
  kInputInfo,
  kOutputInfo,
  kAggregatedCost,
  kFunctionGraphs,
  kSessionMetadata,
  // tfprof's own files.
  kOpLogEntry,
  kCodeDef,
  kTrace,
  kProfileNode,
  kExecProfile,
  kExecTime,
  kExecMemory,
  kTuple,
  kMemory,
  // SavedModel and MetaGraph.
  kMetaInfoDef,
  kAny,
  kSaverDef,
  kCollectionDef,
  kStringList,
  kBytesList,
  kInt64List,
  kFloatList,
  kAnyList,
  kSignatureDef,
  kTensorInfo,
  kCooSparse,
  kCompositeTensor,
  kAssetFileDef,
  kSavedObjectGraph,
  kSavedObject,
  kObjectReference,
  kSlotVariableReference,
  kSaveableObject,
  kSavedUserObject,
  kSavedAsset,
  kSavedFunction,
  kSavedVariable,
  kSavedBareConcreteFunction,
  kSavedConstant,
  kSavedResource,
  kCapturedTensor,
  kSavedConcreteFunction,
  kFunctionSpec,
  kStructuredValue,
  kNoneValue,
  kTensorSpecProto,
  kBoundedTensorSpecProto,
  kTypeSpecProto,
  kStructuredList,
  kDictValue,
  kNamedTupleValue,
  kPairValue,
  // Map entries, by key and value.
  kStringToAttrValue,
  kStringToString,
  kStringToFixed64,
  kStringToStackTrace,
  kStringToCollectionDef,
  kStringToSignatureDef,
  kStringToTensorInfo,
  kStringToTensorProto,
  kStringToSaveableObject,
  kStringToSavedConcreteFunction,
  kStringToStructuredValue,
  kStringToExecTime,
  kUint32ToArgAttrs,
  kUint32ToUint32,
  kUint32ToString,
  kFixed64ToFileLineCol,
  kFixed64ToStackTrace,
  kInt32ToInt64,
  kInt32ToTuple,
  kInt32ToMemory,
  kInt64ToInt32,
  kInt64ToString,
  kInt64ToProfileNode,
  kInt64ToExecProfile,
  kCount,
};
inline constexpr int kRootMessages = 7;  // those of the above that may be a whole file

enum class EnumType : uint8_t {
  kDataType,
  kCheckpointFormatVersion,
  kVariableSynchronization,
  kVariableAggregation,
  kFullTypeId,
  kTypeSpecClass,
  kJitCompile,
};

enum class FieldType : uint8_t {
  kInt32,
  kInt64,
  kUint32,
  kUint64,
  kSint64,
  kFixed64,
  kFloat,
  kDouble,
  kBool,
  kEnum,
  kString,
  kBytes,
  kMessage,
};

enum class Label : uint8_t { kSingular, kRepeated };

struct Field {
  std::string_view name;
  uint8_t number = 0;
  FieldType type = FieldType::kMessage;
  Label label = Label::kSingular;
  MessageType message = MessageType::kCount;   // of a kMessage
  EnumType enumeration = EnumType::kDataType;  // of a kEnum

  constexpr Field(std::string_view n, uint8_t num, FieldType t, Label l = Label::kSingular)
      : name(n), number(num), type(t), label(l) {}
  constexpr Field(std::string_view n, uint8_t num, MessageType m, Label l = Label::kSingular)
      : name(n), number(num), label(l), message(m) {}
  constexpr Field(std::string_view n, uint8_t num, EnumType e, Label l = Label::kSingular)
      : name(n), number(num), type(FieldType::kEnum), label(l), enumeration(e) {}

  constexpr bool repeated() const { return label == Label::kRepeated; }
};

// The field of `message` called `name`, or nullptr. The pointer is valid for ever.
const Field* FindField(MessageType message, std::string_view name);

// "NodeDef", or "map<string, AttrValue>" for a map entry.
std::string_view MessageName(MessageType message);

// The number of an enum's value. DataType knows the _REF form of every type.
std::optional<int32_t> FindEnumValue(EnumType enumeration, std::string_view name);

// Whether an unknown name is an error. Not so for enums that say nothing about cost or shape: a name that a
// newer TensorFlow added there must not keep the rest of the file from being read.
bool IsStrict(EnumType enumeration);

// "DataType".
std::string_view EnumName(EnumType enumeration);

}  // namespace tfprof::import_text
