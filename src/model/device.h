// Devices: what a name in a file says, found out once, when the name is interned. Nobody else looks for "gpu"
// in a string.
//
// An entry is a device, or a *lane* of one: a stream, a copy engine, a host thread. Executions point at the
// lane they ran on, nodes at the device they belong to. Lanes of one device have its host, kind and ordinal
// as far as their names tell: TensorFlow's "/device:GPU:0/stream:all" does not say which task it is of.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/ids.h"

namespace tfprof {

enum class DeviceKind : uint8_t { kOther, kCpu, kGpu, kTpu };
std::string_view DeviceKindName(DeviceKind kind);  // "other", "cpu", "gpu", "tpu"

enum class LaneKind : uint8_t {
  kDevice,      // no lane: the device itself
  kAllStreams,  // TensorFlow's sum of a GPU's streams
  kStream,
  kCopies,
  kThread,
};

// What time on a device counts as.
enum class Track : uint8_t {
  kCpu,          // on the node's own device: cpu time, or the scheduling of an accelerator op
  kAccelerator,  // the work itself
  kOther,        // the same work seen again, or what is no node's: not counted
};

struct Device {
  StringId name;  // as reports print it; of run metadata in lower case
  StringId host;  // "/job:worker/replica:0/task:1", "/host:NAME"; none: not said
  StringId lane;  // "stream:14", a thread's name; none: the device itself
  int32_t ordinal = -1;
  DeviceKind kind = DeviceKind::kOther;
  LaneKind lane_kind = LaneKind::kDevice;
  Track track = Track::kOther;
  bool holds_nodes = false;      // a node that has a record here belongs here
  int64_t nodes = 0, picos = 0;  // that belong here, and their time in all steps; made at the end of loading

  bool is_accelerator() const { return kind == DeviceKind::kGpu || kind == DeviceKind::kTpu; }
  bool is_stream() const { return lane_kind == LaneKind::kAllStreams || lane_kind == LaneKind::kStream; }
};

// The parts of a name; views into it.
struct DeviceParts {
  std::string_view host, lane;
  Device device;  // without the ids
};

// TensorFlow's names, in lower case, and its rules: time counts as cpu time on /cpu:N, /gpu:N, /device:cpu:N
// and /device:gpu:N and as accelerator time on any name with stream:all; nodes belong to the former.
DeviceParts ParseTensorFlowDevice(std::string_view lower);

// TensorFlow calls the CPU that drives a GPU by the GPU's name with cpu:0 at its end.
std::string HostDeviceName(std::string_view name, const Device& device);

// Whose memory an allocator hands out, by its name: GPU_0_bfc; gpu_host_bfc is pinned memory of the host.
DeviceKind KindOfAllocator(std::string_view name);

}  // namespace tfprof
