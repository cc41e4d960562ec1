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
  // What the recorder tells of it; "" and 0: it does not.
  std::string model;                          // "NVIDIA H200"
  double told_flops = 0, told_bandwidth = 0;  // its peaks, per second
  int64_t dropped_events = 0;
};

// What a node multiplies: batch x (rows x inner) by (inner x columns).
struct MatrixProduct {
  NodeId node;
  int64_t batch = 1, rows = 0, inner = 0, columns = 0;
  int32_t element_bits = 0;
};

// Something that the host did that is no op: a call of Python, of the runtime, of a compiler.
struct HostSpan {
  StringId name;
  int64_t start_nanos = 0, nanos = 0;
};

struct CapturedRun {
  int64_t hosts = 0, device_planes = 0;
  int64_t device_picos = 0;    // all work of accelerators
  int64_t named_picos = 0;     // of it on nodes that an op, an instruction or a framework named
  int64_t graph_picos = 0;     // of it in CUDA graphs,
  int64_t unplaced_picos = 0;  // and of that without an instruction,
  int64_t unsure_picos = 0;    // or with one that others of its kind could be as well
  int64_t programs = 0, programs_run = 0;
  StepMarkers markers = StepMarkers::kNone;
  bool has_stacks = false;
  std::vector<std::string> warnings, errors;  // of the recorder: dropped events void the rest
  std::vector<CapturedDevice> devices;        // that did something
  std::vector<CapturedKernel> kernels;
  // By node; kNotRecorded: not known. Bytes of one result, and what it owns when its allocator is at the
  // peak.
  std::vector<int64_t> result_bytes, peak_bytes;
  std::vector<StringId> result_type;  // by node: "f32[128,256]"; none: not known
  CapturedMemory memory;
  std::vector<MatrixProduct> products;  // by node
  std::vector<HostSpan> host_spans;     // the longer ones, by start; only where executions are kept
};

}  // namespace tfprof
