// Loops of both kinds (While, and Enter/Merge/Exit frames of TensorFlow 1), and how often each runs, where
// the graph tells: a counter that starts at a constant, grows by a constant and is compared with a constant.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "graph/op_graph.h"
#include "infer/inference.h"

namespace tfprof {

using LoopId = Id<struct LoopTag>;

struct Loop {
  std::string name;              // of the While, or of the frame
  LoopId outer;                  // a frame around a frame; a While's place shows in its region
  std::optional<int64_t> trips;  // of the body; none: not known
};

class Loops {
 public:
  explicit Loops(const Inference& inference);

  const std::vector<Loop>& all() const { return loops_; }
  // The frame that a node is in, inside its own region; none outside frames.
  LoopId FrameOf(OpId node) const { return frame_of_[node.value]; }
  // A node of the frame that decides whether it goes on: it runs once more than the body.
  bool InCondition(OpId node) const { return in_condition_[node.value]; }
  // None: the node is no While.
  LoopId OfWhile(OpId node) const {
    const auto found = of_while_.find(node.value);
    return found == of_while_.end() ? LoopId() : found->second;
  }

 private:
  // A value that changes by the same amount each round.
  struct Counter {
    int64_t start = 0, step = 0;
    LoopId loop;
  };

  void FindFrames();
  void MarkConditions();
  std::optional<int64_t> Trips(LoopId loop, Source condition, int depth);
  std::optional<int64_t> TripsOfComparison(LoopId loop, OpId comparison, int depth);
  std::optional<Counter> CounterOf(Source source, int depth);
  std::optional<int64_t> StepOf(Source update, OpId carried);
  std::optional<int64_t> ConstantOf(Source source, int depth);
  std::optional<int64_t> FinalValue(Source source, int depth);
  Source Through(Source source) const;
  LoopId LoopOfCarried(OpId carried) const;
  std::optional<int64_t> TripsOf(LoopId loop, int depth);

  const Inference& inference_;
  const OpGraph& graph_;
  std::vector<Loop> loops_;
  std::vector<Source> conditions_;  // of each loop
  std::vector<uint8_t> state_;      // of each loop: 0 not asked, 1 being asked, 2 done
  int parts_left_ = 0;              // of the condition that is being looked at
  std::vector<LoopId> frame_of_;
  std::vector<bool> in_condition_;
  std::map<uint32_t, LoopId> of_while_, of_carried_;
};

}  // namespace tfprof
