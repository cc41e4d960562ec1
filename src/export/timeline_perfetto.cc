// Perfetto's protobuf: a sequence of packets, each `0A length packet`. Tracks are described first; a bar is a
// BEGIN and an END packet. Names and repeated texts are written once and referred to by number (interned),
// which makes the file a fraction of the JSON.
#include <fmt/format.h>

#include <protozero/pbf_writer.hpp>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/checked.h"
#include "export/timeline_writer.h"

namespace tfprof {
namespace {

using protozero::pbf_writer;

// Field numbers, by message.
namespace packet {
constexpr uint32_t kTimestamp = 8, kSequenceId = 10, kTrackEvent = 11, kInternedData = 12,
                   kSequenceFlags = 13, kTrackDescriptor = 60;
}
namespace track {
constexpr uint32_t kUuid = 1, kName = 2, kProcess = 3, kThread = 4, kParent = 5, kCounter = 8, kOrdering = 11,
                   kRank = 12;
}
namespace event {
constexpr uint32_t kAnnotation = 4, kType = 9, kNameId = 10, kTrack = 11, kCategories = 22, kName = 23,
                   kCounterValue = 30, kFlowIds = 47, kTerminatingFlowIds = 48;
}
constexpr uint32_t kTracePacket = 1, kProcessPid = 1, kProcessName = 6, kProcessLabels = 8, kThreadPid = 1,
                   kThreadTid = 2, kThreadName = 5, kAnnotationNameId = 1, kAnnotationInt = 4,
                   kAnnotationTextId = 17, kInternedEventNames = 2, kInternedAnnotationNames = 3,
                   kInternedTexts = 29;

constexpr int32_t kBegin = 1, kEnd = 2, kCounterType = 4;
constexpr uint32_t kFirstPacket = 1, kNeedsState = 2;  // sequence flags
constexpr uint32_t kSequence = 1;
constexpr int64_t kFirstThread = 1'000'000;  // no process has such a number
constexpr int32_t kExplicitOrder = 3, kSizeInBytes = 3;
constexpr uint64_t kFirstCounter = 1u << 31;  // in place of a lane

uint64_t TrackOf(uint32_t pid, uint64_t lane) { return uint64_t{pid} << 32 | lane; }
uint64_t TrackOf(const TraceCounter& counter) { return TrackOf(counter.pid, kFirstCounter + counter.index); }

// Texts that were written, with their numbers.
class Interner {
 public:
  // The number of a text, and whether it is new.
  std::pair<uint64_t, bool> Id(std::string_view text) {
    if (const auto known = ids_.find(text); known != ids_.end()) return {known->second, false};
    const uint64_t id = ids_.size() + 1;
    ids_.emplace(text, id);
    return {id, true};
  }

 private:
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  std::unordered_map<std::string, uint64_t, Hash, std::equal_to<>> ids_;
};

class PerfettoWriter : public TimelineWriter {
 public:
  explicit PerfettoWriter(Output& out) : out_(out) {}

  void Origin(int64_t) override {}  // labels say when a step began; the trace starts at 0

  void Process(uint32_t pid, std::string_view name, std::string_view label) override {
    Track(TrackOf(pid, 0), [&](pbf_writer& descriptor) {
      descriptor.add_enum(track::kOrdering, kExplicitOrder);
      pbf_writer process(descriptor, track::kProcess);
      process.add_int32(kProcessPid, static_cast<int32_t>(pid));
      Text(process, kProcessName, name);
      if (!label.empty()) Text(process, kProcessLabels, label);
    });
  }

  // Lanes are threads, of which the viewer draws an overview; thread ids must be unique over all processes.
  void Lane(uint32_t pid, uint32_t tid, std::string_view name) override {
    Track(TrackOf(pid, tid), [&](pbf_writer& descriptor) {
      descriptor.add_int32(track::kRank, static_cast<int32_t>(tid));
      pbf_writer thread(descriptor, track::kThread);
      thread.add_int32(kThreadPid, static_cast<int32_t>(pid));
      thread.add_int64(kThreadTid, next_thread_++);
      Text(thread, kThreadName, name);
    });
  }

  void BlockLane(uint32_t pid, uint32_t tid, std::string_view name) override {
    Track(TrackOf(pid, tid), [&](pbf_writer& descriptor) {
      Text(descriptor, track::kName, name);
      descriptor.add_uint64(track::kParent, TrackOf(pid, 0));
      descriptor.add_int32(track::kRank, static_cast<int32_t>(tid));
    });
  }

  void Slice(const TraceSlice& slice) override { Bar(slice, "Op"); }
  void Block(const TraceSlice& slice, uint64_t) override { Bar(slice, "Memory"); }

  void Counter(const TraceCounter& counter) override {
    Track(TrackOf(counter), [&](pbf_writer& descriptor) {
      Text(descriptor, track::kName, fmt::format("{} ({})", counter.name, counter.origin));
      descriptor.add_uint64(track::kParent, TrackOf(counter.pid, 0));
      pbf_writer unit(descriptor, track::kCounter);
      unit.add_enum(3, kSizeInBytes);
    });
  }

