// What one capture file (one host) says, in columns: "start here" for the XPlane importer.
//
//   bytes --planes--> names and lines --events--> work, kernels, memory events
//         --programs (hlo, stacks, float ops)--> nodes     --cuda_graphs (alignment)--> nodes of graph
//         kernels
//
// Two passes over the mapped file, which must outlive the capture: planes.h steps over everything once, then
// every event is decoded in place and comes down to one Work (40 bytes) or one MemoryEvent. Names are views
// into the file; its pages are given back as the passes go on. Linear in the size of the file.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/string_pool.h"
#include "import/xplane/memory_events.h"
#include "import/xplane/programs.h"
#include "import/xplane/steps.h"
#include "import/xplane/work.h"
#include "tfprof/big_vector.h"
#include "tfprof/result.h"

namespace tfprof::xplane {

enum class LaneKind : uint8_t { kHostThread, kStream, kTpuLine };

struct CaptureDevice {
  PlaneKind kind = PlaneKind::kHost;
  std::string name;              // /device:gpu:0
  int64_t busy_ps = -1;          // the time in which any of its lanes worked; -1: not known (CPUs)
  int64_t picos = 0, nodes = 0;  // of all its work
  StatSet facts;                 // of the plane: model, clock, bandwidth
};

struct Lane {
  uint32_t device = 0;
  LaneKind kind = LaneKind::kHostThread;
  int64_t id = 0;
  std::string_view name;
  size_t begin = 0, end = 0;  // rows of Capture::work
};

enum class NodeKind : uint8_t {
  kInstruction,         // of a program in the file
  kHostOp,              // a framework op on the host
  kFrameworkOp,         // a framework op's kernels on a GPU
  kUnknownInstruction,  // an instruction that the file does not have, or a kernel in a graph without a place
  kTpuOp,               // an op of a TPU without HLO
  kBareCopy,
  kBareKernel,
};

struct CaptureNode {
  NodeKind kind = NodeKind::kHostOp;
  uint32_t program = Programs::kNone, instruction = IdTable::kNone;  // kInstruction
  StringId name, type;                                               // of the capture's pool
  uint32_t device = Work::kNone;          // of its first work; none: it did not run
  int64_t float_ops = -1;                 // of one run, as a TPU tells it; -1: it does not
  std::string_view source, source_stack;  // as a TPU tells them
};

// A call on the host that is no op.
struct HostCall {
  std::string_view name;
  int64_t start_ps = 0, duration_ps = 0;
};

enum class KernelKind : uint8_t { kKernel, kCopy, kOther };

struct Kernel {
  KernelKind kind = KernelKind::kOther;
  uint32_t device = 0;
  std::string_view event_name, details;  // details: of the first
  int64_t count = 0, total_ps = 0, min_ps = 0, max_ps = 0, bytes = 0;
};

struct CaptureInfo {
  int64_t device_planes = 0;
  int64_t device_ps = 0, named_ps = 0, graph_ps = 0, aligned_ps = 0, unplaced_ps = 0, unsure_ps = 0;
  StepMarkers markers = StepMarkers::kNone;
  int64_t start_ns = 0, stop_ns = 0;  // since 1970; 0: not told
};

struct Capture {
  Capture(std::string_view bytes, const Buffer* mapped)
      : space(IndexPlanes(bytes, mapped)), strings(std::make_unique<StringPool>()), programs(*strings) {}

  Space space;
  std::unique_ptr<StringPool> strings;
  Programs programs;
  std::vector<CaptureDevice> devices;
  std::vector<Lane> lanes;
  std::vector<CaptureNode> nodes;
  std::vector<Kernel> kernels;
  std::vector<int64_t> steps;        // numbers, ascending; Work::step is a row of it
  std::vector<bool> step_ran;        // per step: it has work
  std::vector<StepRoot> roots;       // of the host's steps, by start
  BigVector<Work> work;              // device by device, lane by lane
  std::vector<HostCall> host_calls;  // the longer ones
  MemoryLog memory;
  CaptureInfo info;
};

// Decodes a whole capture. Damage is told in capture.space.damage; what was read before it is there.
// `mapped`: what the bytes lie in, unless null.
std::unique_ptr<Capture> DecodeCapture(std::string_view bytes, const Buffer* mapped = nullptr);

}  // namespace tfprof::xplane
