// What an XPlane capture says beside nodes, steps and executions: what was recorded at all, kernels and
// copies, memory.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/ids.h"
#include "model/captured_memory.h"

namespace tfprof {

// What tells where steps begin.
enum class StepMarkers : uint8_t {
  kNone,
  kRuntime,   // the framework's own marks, in order
  kNumbered,  // annotations with a number
  kDevice,    // a TPU's own
};

// All runs of one kernel, or copies of one kind, on one device.
struct CapturedKernel {
  DeviceId device;
  StringId name;
  NodeId node;  // that it took the most time for
  bool is_copy = false;
  int64_t count = 0, picos = 0, min_picos = 0, max_picos = 0;
  int64_t bytes = 0;       // copies
  int32_t registers = -1;  // kernels, of the first run; -1: not told
  double occupancy = -1;   // percent; -1: not told
};

// What a device did. A node may run on several, and counts on each.
struct CapturedDevice {
  DeviceId device;
  int64_t nodes = 0;
  int64_t picos = 0;        // of all its work
  int64_t busy_picos = -1;  // in which any of its streams worked; -1: not known (CPUs)
};

struct CapturedRun {
  int64_t hosts = 0, device_planes = 0;
  int64_t device_picos = 0;    // all work of accelerators
  int64_t named_picos = 0;     // of it on nodes that an op, an instruction or a framework named
  int64_t graph_picos = 0;     // of it in CUDA graphs,
  int64_t unplaced_picos = 0;  // and of that without an instruction
  int64_t programs = 0, programs_run = 0;
  StepMarkers markers = StepMarkers::kNone;
  bool has_stacks = false;
  std::vector<std::string> warnings, errors;  // of the recorder: dropped events void the rest
  std::vector<CapturedDevice> devices;        // that did something
  std::vector<CapturedKernel> kernels;
  // By node; kNotRecorded: not known. Bytes of one result, and what it owns when its allocator is at the
  // peak.
  std::vector<int64_t> result_bytes, peak_bytes;
  CapturedMemory memory;
};

}  // namespace tfprof
