// What a timeline tells about a bar besides its name and length: op type, scope, shapes, bytes, line of code.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "export/timeline_writer.h"
#include "model/profile.h"

namespace tfprof {

class TimelineArgs {
 public:
  explicit TimelineArgs(const Profile& profile);

  // Valid until the next call.
  std::span<const TraceArg> OfExecution(const Step& step, NodeId node);
  std::span<const TraceArg> OfBlock(NodeId node, int64_t bytes, bool released);

  // An execution will be asked for: what it takes is fetched, and some later what that leads to.
  void AskFor(const Step& step, NodeId node) const;
  void AskMore(const Step& step, NodeId node) const;

 private:
  void Add(const char* key, std::string_view text) {
    if (!text.empty()) args_.push_back({key, text, 0});
  }
  void Add(const char* key, int64_t number) { args_.push_back({key, {}, number}); }
  std::string_view Shape(ShapeId shape);
  std::string_view CodeLine(NodeId node);
  void FormatInputs(NodeId node);
  void FormatOutputs(NodeId node);

  const Profile& profile_;
  Column<StackId, FrameId> user_frames_;
  std::unordered_map<uint32_t, std::string> shapes_, lines_;  // by ShapeId, FrameId: few distinct ones
  std::string inputs_, outputs_;
  std::vector<TraceArg> args_;
};

}  // namespace tfprof
