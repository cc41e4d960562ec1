#include "import/text_schema.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>

namespace tfprof::import_text {
namespace {

using F = FieldType;
using M = MessageType;
using E = EnumType;
constexpr Label kRep = Label::kRepeated;

constexpr bool Before(std::string_view a, std::string_view b) {
  return a.size() != b.size() ? a.size() < b.size() : a < b;
}

// Rows are written by number, as in the format's own lists, and searched by name.
template <size_t N>
constexpr std::array<Field, N> Table(const Field (&rows)[N]) {
  std::array<Field, N> table = std::to_array(rows);
  std::sort(table.begin(), table.end(),
            [](const Field& a, const Field& b) { return Before(a.name, b.name); });
  return table;
}

// A message that is just one repeated field.
template <class Value>
constexpr std::array<Field, 1> Values(std::string_view name, Value value) {
  return Table({{name, 1, value, kRep}});
}

template <auto kKey, auto kValue>
constexpr std::array<Field, 2> kMap = Table({{"key", 1, kKey}, {"value", 2, kValue}});

// Whole files.

constexpr auto kGraphDef = Table({
    {"node", 1, M::kNodeDef, kRep},
    {"library", 2, M::kFunctionDefLibrary},
    {"version", 3, F::kInt32},
    {"versions", 4, M::kVersionDef},
    {"debug_info", 5, M::kGraphDebugInfo},
});
constexpr auto kRunMetadata = Table({
    {"step_stats", 1, M::kStepStats},
    {"cost_graph", 2, M::kCostGraphDef},
    {"partition_graphs", 3, M::kGraphDef, kRep},
    {"function_graphs", 4, M::kFunctionGraphs, kRep},
    {"session_metadata", 5, M::kSessionMetadata},
});
constexpr auto kOpLogProto = Table({
    {"log_entries", 1, M::kOpLogEntry, kRep},
    {"id_to_string", 2, M::kInt64ToString, kRep},
});
constexpr auto kProfileProto = Table({
    {"nodes", 1, M::kInt64ToProfileNode, kRep},
    {"has_trace", 2, F::kBool},
    {"steps", 3, F::kInt64, kRep},
    {"id_to_string", 4, M::kInt64ToString, kRep},
    {"miss_accelerator_stream", 5, F::kBool},
});
constexpr auto kSavedModel = Table({
    {"saved_model_schema_version", 1, F::kInt64},
    {"meta_graphs", 2, M::kMetaGraphDef, kRep},
});
constexpr auto kMetaGraphDef = Table({
    {"meta_info_def", 1, M::kMetaInfoDef},
    {"graph_def", 2, M::kGraphDef},
    {"saver_def", 3, M::kSaverDef},
    {"collection_def", 4, M::kStringToCollectionDef, kRep},
    {"signature_def", 5, M::kStringToSignatureDef, kRep},
    {"asset_file_def", 6, M::kAssetFileDef, kRep},
    {"object_graph_def", 7, M::kSavedObjectGraph},
});
constexpr auto kCheckpointState = Table({
    {"model_checkpoint_path", 1, F::kString},
    {"all_model_checkpoint_paths", 2, F::kString, kRep},
    {"all_model_checkpoint_timestamps", 3, F::kDouble, kRep},
    {"last_preserved_timestamp", 4, F::kDouble},
});

// Graphs.

constexpr auto kNodeDef = Table({
    {"name", 1, F::kString},
    {"op", 2, F::kString},
    {"input", 3, F::kString, kRep},
    {"device", 4, F::kString},
    {"attr", 5, M::kStringToAttrValue, kRep},
    {"experimental_debug_info", 6, M::kExperimentalDebugInfo},
    {"experimental_type", 7, M::kFullTypeDef},
});
constexpr auto kExperimentalDebugInfo = Table({
    {"original_node_names", 1, F::kString, kRep},
    {"original_func_names", 2, F::kString, kRep},
});
constexpr auto kAttrValue = Table({
    {"list", 1, M::kListValue},
    {"s", 2, F::kBytes},
    {"i", 3, F::kInt64},
    {"f", 4, F::kFloat},
    {"b", 5, F::kBool},
    {"type", 6, E::kDataType},
    {"shape", 7, M::kTensorShapeProto},
    {"tensor", 8, M::kTensorProto},
    {"placeholder", 9, F::kString},
    {"func", 10, M::kNameAttrList},
});
constexpr auto kListValue = Table({
    {"s", 2, F::kBytes, kRep},
    {"i", 3, F::kInt64, kRep},
    {"f", 4, F::kFloat, kRep},
    {"b", 5, F::kBool, kRep},
    {"type", 6, E::kDataType, kRep},
    {"shape", 7, M::kTensorShapeProto, kRep},
    {"tensor", 8, M::kTensorProto, kRep},
    {"func", 9, M::kNameAttrList, kRep},
});
constexpr auto kNameAttrList = Table({
    {"name", 1, F::kString},
    {"attr", 2, M::kStringToAttrValue, kRep},
});
constexpr auto kTensorShapeProto = Table({
    {"dim", 2, M::kDim, kRep},
    {"unknown_rank", 3, F::kBool},
});
constexpr auto kDim = Table({{"size", 1, F::kInt64}, {"name", 2, F::kString}});
constexpr auto kTensorProto = Table({
    {"dtype", 1, E::kDataType},
    {"tensor_shape", 2, M::kTensorShapeProto},
    {"version_number", 3, F::kInt32},
    {"tensor_content", 4, F::kBytes},
    {"float_val", 5, F::kFloat, kRep},
    {"double_val", 6, F::kDouble, kRep},
    {"int_val", 7, F::kInt32, kRep},
    {"string_val", 8, F::kBytes, kRep},
    {"scomplex_val", 9, F::kFloat, kRep},
    {"int64_val", 10, F::kInt64, kRep},
    {"bool_val", 11, F::kBool, kRep},
    {"dcomplex_val", 12, F::kDouble, kRep},
    {"half_val", 13, F::kInt32, kRep},
    {"resource_handle_val", 14, M::kResourceHandleProto, kRep},
    {"variant_val", 15, M::kVariantTensorDataProto, kRep},
    {"uint32_val", 16, F::kUint32, kRep},
    {"uint64_val", 17, F::kUint64, kRep},
    {"float8_val", 18, F::kBytes},
});
constexpr auto kVariantTensorDataProto = Table({
    {"type_name", 1, F::kString},
    {"metadata", 2, F::kBytes},
    {"tensors", 3, M::kTensorProto, kRep},
});
constexpr auto kResourceHandleProto = Table({
    {"device", 1, F::kString},
    {"container", 2, F::kString},
    {"name", 3, F::kString},
    {"hash_code", 4, F::kUint64},
    {"maybe_type_name", 5, F::kString},
    {"dtypes_and_shapes", 6, M::kDtypeAndShape, kRep},
});
constexpr auto kDtypeAndShape = Table({{"dtype", 1, E::kDataType}, {"shape", 2, M::kTensorShapeProto}});
constexpr auto kFullTypeDef = Table({
    {"type_id", 1, E::kFullTypeId},
    {"args", 2, M::kFullTypeDef, kRep},
    {"s", 3, F::kString},
    {"i", 4, F::kInt64},
});
constexpr auto kVersionDef = Table({
    {"producer", 1, F::kInt32},
    {"min_consumer", 2, F::kInt32},
    {"bad_consumers", 3, F::kInt32, kRep},
});
constexpr auto kFunctionDefLibrary = Table({
    {"function", 1, M::kFunctionDef, kRep},
    {"gradient", 2, M::kGradientDef, kRep},
    {"registered_gradients", 3, M::kRegisteredGradient, kRep},
});
constexpr auto kFunctionDef = Table({
    {"signature", 1, M::kOpDef},
    {"node_def", 3, M::kNodeDef, kRep},
    {"ret", 4, M::kStringToString, kRep},
    {"attr", 5, M::kStringToAttrValue, kRep},
    {"control_ret", 6, M::kStringToString, kRep},
    {"arg_attr", 7, M::kUint32ToArgAttrs, kRep},
    {"resource_arg_unique_id", 8, M::kUint32ToUint32, kRep},
});
constexpr auto kArgAttrs = Values("attr", M::kStringToAttrValue);
constexpr auto kGradientDef = Table({{"function_name", 1, F::kString}, {"gradient_func", 2, F::kString}});
constexpr auto kRegisteredGradient = Table({
    {"gradient_func", 1, F::kString},
    {"registered_op_type", 2, F::kString},
});
constexpr auto kOpDef = Table({
    {"name", 1, F::kString},
    {"input_arg", 2, M::kArgDef, kRep},
    {"output_arg", 3, M::kArgDef, kRep},
    {"attr", 4, M::kAttrDef, kRep},
    {"summary", 5, F::kString},
    {"description", 6, F::kString},
    {"deprecation", 8, M::kOpDeprecation},
    {"is_aggregate", 16, F::kBool},
    {"is_stateful", 17, F::kBool},
    {"is_commutative", 18, F::kBool},
    {"allows_uninitialized_input", 19, F::kBool},
    {"control_output", 20, F::kString, kRep},
    {"is_distributed_communication", 21, F::kBool},
});
constexpr auto kArgDef = Table({
    {"name", 1, F::kString},
    {"description", 2, F::kString},
    {"type", 3, E::kDataType},
    {"type_attr", 4, F::kString},
    {"number_attr", 5, F::kString},
    {"type_list_attr", 6, F::kString},
    {"handle_data", 7, M::kDtypeAndShape, kRep},
    {"is_ref", 16, F::kBool},
    {"experimental_full_type", 17, M::kFullTypeDef},
});
constexpr auto kAttrDef = Table({
    {"name", 1, F::kString},
    {"type", 2, F::kString},
    {"default_value", 3, M::kAttrValue},
    {"description", 4, F::kString},
    {"has_minimum", 5, F::kBool},
    {"minimum", 6, F::kInt64},
    {"allowed_values", 7, M::kAttrValue},
});
constexpr auto kOpDeprecation = Table({{"version", 1, F::kInt32}, {"explanation", 2, F::kString}});
constexpr auto kOpList = Values("op", M::kOpDef);
constexpr auto kGraphDebugInfo = Table({
    {"files", 1, F::kString, kRep},
    {"traces", 2, M::kStringToStackTrace, kRep},
    {"frames_by_id", 4, M::kFixed64ToFileLineCol, kRep},
    {"name_to_trace_id", 5, M::kStringToFixed64, kRep},
    {"traces_by_id", 6, M::kFixed64ToStackTrace, kRep},
});
constexpr auto kFileLineCol = Table({
    {"file_index", 1, F::kInt32},
    {"line", 2, F::kInt32},
    {"col", 3, F::kInt32},
    {"func", 4, F::kString},
    {"code", 5, F::kString},
});
constexpr auto kStackTrace = Table({
    {"file_line_cols", 1, M::kFileLineCol, kRep},
    {"frame_id", 2, F::kFixed64, kRep},
});

// Steps.

constexpr auto kStepStats = Values("dev_stats", M::kDeviceStepStats);
constexpr auto kDeviceStepStats = Table({
    {"device", 1, F::kString},
    {"node_stats", 2, M::kNodeExecStats, kRep},
    {"thread_names", 3, M::kUint32ToString, kRep},
});
constexpr auto kNodeExecStats = Table({
    {"node_name", 1, F::kString},
    {"all_start_micros", 2, F::kInt64},
    {"op_start_rel_micros", 3, F::kInt64},
    {"op_end_rel_micros", 4, F::kInt64},
    {"all_end_rel_micros", 5, F::kInt64},
    {"memory", 6, M::kAllocatorMemoryUsed, kRep},
    {"output", 7, M::kNodeOutput, kRep},
    {"timeline_label", 8, F::kString},
    {"scheduled_micros", 9, F::kInt64},
    {"thread_id", 10, F::kUint32},
    {"referenced_tensor", 11, M::kAllocationDescription, kRep},
    {"memory_stats", 12, M::kMemoryStats},
    {"all_start_nanos", 13, F::kInt64},
    {"op_start_rel_nanos", 14, F::kInt64},
    {"op_end_rel_nanos", 15, F::kInt64},
    {"all_end_rel_nanos", 16, F::kInt64},
    {"scheduled_nanos", 17, F::kInt64},
});
constexpr auto kAllocatorMemoryUsed = Table({
    {"allocator_name", 1, F::kString},
    {"total_bytes", 2, F::kInt64},
    {"peak_bytes", 3, F::kInt64},
    {"live_bytes", 4, F::kInt64},
    {"allocator_bytes_in_use", 5, F::kInt64},
    {"allocation_records", 6, M::kAllocationRecord, kRep},
});
constexpr auto kAllocationRecord = Table({{"alloc_micros", 1, F::kInt64}, {"alloc_bytes", 2, F::kInt64}});
constexpr auto kNodeOutput =
    Table({{"slot", 1, F::kInt32}, {"tensor_description", 3, M::kTensorDescription}});
constexpr auto kTensorDescription = Table({
    {"dtype", 1, E::kDataType},
    {"shape", 2, M::kTensorShapeProto},
    {"allocation_description", 4, M::kAllocationDescription},
});
constexpr auto kAllocationDescription = Table({
    {"requested_bytes", 1, F::kInt64},
    {"allocated_bytes", 2, F::kInt64},
    {"allocator_name", 3, F::kString},
    {"allocation_id", 4, F::kInt64},
    {"has_single_reference", 5, F::kBool},
    {"ptr", 6, F::kUint64},
});
// The host_ names are those of before 2018.
constexpr auto kMemoryStats = Table({
    {"temp_memory_size", 1, F::kInt64},
    {"host_temp_memory_size", 1, F::kInt64},
    {"device_temp_memory_size", 2, F::kInt64},
    {"persistent_memory_size", 3, F::kInt64},
    {"host_persistent_memory_size", 3, F::kInt64},
    {"device_persistent_memory_size", 4, F::kInt64},
    {"persistent_tensor_alloc_ids", 5, F::kInt64, kRep},
    {"host_persistent_tensor_alloc_ids", 5, F::kInt64, kRep},
    {"device_persistent_tensor_alloc_ids", 6, F::kInt64, kRep},
});
constexpr auto kCostGraphDef =
    Table({{"node", 1, M::kCostNode, kRep}, {"cost", 2, M::kAggregatedCost, kRep}});
constexpr auto kCostNode = Table({
    {"name", 1, F::kString},
    {"device", 2, F::kString},
    {"id", 3, F::kInt32},
    {"input_info", 4, M::kInputInfo, kRep},
    {"output_info", 5, M::kOutputInfo, kRep},
    {"temporary_memory_size", 6, F::kInt64},
    {"is_final", 7, F::kBool},
    {"control_input", 8, F::kInt32, kRep},
    {"compute_cost", 9, F::kInt64},
    {"host_temp_memory_size", 10, F::kInt64},
    {"device_temp_memory_size", 11, F::kInt64},
    {"persistent_memory_size", 12, F::kInt64},
    {"compute_time", 14, F::kInt64},
    {"memory_time", 15, F::kInt64},
    {"device_persistent_memory_size", 16, F::kInt64},
    {"inaccurate", 17, F::kBool},
});
constexpr auto kInputInfo = Table({{"preceding_node", 1, F::kInt32}, {"preceding_port", 2, F::kInt32}});
constexpr auto kOutputInfo = Table({
    {"size", 1, F::kInt64},
    {"alias_input_port", 2, F::kInt64},
    {"shape", 3, M::kTensorShapeProto},
    {"dtype", 4, E::kDataType},
});
constexpr auto kAggregatedCost = Table({{"cost", 1, F::kFloat}, {"dimension", 2, F::kString}});
constexpr auto kFunctionGraphs = Table({
    {"partition_graphs", 1, M::kGraphDef, kRep},
    {"pre_optimization_graph", 2, M::kGraphDef},
    {"post_optimization_graph", 3, M::kGraphDef},
});
constexpr auto kSessionMetadata = Table({{"name", 1, F::kString}, {"version", 2, F::kInt64}});

// tfprof's own files.

constexpr auto kOpLogEntry = Table({
    {"name", 1, F::kString},
    {"float_ops", 2, F::kInt64},
    {"types", 3, F::kString, kRep},
    {"code_def", 4, M::kCodeDef},
});
constexpr auto kCodeDef = Values("traces", M::kTrace);
constexpr auto kTrace = Table({
    {"file", 1, F::kString},
    {"lineno", 2, F::kInt32},
    {"function", 3, F::kString},
    {"line", 4, F::kString},
    {"func_start_line", 5, F::kInt32},
    {"file_id", 6, F::kInt64},
    {"function_id", 7, F::kInt64},
    {"line_id", 8, F::kInt64},
});
constexpr auto kProfileNode = Table({
    {"name", 1, F::kString},
    {"inputs", 2, M::kInt32ToInt64, kRep},
    {"outputs", 3, M::kInt32ToInt64, kRep},
    {"shape", 4, F::kInt64, kRep},
    {"op_types", 5, F::kString, kRep},
    {"canonical_device", 6, F::kString},
    {"host_device", 7, F::kString},
    {"float_ops", 8, F::kInt64},
    {"op", 9, F::kString},
    {"trace", 10, M::kCodeDef},
    {"attrs", 11, M::kStringToAttrValue, kRep},
    {"execs", 12, M::kInt64ToExecProfile, kRep},
    {"id", 13, F::kInt64},
    {"src_output_index", 14, M::kInt64ToInt32, kRep},
    {"output_shapes", 15, M::kInt32ToTuple, kRep},
    {"input_shapes", 16, M::kInt32ToTuple, kRep},
});
constexpr auto kExecProfile = Table({
    {"run_count", 1, F::kInt64},
    {"all_start_micros", 2, F::kInt64},
    {"latest_end_micros", 3, F::kInt64},
    {"accelerator_execs", 4, M::kStringToExecTime, kRep},
    {"cpu_execs", 5, M::kStringToExecTime, kRep},
    {"devices", 6, F::kString, kRep},
    {"memory_execs", 7, M::kExecMemory, kRep},
    {"allocations", 11, M::kAllocationRecord, kRep},
});
constexpr auto kExecTime = Values("times", M::kTuple);
constexpr auto kExecMemory = Table({
    {"memory_micros", 1, F::kInt64},
    {"host_temp_bytes", 2, F::kInt64},
    {"host_persistent_bytes", 3, F::kInt64},
    {"accelerator_temp_bytes", 4, F::kInt64},
    {"accelerator_persistent_bytes", 5, F::kInt64},
    {"requested_bytes", 6, F::kInt64},
    {"peak_bytes", 7, F::kInt64},
    {"residual_bytes", 8, F::kInt64},
    {"output_bytes", 9, F::kInt64},
    {"allocator_bytes_in_use", 10, F::kInt64},
    {"output_memory", 11, M::kInt32ToMemory, kRep},
});
constexpr auto kTuple = Values("int64_values", F::kInt64);
constexpr auto kMemory = Table({{"bytes", 1, F::kInt64}, {"ptr", 2, F::kUint64}});

// SavedModel and MetaGraph.

constexpr auto kMetaInfoDef = Table({
    {"meta_graph_version", 1, F::kString},
    {"stripped_op_list", 2, M::kOpList},
    {"any_info", 3, M::kAny},
    {"tags", 4, F::kString, kRep},
    {"tensorflow_version", 5, F::kString},
    {"tensorflow_git_version", 6, F::kString},
    {"stripped_default_attrs", 7, F::kBool},
    {"function_aliases", 8, M::kStringToString, kRep},
});
constexpr auto kAny = Table({{"type_url", 1, F::kString}, {"value", 2, F::kBytes}});
constexpr auto kSaverDef = Table({
    {"filename_tensor_name", 1, F::kString},
    {"save_tensor_name", 2, F::kString},
    {"restore_op_name", 3, F::kString},
    {"max_to_keep", 4, F::kInt32},
    {"sharded", 5, F::kBool},
    {"keep_checkpoint_every_n_hours", 6, F::kFloat},
    {"version", 7, E::kCheckpointFormatVersion},
});
constexpr auto kCollectionDef = Table({
    {"node_list", 1, M::kStringList},
    {"bytes_list", 2, M::kBytesList},
    {"int64_list", 3, M::kInt64List},
    {"float_list", 4, M::kFloatList},
    {"any_list", 5, M::kAnyList},
});
constexpr auto kStringList = Values("value", F::kString);
constexpr auto kBytesList = Values("value", F::kBytes);
constexpr auto kInt64List = Values("value", F::kInt64);
constexpr auto kFloatList = Values("value", F::kFloat);
constexpr auto kAnyList = Values("value", M::kAny);
constexpr auto kSignatureDef = Table({
    {"inputs", 1, M::kStringToTensorInfo, kRep},
    {"outputs", 2, M::kStringToTensorInfo, kRep},
    {"method_name", 3, F::kString},
    {"defaults", 4, M::kStringToTensorProto, kRep},
});
constexpr auto kTensorInfo = Table({
    {"name", 1, F::kString},
    {"dtype", 2, E::kDataType},
    {"tensor_shape", 3, M::kTensorShapeProto},
    {"coo_sparse", 4, M::kCooSparse},
    {"composite_tensor", 5, M::kCompositeTensor},
});
constexpr auto kCooSparse = Table({
    {"values_tensor_name", 1, F::kString},
    {"indices_tensor_name", 2, F::kString},
    {"dense_shape_tensor_name", 3, F::kString},
});
constexpr auto kCompositeTensor = Table({
    {"type_spec", 1, M::kTypeSpecProto},
    {"components", 2, M::kTensorInfo, kRep},
});
constexpr auto kAssetFileDef = Table({{"tensor_info", 1, M::kTensorInfo}, {"filename", 2, F::kString}});
constexpr auto kSavedObjectGraph = Table({
    {"nodes", 1, M::kSavedObject, kRep},
    {"concrete_functions", 2, M::kStringToSavedConcreteFunction, kRep},
});
constexpr auto kSavedObject = Table({
    {"children", 1, M::kObjectReference, kRep},
    {"slot_variables", 3, M::kSlotVariableReference, kRep},
    {"user_object", 4, M::kSavedUserObject},
    {"asset", 5, M::kSavedAsset},
    {"function", 6, M::kSavedFunction},
    {"variable", 7, M::kSavedVariable},
    {"bare_concrete_function", 8, M::kSavedBareConcreteFunction},
    {"constant", 9, M::kSavedConstant},
    {"resource", 10, M::kSavedResource},
    {"saveable_objects", 11, M::kStringToSaveableObject, kRep},
    {"captured_tensor", 12, M::kCapturedTensor},
    {"registered_name", 13, F::kString},
    {"serialized_user_proto", 14, M::kAny},
    {"dependencies", 15, M::kObjectReference, kRep},
    {"registered_saver", 16, F::kString},
});
constexpr auto kObjectReference = Table({{"node_id", 1, F::kInt32}, {"local_name", 2, F::kString}});
constexpr auto kSlotVariableReference = Table({
    {"original_variable_node_id", 1, F::kInt32},
    {"slot_name", 2, F::kString},
    {"slot_variable_node_id", 3, F::kInt32},
});
constexpr auto kSaveableObject = Table({{"save_function", 2, F::kInt32}, {"restore_function", 3, F::kInt32}});
constexpr auto kSavedUserObject = Table({
    {"identifier", 1, F::kString},
    {"version", 2, M::kVersionDef},
    {"metadata", 3, F::kString},
});
constexpr auto kSavedAsset = Table({{"asset_file_def_index", 1, F::kInt32}});
constexpr auto kSavedFunction = Table({
    {"concrete_functions", 1, F::kString, kRep},
    {"function_spec", 2, M::kFunctionSpec},
});
constexpr auto kSavedVariable = Table({
    {"dtype", 1, E::kDataType},
    {"shape", 2, M::kTensorShapeProto},
    {"trainable", 3, F::kBool},
    {"synchronization", 4, E::kVariableSynchronization},
    {"aggregation", 5, E::kVariableAggregation},
    {"name", 6, F::kString},
    {"device", 7, F::kString},
    {"experimental_distributed_variable_components", 8, M::kSavedVariable, kRep},
});
constexpr auto kSavedBareConcreteFunction = Table({
    {"concrete_function_name", 1, F::kString},
    {"argument_keywords", 2, F::kString, kRep},
    {"allowed_positional_arguments", 3, F::kInt64},
    {"function_spec", 4, M::kFunctionSpec},
});
constexpr auto kSavedConstant = Table({{"operation", 1, F::kString}});
constexpr auto kSavedResource = Table({{"device", 1, F::kString}});
constexpr auto kCapturedTensor = Table({{"name", 1, F::kString}, {"concrete_function", 2, F::kString}});
constexpr auto kSavedConcreteFunction = Table({
    {"bound_inputs", 2, F::kInt32, kRep},
    {"canonicalized_input_signature", 3, M::kStructuredValue},
    {"output_signature", 4, M::kStructuredValue},
});
constexpr auto kFunctionSpec = Table({
    {"fullargspec", 1, M::kStructuredValue},
    {"is_method", 2, F::kBool},
    {"input_signature", 5, M::kStructuredValue},
    {"jit_compile", 6, E::kJitCompile},
});
constexpr auto kStructuredValue = Table({
    {"none_value", 1, M::kNoneValue},
    {"float64_value", 11, F::kDouble},
    {"int64_value", 12, F::kSint64},
    {"string_value", 13, F::kString},
    {"bool_value", 14, F::kBool},
    {"tensor_shape_value", 31, M::kTensorShapeProto},
    {"tensor_dtype_value", 32, E::kDataType},
    {"tensor_spec_value", 33, M::kTensorSpecProto},
    {"type_spec_value", 34, M::kTypeSpecProto},
    {"bounded_tensor_spec_value", 35, M::kBoundedTensorSpecProto},
    {"list_value", 51, M::kStructuredList},
    {"tuple_value", 52, M::kStructuredList},
    {"dict_value", 53, M::kDictValue},
    {"named_tuple_value", 54, M::kNamedTupleValue},
    {"tensor_value", 55, M::kTensorProto},
    {"numpy_value", 56, M::kTensorProto},
});
constexpr auto kTensorSpecProto = Table({
    {"name", 1, F::kString},
    {"shape", 2, M::kTensorShapeProto},
    {"dtype", 3, E::kDataType},
});
constexpr auto kBoundedTensorSpecProto = Table({
    {"name", 1, F::kString},
    {"shape", 2, M::kTensorShapeProto},
    {"dtype", 3, E::kDataType},
    {"minimum", 4, M::kTensorProto},
    {"maximum", 5, M::kTensorProto},
});
constexpr auto kTypeSpecProto = Table({
    {"type_spec_class", 1, E::kTypeSpecClass},
    {"type_state", 2, M::kStructuredValue},
    {"type_spec_class_name", 3, F::kString},
    {"num_flat_components", 4, F::kInt32},
});
constexpr auto kStructuredList = Values("values", M::kStructuredValue);
constexpr auto kDictValue = Values("fields", M::kStringToStructuredValue);
constexpr auto kNamedTupleValue = Table({{"name", 1, F::kString}, {"values", 2, M::kPairValue, kRep}});
constexpr auto kPairValue = Table({{"key", 1, F::kString}, {"value", 2, M::kStructuredValue}});

struct MessageTable {
  MessageType type;
  std::string_view name;
  std::span<const Field> fields;
};

// In the order of MessageType.
constexpr MessageTable kMessages[] = {
    {M::kGraphDef, "GraphDef", kGraphDef},
    {M::kRunMetadata, "RunMetadata", kRunMetadata},
    {M::kOpLogProto, "OpLogProto", kOpLogProto},
    {M::kProfileProto, "ProfileProto", kProfileProto},
    {M::kSavedModel, "SavedModel", kSavedModel},
    {M::kMetaGraphDef, "MetaGraphDef", kMetaGraphDef},
    {M::kCheckpointState, "CheckpointState", kCheckpointState},
    {M::kNodeDef, "NodeDef", kNodeDef},
    {M::kExperimentalDebugInfo, "NodeDef.ExperimentalDebugInfo", kExperimentalDebugInfo},
    {M::kAttrValue, "AttrValue", kAttrValue},
    {M::kListValue, "AttrValue.ListValue", kListValue},
    {M::kNameAttrList, "NameAttrList", kNameAttrList},
    {M::kTensorShapeProto, "TensorShapeProto", kTensorShapeProto},
    {M::kDim, "TensorShapeProto.Dim", kDim},
    {M::kTensorProto, "TensorProto", kTensorProto},
    {M::kVariantTensorDataProto, "VariantTensorDataProto", kVariantTensorDataProto},
    {M::kResourceHandleProto, "ResourceHandleProto", kResourceHandleProto},
    {M::kDtypeAndShape, "DtypeAndShape", kDtypeAndShape},
    {M::kFullTypeDef, "FullTypeDef", kFullTypeDef},
    {M::kVersionDef, "VersionDef", kVersionDef},
    {M::kFunctionDefLibrary, "FunctionDefLibrary", kFunctionDefLibrary},
    {M::kFunctionDef, "FunctionDef", kFunctionDef},
    {M::kArgAttrs, "FunctionDef.ArgAttrs", kArgAttrs},
    {M::kGradientDef, "GradientDef", kGradientDef},
    {M::kRegisteredGradient, "RegisteredGradient", kRegisteredGradient},
    {M::kOpDef, "OpDef", kOpDef},
    {M::kArgDef, "OpDef.ArgDef", kArgDef},
    {M::kAttrDef, "OpDef.AttrDef", kAttrDef},
    {M::kOpDeprecation, "OpDeprecation", kOpDeprecation},
    {M::kOpList, "OpList", kOpList},
    {M::kGraphDebugInfo, "GraphDebugInfo", kGraphDebugInfo},
    {M::kFileLineCol, "GraphDebugInfo.FileLineCol", kFileLineCol},
    {M::kStackTrace, "GraphDebugInfo.StackTrace", kStackTrace},
    {M::kStepStats, "StepStats", kStepStats},
    {M::kDeviceStepStats, "DeviceStepStats", kDeviceStepStats},
    {M::kNodeExecStats, "NodeExecStats", kNodeExecStats},
    {M::kAllocatorMemoryUsed, "AllocatorMemoryUsed", kAllocatorMemoryUsed},
    {M::kAllocationRecord, "AllocationRecord", kAllocationRecord},
    {M::kNodeOutput, "NodeOutput", kNodeOutput},
    {M::kTensorDescription, "TensorDescription", kTensorDescription},
    {M::kAllocationDescription, "AllocationDescription", kAllocationDescription},
    {M::kMemoryStats, "MemoryStats", kMemoryStats},
    {M::kCostGraphDef, "CostGraphDef", kCostGraphDef},
    {M::kCostNode, "CostGraphDef.Node", kCostNode},
    {M::kInputInfo, "CostGraphDef.Node.InputInfo", kInputInfo},
    {M::kOutputInfo, "CostGraphDef.Node.OutputInfo", kOutputInfo},
    {M::kAggregatedCost, "CostGraphDef.AggregatedCost", kAggregatedCost},
    {M::kFunctionGraphs, "RunMetadata.FunctionGraphs", kFunctionGraphs},
    {M::kSessionMetadata, "SessionMetadata", kSessionMetadata},
    {M::kOpLogEntry, "OpLogEntry", kOpLogEntry},
    {M::kCodeDef, "CodeDef", kCodeDef},
    {M::kTrace, "CodeDef.Trace", kTrace},
    {M::kProfileNode, "ProfileNode", kProfileNode},
    {M::kExecProfile, "ExecProfile", kExecProfile},
    {M::kExecTime, "ExecTime", kExecTime},
    {M::kExecMemory, "ExecMemory", kExecMemory},
    {M::kTuple, "Tuple", kTuple},
    {M::kMemory, "Memory", kMemory},
    {M::kMetaInfoDef, "MetaGraphDef.MetaInfoDef", kMetaInfoDef},
    {M::kAny, "Any", kAny},
    {M::kSaverDef, "SaverDef", kSaverDef},
    {M::kCollectionDef, "CollectionDef", kCollectionDef},
    {M::kStringList, "CollectionDef.NodeList", kStringList},
    {M::kBytesList, "CollectionDef.BytesList", kBytesList},
    {M::kInt64List, "CollectionDef.Int64List", kInt64List},
    {M::kFloatList, "CollectionDef.FloatList", kFloatList},
    {M::kAnyList, "CollectionDef.AnyList", kAnyList},
    {M::kSignatureDef, "SignatureDef", kSignatureDef},
    {M::kTensorInfo, "TensorInfo", kTensorInfo},
    {M::kCooSparse, "TensorInfo.CooSparse", kCooSparse},
    {M::kCompositeTensor, "TensorInfo.CompositeTensor", kCompositeTensor},
    {M::kAssetFileDef, "AssetFileDef", kAssetFileDef},
    {M::kSavedObjectGraph, "SavedObjectGraph", kSavedObjectGraph},
    {M::kSavedObject, "SavedObject", kSavedObject},
    {M::kObjectReference, "ObjectReference", kObjectReference},
    {M::kSlotVariableReference, "SlotVariableReference", kSlotVariableReference},
    {M::kSaveableObject, "SaveableObject", kSaveableObject},
    {M::kSavedUserObject, "SavedUserObject", kSavedUserObject},
    {M::kSavedAsset, "SavedAsset", kSavedAsset},
    {M::kSavedFunction, "SavedFunction", kSavedFunction},
    {M::kSavedVariable, "SavedVariable", kSavedVariable},
    {M::kSavedBareConcreteFunction, "SavedBareConcreteFunction", kSavedBareConcreteFunction},
    {M::kSavedConstant, "SavedConstant", kSavedConstant},
    {M::kSavedResource, "SavedResource", kSavedResource},
    {M::kCapturedTensor, "CapturedTensor", kCapturedTensor},
    {M::kSavedConcreteFunction, "SavedConcreteFunction", kSavedConcreteFunction},
    {M::kFunctionSpec, "FunctionSpec", kFunctionSpec},
    {M::kStructuredValue, "StructuredValue", kStructuredValue},
    {M::kNoneValue, "NoneValue", {}},
    {M::kTensorSpecProto, "TensorSpecProto", kTensorSpecProto},
    {M::kBoundedTensorSpecProto, "BoundedTensorSpecProto", kBoundedTensorSpecProto},
    {M::kTypeSpecProto, "TypeSpecProto", kTypeSpecProto},
    {M::kStructuredList, "ListValue", kStructuredList},
    {M::kDictValue, "DictValue", kDictValue},
    {M::kNamedTupleValue, "NamedTupleValue", kNamedTupleValue},
    {M::kPairValue, "PairValue", kPairValue},
    {M::kStringToAttrValue, "map<string, AttrValue>", kMap<F::kString, M::kAttrValue>},
    {M::kStringToString, "map<string, string>", kMap<F::kString, F::kString>},
    {M::kStringToFixed64, "map<string, fixed64>", kMap<F::kString, F::kFixed64>},
    {M::kStringToStackTrace, "map<string, StackTrace>", kMap<F::kString, M::kStackTrace>},
    {M::kStringToCollectionDef, "map<string, CollectionDef>", kMap<F::kString, M::kCollectionDef>},
    {M::kStringToSignatureDef, "map<string, SignatureDef>", kMap<F::kString, M::kSignatureDef>},
    {M::kStringToTensorInfo, "map<string, TensorInfo>", kMap<F::kString, M::kTensorInfo>},
    {M::kStringToTensorProto, "map<string, TensorProto>", kMap<F::kString, M::kTensorProto>},
    {M::kStringToSaveableObject, "map<string, SaveableObject>", kMap<F::kString, M::kSaveableObject>},
    {M::kStringToSavedConcreteFunction, "map<string, SavedConcreteFunction>",
     kMap<F::kString, M::kSavedConcreteFunction>},
    {M::kStringToStructuredValue, "map<string, StructuredValue>", kMap<F::kString, M::kStructuredValue>},
    {M::kStringToExecTime, "map<string, ExecTime>", kMap<F::kString, M::kExecTime>},
    {M::kUint32ToArgAttrs, "map<uint32, ArgAttrs>", kMap<F::kUint32, M::kArgAttrs>},
    {M::kUint32ToUint32, "map<uint32, uint32>", kMap<F::kUint32, F::kUint32>},
    {M::kUint32ToString, "map<uint32, string>", kMap<F::kUint32, F::kString>},
    {M::kFixed64ToFileLineCol, "map<fixed64, FileLineCol>", kMap<F::kFixed64, M::kFileLineCol>},
    {M::kFixed64ToStackTrace, "map<fixed64, StackTrace>", kMap<F::kFixed64, M::kStackTrace>},
    {M::kInt32ToInt64, "map<int32, int64>", kMap<F::kInt32, F::kInt64>},
    {M::kInt32ToTuple, "map<int32, Tuple>", kMap<F::kInt32, M::kTuple>},
    {M::kInt32ToMemory, "map<int32, Memory>", kMap<F::kInt32, M::kMemory>},
    {M::kInt64ToInt32, "map<int64, int32>", kMap<F::kInt64, F::kInt32>},
    {M::kInt64ToString, "map<int64, string>", kMap<F::kInt64, F::kString>},
    {M::kInt64ToProfileNode, "map<int64, ProfileNode>", kMap<F::kInt64, M::kProfileNode>},
    {M::kInt64ToExecProfile, "map<int64, ExecProfile>", kMap<F::kInt64, M::kExecProfile>},
};

constexpr bool TablesAreSound() {
  size_t index = 0;
  for (const MessageTable& message : kMessages) {
    if (message.type != static_cast<MessageType>(index++)) return false;
    for (size_t k = 1; k < message.fields.size(); ++k) {
      if (!Before(message.fields[k - 1].name, message.fields[k].name)) return false;
    }
  }
  return index == static_cast<size_t>(MessageType::kCount);
}
static_assert(TablesAreSound(), "a table is missing, out of order, or holds a name twice");

// Enums. They are short, so a linear search does.

constexpr std::string_view kDataType[] = {"INVALID",
                                          "FLOAT",
                                          "DOUBLE",
                                          "INT32",
                                          "UINT8",
                                          "INT16",
                                          "INT8",
                                          "STRING",
                                          "COMPLEX64",
                                          "INT64",
                                          "BOOL",
                                          "QINT8",
                                          "QUINT8",
                                          "QINT32",
                                          "BFLOAT16",
                                          "QINT16",
                                          "QUINT16",
                                          "UINT16",
                                          "COMPLEX128",
                                          "HALF",
                                          "RESOURCE",
                                          "VARIANT",
                                          "UINT32",
                                          "UINT64",
                                          "FLOAT8_E5M2",
                                          "FLOAT8_E4M3FN",
                                          "FLOAT8_E4M3FNUZ",
                                          "FLOAT8_E4M3B11FNUZ",
                                          "FLOAT8_E5M2FNUZ",
                                          "INT4",
                                          "UINT4",
                                          "INT2",
                                          "UINT2",
                                          "FLOAT4_E2M1FN"};
constexpr std::string_view kCheckpointFormatVersion[] = {"LEGACY", "V1", "V2"};
constexpr std::string_view kVariableSynchronization[] = {"AUTO", "NONE", "ON_WRITE", "ON_READ"};
constexpr std::string_view kVariableAggregation[] = {"NONE", "SUM", "MEAN", "ONLY_FIRST_REPLICA"};
constexpr std::string_view kFullTypeId[] = {
    "UNSET",  "VAR",     "ANY",      "PRODUCT",  "NAMED",      "FOR_EACH",      "CALLABLE",
    "TENSOR", "ARRAY",   "OPTIONAL", "LITERAL",  "ENCODED",    "SHAPE_TENSOR",  "BOOL",
    "UINT8",  "UINT16",  "UINT32",   "UINT64",   "INT8",       "INT16",         "INT32",
    "INT64",  "HALF",    "FLOAT",    "DOUBLE",   "BFLOAT16",   "COMPLEX64",     "COMPLEX128",
    "STRING", "DATASET", "RAGGED",   "ITERATOR", "MUTEX_LOCK", "LEGACY_VARIANT"};
constexpr int32_t kFullTypeIdNumbers[] = {
    0,   1,   2,   3,   4,   20,  100, 1000, 1001, 1002, 1003, 1004, 1005,  200,   201,   202,   203,
    204, 205, 206, 207, 208, 209, 210, 211,  215,  212,  213,  214,  10102, 10103, 10104, 10202, 10203};
static_assert(std::size(kFullTypeId) == std::size(kFullTypeIdNumbers));
constexpr std::string_view kTypeSpecClass[] = {"UNKNOWN",
                                               "SPARSE_TENSOR_SPEC",
                                               "INDEXED_SLICES_SPEC",
                                               "RAGGED_TENSOR_SPEC",
                                               "TENSOR_ARRAY_SPEC",
                                               "DATA_DATASET_SPEC",
                                               "DATA_ITERATOR_SPEC",
                                               "OPTIONAL_SPEC",
                                               "PER_REPLICA_SPEC",
                                               "VARIABLE_SPEC",
                                               "ROW_PARTITION_SPEC",
                                               "REGISTERED_TYPE_SPEC",
                                               "EXTENSION_TYPE_SPEC"};
constexpr int32_t kTypeSpecClassNumbers[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13};
static_assert(std::size(kTypeSpecClass) == std::size(kTypeSpecClassNumbers));
constexpr std::string_view kJitCompile[] = {"DEFAULT", "ON", "OFF"};

struct EnumTable {
  std::string_view name;
  std::string_view prefix;  // of every value's name, left out of `names`
  std::span<const std::string_view> names;
  std::span<const int32_t> numbers;  // empty: the index is the number
  bool strict;
};

const EnumTable& TableOf(EnumType enumeration) {
  // In the order of EnumType.
  static constexpr EnumTable kTables[] = {
      {"DataType", "DT_", kDataType, {}, true},
      {"CheckpointFormatVersion", "", kCheckpointFormatVersion, {}, true},
      {"VariableSynchronization", "VARIABLE_SYNCHRONIZATION_", kVariableSynchronization, {}, true},
      {"VariableAggregation", "VARIABLE_AGGREGATION_", kVariableAggregation, {}, true},
      {"FullTypeId", "TFT_", kFullTypeId, kFullTypeIdNumbers, false},
      {"TypeSpecClass", "", kTypeSpecClass, kTypeSpecClassNumbers, false},
      {"JitCompile", "", kJitCompile, {}, false},
  };
  return kTables[static_cast<size_t>(enumeration)];
}

constexpr std::string_view kRefSuffix = "_REF";
constexpr int32_t kRefOffset = 100;

}  // namespace

const Field* FindField(MessageType message, std::string_view name) {
  const std::span<const Field> fields = kMessages[static_cast<size_t>(message)].fields;
  const auto it =
      std::lower_bound(fields.begin(), fields.end(), name,
                       [](const Field& field, std::string_view n) { return Before(field.name, n); });
  return it != fields.end() && it->name == name ? &*it : nullptr;
}

std::string_view MessageName(MessageType message) { return kMessages[static_cast<size_t>(message)].name; }

std::optional<int32_t> FindEnumValue(EnumType enumeration, std::string_view name) {
  const EnumTable& table = TableOf(enumeration);
  if (!name.starts_with(table.prefix)) return std::nullopt;
  name.remove_prefix(table.prefix.size());
  int32_t offset = 0;
  if (enumeration == EnumType::kDataType && name.ends_with(kRefSuffix)) {
    name.remove_suffix(kRefSuffix.size());
    offset = kRefOffset;
  }
  const auto it = std::find(table.names.begin(), table.names.end(), name);
  if (it == table.names.end()) return std::nullopt;
  const auto index = static_cast<size_t>(it - table.names.begin());
  if (offset != 0 && index == 0) return std::nullopt;  // there is no reference to DT_INVALID
  return offset + (table.numbers.empty() ? static_cast<int32_t>(index) : table.numbers[index]);
}

bool IsStrict(EnumType enumeration) { return TableOf(enumeration).strict; }

std::string_view EnumName(EnumType enumeration) { return TableOf(enumeration).name; }

}  // namespace tfprof::import_text
