// Kernels inside CUDA graphs: their events are grouped into launches, every buffer's launches into lists of
// names, and each list is aligned with the program's instructions (alignment.h).
//
// A graph that runs its kernels one after the other runs them in the order of the schedule. One whose kernels
// run side by side tells that order by the numbers of its nodes (graph_order.h); where it does not, what is
// found is a guess, and counted as such.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "import/xplane/alignment.h"
#include "import/xplane/capture.h"
#include "tfprof/big_vector.h"

namespace tfprof::xplane {

// Where a graph's events are: consecutive rows of Capture::work with one launch.
struct GraphPiece {
  uint32_t program = 0;
  StringId buffer;  // its hlo_op: command_buffer_N, or a call of older XLA
  uint32_t device = 0, lane = 0;
  uint64_t correlation = 0;  // the launch
  uint32_t begin = 0, end = 0;
  uint32_t first_event = 0;  // of CudaGraphs::events_: of the row `begin`
  bool by_start = true;      // its rows are in the order of their starts
  int64_t start_ps = 0;      // the first of these
};

// What a row of a piece is.
struct GraphEvent {
  uint32_t node = 0;    // in the graph, or kNoGraphNode
  uint32_t kernel = 0;  // row of Capture::kernels: those of a launch lie together here, not in Capture::work
};

class CudaGraphs {
 public:
  explicit CudaGraphs(Capture& capture) : capture_(capture) {}

  // The row of Capture::work that was added last.
  void Add(uint32_t program, StringId buffer, uint32_t lane, uint64_t correlation,
           std::optional<uint64_t> graph_node);

  // Calls assign(work row, program, instruction, first of its run, sure) for every event that finds its
  // instruction; all others keep the node they have.
  template <class Assign>
  void Place(Assign&& assign) {
    GroupLaunches();
    AlignPrograms();
    std::vector<uint32_t> events;
    for (const Launch& launch : launches_) {
      const Placement& placement = placements_[launch.list];
      const uint32_t program = Piece(launch.begin).program;
      const bool sure = EventsOf(launch, &events);
      for (size_t k = 0; k < events.size() && k < placement.instruction.size(); ++k) {
        if (placement.instruction[k] == kUnplaced) continue;
        assign(events[k], program, placement.instruction[k], placement.first[k], sure);
      }
    }
  }

 private:
  struct Launch {
    uint32_t begin = 0, end = 0;  // of order_
    uint32_t list = 0;            // row of lists_
    int64_t start_ps = 0;
  };
  // One list of names of one buffer.
  struct List {
    std::vector<uint32_t> kernels;  // rows of names_
    uint32_t launches = 0;
  };
  struct Placement {
    std::vector<uint32_t> instruction;  // per event, or kUnplaced
    std::vector<uint8_t> first;         // per event: the first of its instruction in the launch
  };
  struct Buffer {
    uint32_t program = 0;
    StringId name;
    std::vector<uint32_t> lists;  // in the order of their first launches
    uint32_t first_launch = 0, last_launch = 0;
  };

  const GraphPiece& Piece(uint32_t place) const { return pieces_[order_[place]]; }
  void SortPieces();
  void GroupLaunches();
  void AlignPrograms();
  void AlignBuffers(const HloModule& module, const KernelScores& scores, const std::vector<Buffer*>& buffers);
  void AlignOthers(const KernelScores& scores, const std::vector<uint32_t>& sequence, const Buffer& buffer,
                   uint32_t pattern, const std::vector<uint32_t>& places, size_t low, size_t high);
  void Keep(uint32_t list, const std::vector<uint32_t>& sequence, const std::vector<uint32_t>& places);
  // Whether its events are those of one piece, in their order.
  bool LiesInOrder(const Launch& launch) const {
    return launch.end == launch.begin + 1 && Piece(launch.begin).by_start;
  }
  // Rows of the launch's work in the order of the schedule; false: that order is not known, and they are by
  // start.
  bool EventsOf(const Launch& launch, std::vector<uint32_t>* rows) const;
  bool Overlap(const std::vector<uint32_t>& events) const;
  std::vector<std::string_view> NamesOf(uint32_t list) const;

  Capture& capture_;
  BigVector<GraphPiece> pieces_;  // as they came
  BigVector<uint32_t> order_;     // of pieces_
  BigVector<GraphEvent> events_;
  BigVector<Launch> launches_;
  std::vector<List> lists_;
  std::vector<Placement> placements_;  // per list
  std::vector<Buffer> buffers_;
  std::vector<std::string_view> names_;   // of events
  std::vector<uint32_t> name_of_kernel_;  // row of names_ per row of Capture::kernels
  AlignmentBudget budget_ = kAlignmentBudget;
};

}  // namespace tfprof::xplane
