#include "view/live_tensors.h"

#include <algorithm>
#include <cctype>
#include <tuple>

#include "base/name_search.h"
#include "base/units.h"
#include "model/captured_run.h"
#include "model/memory_timeline.h"
#include "model/user_code.h"
#include "tfprof/tensor.h"

namespace tfprof {
namespace {

struct LiveRow {
  uint32_t holding = 0, part = 0;
  int64_t bytes = 0;
};

// The innermost line of the user's own code.
FrameId UserFrame(const Profile& profile, StackId stack) {
  FrameId innermost;
  for (int depth = 0; stack && depth < 10'000; ++depth) {
    const Stack& s = profile.stacks[stack];
    if (!innermost) innermost = s.frame;
    const StringId file = profile.frames[s.frame].file;
    if (file && !IsLibraryFile(profile.strings[file])) return s.frame;
    stack = s.caller;
  }
  return innermost;
}

// "32x10" of TensorFlow's "[32,10]"; a scalar is "1", as everywhere.
std::string ShapeOfText(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == ',') {
      out += 'x';
    } else if (std::isdigit(static_cast<unsigned char>(c)) || c == '-') {
      out += c;
    } else if (c == '?') {
      out += "-1";
    }
  }
  return out.empty() ? "1" : out;
}

// Bytes of "f32[8,4]".
int64_t ResultBytes(std::string_view type) {
  const auto is_digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
  int64_t bits = 0, dim = 0;
  size_t i = 0;
  while (i < type.size() && type[i] != '[' && !is_digit(type[i])) ++i;
  for (; i < type.size() && is_digit(type[i]) && bits < 1'000; ++i) bits = bits * 10 + (type[i] - '0');
  if (bits == 0) bits = 8;  // pred
  bool saturated = false, any = false;
  for (i = type.find('['); i < type.size(); ++i) {
    if (is_digit(type[i])) {
      dim = SaturatingAdd(SaturatingMul(dim, 10, &saturated), type[i] - '0', &saturated);
      any = true;
    } else if (any) {
      bits = SaturatingMul(bits, dim, &saturated);
      dim = 0;
      any = false;
    }
  }
  return bits / 8 + (bits % 8 != 0);
}

class Describer {
 public:
  Describer(const Profile& profile, const Step* step, const MemoryTracks& tracks, const MemoryTrack& track)
      : profile_(profile), step_(step), tracks_(tracks), track_(track) {}

  LiveTensor Of(const LiveRow& row) const {
    const Holding& holding = track_.holdings[row.holding];
    const TrackPart& part = tracks_.parts[row.part];
    LiveTensor out;
    out.name = profile_.strings[part.name];
    const size_t slash = out.name.rfind('/');
    out.scope = slash == std::string::npos ? "" : out.name.substr(0, slash);
    out.memory_class = NameOf(part.memory_class);
    out.bytes = row.bytes;
    out.birth = holding.birth;
    if (holding.death != kStillLive) out.death = holding.death;
    if (step_) {
      DescribeOutput(track_.output_of[row.holding], &out);
    } else {
      DescribeCaptured(profile_.capture->memory.events[holding.record], part, &out);
    }
    if (!part.node) return out;
    out.type = profile_.Op(part.node);
    if (const FrameId id = UserFrame(profile_, profile_.stack[part.node])) {
      const Frame& frame = profile_.frames[id];
      if (frame.file) out.file = profile_.strings[frame.file];
      if (frame.function) out.function = profile_.strings[frame.function];
      out.line = frame.line;
    }
    return out;
  }

 private:
  void DescribeOutput(int32_t index, LiveTensor* out) const {
    if (index < 0) return;
    const OutputMemory& output = step_->outputs[static_cast<size_t>(index)];
    out->output = output.slot;
    if (output.dtype > 0) out->dtype = DataTypeName(output.dtype);
    if (output.shape) out->shape = FormatShape(profile_.shapes[output.shape]);
  }

  // A tensor of TensorFlow says its shape itself; an instruction's result is "f32[128,256]".
  void DescribeCaptured(const CapturedMemoryEvent& event, const TrackPart& part, LiveTensor* out) const {
    if (event.shape && event.dtype > 0) {
      out->shape = ShapeOfText(profile_.strings[event.shape]);
      out->dtype = DataTypeName(event.dtype);
      return;
    }
    const std::vector<StringId>& types = profile_.capture->result_type;
    if (!part.node || part.node.value >= types.size() || !types[part.node.value]) return;
    DescribeResult(profile_.strings[types[part.node.value]], out);
  }

  // Of several results the largest that fits into the bytes, where they are all alike.
  static void DescribeResult(std::string_view text, LiveTensor* out) {
    int64_t largest = -1, position = -1;
    std::string_view found;
    bool alike = true;
    for (size_t open = text.find('['); open != std::string_view::npos; open = text.find('[', open + 1)) {
      const size_t close = text.find(']', open);
      if (close == std::string_view::npos) break;
      size_t begin = open;
      while (begin > 0 && std::isalnum(static_cast<unsigned char>(text[begin - 1]))) --begin;
      const std::string_view one = text.substr(begin, close - begin + 1);
      ++position;
      const int64_t bytes = ResultBytes(one);
      if (bytes > out->bytes || bytes < largest) continue;
      alike = bytes > largest || one == found;
      if (bytes > largest) out->output = static_cast<int32_t>(position);
      if (bytes == largest) out->output.reset();
      largest = bytes;
      found = one;
    }
    if (found.empty() || !alike) return out->output.reset();
    const size_t open = found.find('[');
    out->dtype = found.substr(0, open);
    out->shape = ShapeOfText(found.substr(open));
  }

  const Profile& profile_;
  const Step* step_;
  const MemoryTracks& tracks_;
  const MemoryTrack& track_;
};

}  // namespace

Result<LiveTensors> FindLiveTensors(const Profile& profile, const Step* step, const MemoryTracks& tracks,
                                    const MemoryTrack& track, uint32_t point, const LiveRequest& request) {
  LiveTensors out;
  out.bytes = out.not_attributed = track.total[point];
  Result<NameSearch> search = NameSearch::Compile(request.words);
  if (!search) return search.error();
  const auto name = [&](const LiveRow& row) { return profile.strings[tracks.parts[row.part].name]; };
  std::vector<LiveRow> rows;
  bool ignored = false;
  for (uint32_t h = 0; h < track.holdings.size() && track.holdings[h].begin <= point; ++h) {
    if (point >= track.holdings[h].end) continue;
    ForEachPart(tracks, track.holdings[h], [&](uint32_t part, int64_t bytes) {
      out.not_attributed = SaturatingSub(out.not_attributed, bytes, &ignored);
      const LiveRow row{h, part, bytes};
      if (!search->Finds(name(row))) return;
      out.matched_bytes = SaturatingAdd(out.matched_bytes, bytes, &ignored);
      rows.push_back(row);
    });
  }
  out.count = rows.size();
  const size_t first = std::min(request.offset, rows.size());
  const size_t last = first + std::min(request.limit, rows.size() - first);
  std::partial_sort(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(last), rows.end(),
                    [&](const LiveRow& a, const LiveRow& b) {
                      if (request.order == LiveOrder::kName && name(a) != name(b)) return name(a) < name(b);
                      return a.bytes != b.bytes ? a.bytes > b.bytes
                                                : std::tie(a.holding, a.part) < std::tie(b.holding, b.part);
                    });
  const Describer describer(profile, step, tracks, track);
  for (size_t r = first; r < last; ++r) out.rows.push_back(describer.Of(rows[r]));
  return out;
}

}  // namespace tfprof
