// Events of host threads: framework ops, XLA:CPU's instructions, step markers, launches, executions, memory.
#pragma once

#include <cstdint>
#include <map>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "import/xplane/capture.h"
#include "import/xplane/events.h"
#include "import/xplane/node_table.h"
#include "import/xplane/steps.h"

namespace tfprof::xplane {

class HostEvents {
 public:
  HostEvents(Capture& capture, NodeTable& nodes, Steps& steps, Launches& launches)
      : capture_(capture), nodes_(nodes), steps_(steps), launches_(launches) {}

  void Read(const Plane& plane);

 private:
  // What the name alone tells, found once per metadata.
  enum class Role : uint8_t { kUnknown, kNone, kOp, kAllocation, kFree, kExecution };
  struct Named {
    Role role = Role::kUnknown;
    uint32_t node = Work::kNone;  // kOp
  };

  const Named& NamedOf(const EventReader& reader, const Event& event);
  void ReadEvent(const EventReader& reader, const Event& event);
  void AddMemory(const Event& event, bool is_free);
  uint32_t OpOf(std::string_view op);
  uint32_t NodeOfXla(const Event& event);

  Capture& capture_;
  NodeTable& nodes_;
  Steps& steps_;
  Launches& launches_;
  uint32_t device_ = Work::kNone;
  std::vector<Named> named_;     // per metadata of the plane at hand
  std::vector<StepRoot> roots_;  // of the timeline at hand
  BigVector<Work> aggregates_;   // of the timeline at hand: they have no place in time
  std::map<std::pair<std::string_view, int64_t>, uint32_t> allocators_;
  uint32_t last_allocator_ = 0;
  std::unordered_map<std::string_view, uint32_t> ops_;  // rows of MemoryLog::ops
  uint32_t last_op_ = 0;
  struct XlaKey {
    uint64_t program, hlo_op, module;
    friend auto operator<=>(const XlaKey&, const XlaKey&) = default;
  };
  std::map<XlaKey, uint32_t> xla_nodes_;  // of the plane at hand
  Named no_name_;
};

}  // namespace tfprof::xplane