  void Count(const TraceCounter& counter, int64_t time, int64_t bytes) override {
    Event(time, kCounterType, TrackOf(counter),
          [&](pbf_writer& event) { event.add_int64(event::kCounterValue, bytes); });
  }

  void Finish(const Report&, const TimelineSummary&) override {}

 private:
  static void Text(pbf_writer& out, uint32_t field, std::string_view text) {
    out.add_string(field, text.data(), text.size());
  }

  template <class Fill>
  void Packet(Fill fill) {
    buffer_.clear();
    {
      pbf_writer trace(buffer_);
      pbf_writer out(trace, kTracePacket);
      out.add_uint32(packet::kSequenceId, kSequence);
      out.add_uint32(packet::kSequenceFlags, first_ ? kFirstPacket | kNeedsState : kNeedsState);
      fill(out);
    }
    first_ = false;
    out_.Write(buffer_);
  }

  template <class Fill>
  void Track(uint64_t uuid, Fill fill) {
    Packet([&](pbf_writer& out) {
      pbf_writer descriptor(out, packet::kTrackDescriptor);
      descriptor.add_uint64(track::kUuid, uuid);
      fill(descriptor);
    });
  }

  template <class Fill>
  void Event(int64_t time, int32_t type, uint64_t on_track, Fill fill) {
    Packet([&](pbf_writer& out) {
      out.add_uint64(packet::kTimestamp, static_cast<uint64_t>(time));
      if (!definitions_.empty()) out.add_message(packet::kInternedData, definitions_);
      pbf_writer event(out, packet::kTrackEvent);
      event.add_enum(event::kType, type);
      event.add_uint64(event::kTrack, on_track);
      fill(event);
    });
    definitions_.clear();
  }

  void Bar(const TraceSlice& slice, std::string_view category) {
    Intern(slice);
    Event(slice.start, kBegin, TrackOf(slice.pid, slice.tid), [&](pbf_writer& event) {
      Text(event, event::kCategories, category);
      if (slice.name_id == kNoIndex) {
        Text(event, event::kName, slice.name);
      } else {
        event.add_uint64(event::kNameId, uint64_t{slice.name_id} + 1);
      }
      for (size_t i = 0; i < slice.args.size(); ++i) Annotate(slice.args[i], arg_ids_[i], event);
      for (uint64_t id : slice.flows_out) event.add_fixed64(event::kFlowIds, id);
      for (uint64_t id : slice.flows_in) event.add_fixed64(event::kTerminatingFlowIds, id);
    });
    bool saturated = false;
    Event(SaturatingAdd(slice.start, slice.length, &saturated), kEnd, TrackOf(slice.pid, slice.tid),
          [](pbf_writer&) {});
  }

  struct ArgIds {
    uint64_t name = 0, text = 0;
  };

  // Defines what the next packet is the first to use, and leaves the numbers of its arguments in arg_ids_.
  void Intern(const TraceSlice& slice) {
    pbf_writer data(definitions_);
    if (slice.name_id != kNoIndex && IsNewName(slice.name_id)) {
      Define(data, kInternedEventNames, uint64_t{slice.name_id} + 1, slice.name);
    }
    arg_ids_.assign(slice.args.size(), {});
    for (size_t i = 0; i < slice.args.size(); ++i) {
      const TraceArg& arg = slice.args[i];
      const auto [name, new_name] = arg_names_.Id(arg.key);
      arg_ids_[i].name = name;
      if (new_name) Define(data, kInternedAnnotationNames, name, arg.key);
      if (!arg.text.data()) continue;
      const auto [text, new_text] = texts_.Id(arg.text);
      arg_ids_[i].text = text;
      if (new_text) Define(data, kInternedTexts, text, arg.text);
    }
  }

  static void Define(pbf_writer& data, uint32_t field, uint64_t id, std::string_view text) {
    pbf_writer entry(data, field);
    entry.add_uint64(1, id);
    Text(entry, 2, text);
  }

  bool IsNewName(uint32_t id) {
    if (id >= named_.size()) named_.resize(id + 1 + id / 2);
    if (named_[id]) return false;
    return named_[id] = true;
  }

  static void Annotate(const TraceArg& arg, const ArgIds& ids, pbf_writer& event) {
    pbf_writer note(event, event::kAnnotation);
    note.add_uint64(kAnnotationNameId, ids.name);
    if (arg.text.data()) {
      note.add_uint64(kAnnotationTextId, ids.text);
    } else {
      note.add_int64(kAnnotationInt, arg.number);
    }
  }

  Output& out_;
  bool first_ = true;
  int64_t next_thread_ = kFirstThread;
  std::string buffer_, definitions_;
  std::vector<bool> named_;  // by name_id: the name was defined
  Interner arg_names_, texts_;
  std::vector<ArgIds> arg_ids_;
};

}  // namespace

std::unique_ptr<TimelineWriter> MakePerfettoWriter(Output& out) {
  return std::make_unique<PerfettoWriter>(out);
}

}  // namespace tfprof
