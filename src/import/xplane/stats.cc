#include "import/xplane/stats.h"

#include <algorithm>
#include <utility>

namespace tfprof::xplane {
namespace {

struct Named {
  std::string_view name;
  Stat stat;
};

constexpr Named kNames[] = {
    {"hlo_op", Stat::kHloOp},
    {"hlo_module", Stat::kHloModule},
    {"program_id", Stat::kProgramId},
    {"tf_op", Stat::kTfOp},
    {"name", Stat::kName},
    {"prefix", Stat::kPrefix},
    {"flops", Stat::kFlops},
    {"model_flops", Stat::kModelFlops},
    {"source", Stat::kSource},
    {"source_stack", Stat::kSourceStack},
    {"correlation_id", Stat::kCorrelationId},
    {"scope_range_id", Stat::kScopeRangeId},
    {"cuda_graph_id", Stat::kCudaGraphId},
    {"cuda_graph_node_id", Stat::kCudaGraphNodeId},
    {"kernel_details", Stat::kKernelDetails},
    {"memcpy_details", Stat::kMemcpyDetails},
    {"Memset_details", Stat::kMemsetDetails},
    {"device_offset_ps", Stat::kDeviceOffset},
    {"device_duration_ps", Stat::kDeviceDuration},
    {"_r", Stat::kRoot},
    {"step_num", Stat::kStepNumber},
    {"allocator_name", Stat::kAllocatorName},
    {"index_on_host", Stat::kIndexOnHost},
    {"device_ordinal", Stat::kDeviceOrdinal},
    {"bytes_reserved", Stat::kBytesReserved},
    {"bytes_allocated", Stat::kBytesAllocated},
    {"bytes_available", Stat::kBytesAvailable},
    {"peak_bytes_in_use", Stat::kPeakBytesInUse},
    {"requested_bytes", Stat::kRequestedBytes},
    {"fragmentation", Stat::kFragmentation},
    {"region_type", Stat::kRegionType},
    {"data_type", Stat::kDataType},
    {"shape", Stat::kTensorShape},
    {"allocation_bytes", Stat::kAllocationBytes},
    {"addr", Stat::kAddress},
    {"Hlo Proto", Stat::kHloProto},
    {"HLO Proto", Stat::kHloProto},
    {"profile_start_time", Stat::kProfileStart},
    {"profile_stop_time", Stat::kProfileStop},
    {"gpu_device_name", Stat::kGpuName},
    {"device_vendor", Stat::kDeviceVendor},
    {"device_type_string", Stat::kDeviceType},
    {"compute_cap_major", Stat::kComputeMajor},
    {"compute_cap_minor", Stat::kComputeMinor},
    {"core_count", Stat::kCoreCount},
    {"clock_rate", Stat::kClockRate},
    {"memory_bandwidth", Stat::kMemoryBandwidth},
    {"memory_size", Stat::kMemorySize},
    {"peak_teraflops_per_second", Stat::kPeakTeraflops},
    {"peak_hbm_bw_gigabytes_per_second", Stat::kPeakHbmBandwidth},
    {"dropped_traces", Stat::kDroppedTraces},
};

}  // namespace

Stat StatOf(std::string_view name) {
  if (name.size() > 40) return Stat::kOther;  // the table of names also holds every interned text
  const auto* found = std::ranges::find(kNames, name, &Named::name);
  return found == std::end(kNames) ? Stat::kOther : found->stat;
}

}  // namespace tfprof::xplane
