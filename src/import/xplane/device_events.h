// Events of accelerators: kernels and copies of a GPU's streams, ops of a TPU's lines.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "import/xplane/capture.h"
#include "import/xplane/cuda_graphs.h"
#include "import/xplane/events.h"
#include "import/xplane/node_table.h"
#include "import/xplane/run_set.h"

namespace tfprof::xplane {

// One GPU's plane. Nothing nests here; what an event is follows from its name and a few stats, and is looked
// up once per combination of them.
class GpuEvents {
 public:
  // An event's step is that of its launch, or else that of its start.
  GpuEvents(Capture& capture, NodeTable& nodes, CudaGraphs& graphs, const Launches& launches, StepRows& steps,
            const Plane& plane, uint32_t device)
      : capture_(capture),
        nodes_(nodes),
        graphs_(graphs),
        launches_(launches),
        steps_(steps),
        plane_(plane),
        device_(device) {}

  void Read();

 private:
  // Everything that decides what an event is; texts as rows of the plane's names, or interned.
  struct Key {
    uint64_t program = 0;
    uint32_t metadata = 0, hlo_op = 0, module = 0, tf_op = 0, prefix = 0, name = 0;
    uint32_t flags = 0, padding = 0;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct KeyHash {
    uint64_t seed;
    size_t operator()(const Key& key) const { return HashBytes(&key, sizeof key, seed); }
  };
  struct Identity {
    uint32_t node = Work::kNone, kernel = Work::kNone;
    uint32_t program = Programs::kNone;
    StringId buffer;  // of a kernel in a graph
    bool in_graph = false;
    bool by_scope = false;  // events of one scope are one run
    // What the next event of the same name was, the last time. A kernel mostly runs for the instruction that
    // it ran for last, or for those of its program in turn.
    std::pair<const Key, Identity>* next = nullptr;
  };

  uint32_t TextKey(const StatSet& stats, Stat stat) const;
  const Identity& IdentityOf(const EventReader& reader, const Event& event);
  Identity Resolve(const EventReader& reader, const Event& event);
  uint32_t KernelOf(std::string_view event_name, const StatSet& stats);
  void ReadEvent(const EventReader& reader, const Event& event, uint32_t lane);
  void CountKernel(const Event& event, Kernel& kernel);

  Capture& capture_;
  NodeTable& nodes_;
  CudaGraphs& graphs_;
  const Launches& launches_;
  StepRows& steps_;
  const Plane& plane_;
  uint32_t device_;
  std::unordered_map<Key, Identity, KeyHash> identities_{64, KeyHash{RandomSeed()}};
  std::vector<std::pair<const Key, Identity>*> last_;          // per event metadata
  std::unordered_map<std::string_view, uint32_t> kernels_[3];  // per KernelKind
  RunSet runs_;
};

void ReadTpuWork(Capture& capture, NodeTable& nodes, const Plane& plane, uint32_t device);

// The steps of a TPU's own; empty: it has no such line.
Steps ReadDeviceSteps(Space& space, const Plane& plane);

}  // namespace tfprof::xplane
