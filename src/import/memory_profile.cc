// perftools.profiles.Profile { sample_type 1, sample 2, mapping 3, location 4, function 5, string_table 6,
// time_nanos 9, comment 13, default_sample_type 14 }: samples name locations, which name functions, and all
// texts are indexes into one table, which may stand behind what uses it. So the file is walked twice: tables,
// then samples.
#include "import/memory_profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "base/checked.h"
#include "base/text.h"
#include "import/sniff.h"
#include "model/live_memory.h"

namespace tfprof {
namespace {

constexpr size_t kMostEntries = size_t{1} << 22;  // of a table; real ones have some thousands
constexpr size_t kMostFrames = 4096;              // of a call stack

struct ValueType {
  int64_t type = 0, unit = 0;
};

ValueType ReadValueType(std::string_view bytes) {
  ValueType out;
  protozero::pbf_reader reader = Reader(bytes);
  while (reader.next()) {
    switch (reader.tag_and_type()) {
      case VarintTag(1):
        out.type = reader.get_int64();
        break;
      case VarintTag(2):
        out.unit = reader.get_int64();
        break;
      default:
        reader.skip();
    }
  }
  return out;
}

struct Function {
  int64_t name = 0, system_name = 0, file = 0, start = 0;
};

struct Line {
  uint64_t function = 0;
  int64_t line = 0;
};

struct Location {
  uint32_t begin = 0, end = 0;  // of the lines; the first is the innermost
};

int32_t LineNumber(int64_t line) {
  return line > 0 && line <= std::numeric_limits<int32_t>::max() ? static_cast<int32_t>(line) : 0;
}

class MemoryProfileReader {
 public:
  MemoryProfileReader(const WireFile& file, ProfileBuilder& builder) : file_(file), builder_(builder) {}

  Status Read() {
    if (Status s = ReadTables(); !s) return s;
    if (Status s = ChooseTypes(); !s) return s;
    Status samples = ForEachField(file_, file_.bytes, builder_, "sample", [&](const Field& field) -> Status {
      return field.number == 2 && field.is_bytes() ? ReadSample(field.bytes) : Status();
    });
    if (!samples) return samples;
    live_->source = is_jax_ ? "JAX device memory profile" : "pprof memory profile";
    builder_.profile().live_memory = live_;
    return {};
  }

 private:
  Status ReadTables() {
    Status status = ForEachField(file_, file_.bytes, builder_, "table", [&](const Field& f) -> Status {
      if (f.is_varint() && f.number == 9)
        live_->time_nanos = std::max<int64_t>(0, static_cast<int64_t>(f.value));
      if (f.is_varint() && f.number == 13) comments_.push_back(static_cast<int64_t>(f.value));
      if (f.is_varint() && f.number == 14) default_type_ = static_cast<int64_t>(f.value);
      if (!f.is_bytes()) return {};
      if (f.number == 1) types_.push_back(ReadValueType(f.bytes));
      if (f.number == 4) ReadLocation(f.bytes);
      if (f.number == 5) ReadFunction(f.bytes);
      if (f.number == 6) strings_.push_back(f.bytes);
      const size_t most =
          std::max({types_.size(), strings_.size(), lines_.size(), locations_.size(), functions_.size()});
      if (most <= kMostEntries) return {};
      return Error::Input(fmt::format("{}: has a table of more than {} entries; no memory profile does",
                                      file_.path, kMostEntries));
    });
    return status;
  }

  void ReadLocation(std::string_view bytes) {
    uint64_t id = 0;
    Location location;
    location.begin = static_cast<uint32_t>(lines_.size());
    protozero::pbf_reader reader = Reader(bytes);
    while (reader.next()) {
      if (reader.tag_and_type() == VarintTag(1)) {
        id = reader.get_uint64();
      } else if (reader.tag_and_type() == BytesTag(4) && lines_.size() <= kMostEntries) {
        lines_.push_back(ReadLine(reader.get_message()));
      } else {
        reader.skip();
      }
    }
    location.end = static_cast<uint32_t>(lines_.size());
    locations_[id] = location;
  }

  static Line ReadLine(protozero::pbf_reader reader) {
    Line out;
    while (reader.next()) {
      switch (reader.tag_and_type()) {
        case VarintTag(1):
          out.function = reader.get_uint64();
          break;
        case VarintTag(2):
          out.line = reader.get_int64();
          break;
        default:
          reader.skip();
      }
    }
    return out;
  }

  void ReadFunction(std::string_view bytes) {
    uint64_t id = 0;
    Function function;
    protozero::pbf_reader reader = Reader(bytes);
    while (reader.next()) {
      switch (reader.tag_and_type()) {
        case VarintTag(1):
          id = reader.get_uint64();
          break;
        case VarintTag(2):
          function.name = reader.get_int64();
          break;
        case VarintTag(3):
          function.system_name = reader.get_int64();
          break;
        case VarintTag(4):
          function.file = reader.get_int64();
          break;
        case VarintTag(5):
          function.start = reader.get_int64();
          break;
        default:
          reader.skip();
      }
    }
    functions_[id] = function;
  }

  std::string_view StringAt(int64_t index) const {
    return index > 0 && static_cast<uint64_t>(index) < strings_.size() ? strings_[static_cast<size_t>(index)]
                                                                       : std::string_view();
  }

  // The bytes that are live: the default where it is in bytes, else the last in bytes, as pprof itself
  // chooses.
  Status ChooseTypes() {
    for (const int64_t comment : comments_) {
      if (!StringAt(comment).starts_with("tfprof ")) continue;
      return Error::Input(fmt::format("{}: was written by tfprof for pprof ({}); give what it was made from",
                                      file_.path, Printable(StringAt(comment))));
    }
    std::string all;
    for (size_t i = 0; i < types_.size(); ++i) {
      const std::string_view type = StringAt(types_[i].type), unit = StringAt(types_[i].unit);
      all += fmt::format("{}{} ({})", all.empty() ? "" : ", ", Printable(type), Printable(unit));
      const bool chosen = bytes_at_ && default_type_ > 0 && types_[*bytes_at_].type == default_type_;
      if (unit == "bytes" && !chosen) bytes_at_ = i;
    }
    if (!bytes_at_) {
      return Error::Input(
          fmt::format("{}: is a pprof profile of {}, not of memory. tfprof reads those with a sample type in "
                      "bytes, as JAX writes them (jax.profiler.save_device_memory_profile)",
                      file_.path, all.empty() ? "nothing" : all));
    }
    // The count stands before its bytes.
    for (size_t i = 0; i < *bytes_at_; ++i) {
      if (StringAt(types_[i].unit) == "count") count_at_ = i;
    }
    live_->sample_type = Printable(StringAt(types_[*bytes_at_].type));
    return {};
  }

  Status ReadSample(std::string_view bytes) {
    ids_.clear();
    values_.clear();
    StringId kind, device;
    protozero::pbf_reader reader = Reader(bytes);
    while (reader.next()) {
      switch (reader.tag_and_type()) {
        case VarintTag(1):
          AddLocation(reader.get_uint64());
          break;
        case BytesTag(1):
          for (const uint64_t id : reader.get_packed_uint64()) AddLocation(id);
          break;
        case VarintTag(2):
          AddValue(reader.get_int64());
          break;
        case BytesTag(2):
          for (const int64_t value : reader.get_packed_int64()) AddValue(value);
          break;
        case BytesTag(3):
          if (Status s = ReadLabel(reader.get_message(), &kind, &device); !s) return s;
          break;
        default:
          reader.skip();
      }
    }
    if (*bytes_at_ >= values_.size() || values_[*bytes_at_] < 0) {
      return builder_.Damaged("samples without a size",
                              fmt::format("{}: the sample at byte {} has no size, or one below 0", file_.path,
                                          file_.OffsetOf(bytes.data())));
    }
    Result<StackId> stack = StackOf();
    if (!stack) return stack.error();
    return AddSample(*stack, kind, device);
  }

  void AddLocation(uint64_t id) {
    if (ids_.size() <= kMostFrames) ids_.push_back(id);
  }
  void AddValue(int64_t value) {
    if (values_.size() < types_.size()) values_.push_back(value);
  }

  Status ReadLabel(protozero::pbf_reader reader, StringId* kind, StringId* device) {
    int64_t key = 0, text = 0;
    while (reader.next()) {
      switch (reader.tag_and_type()) {
        case VarintTag(1):
          key = reader.get_int64();
          break;
        case VarintTag(2):
          text = reader.get_int64();
          break;
        default:
          reader.skip();
      }
    }
    StringId* out = StringAt(key) == "kind" ? kind : StringAt(key) == "device" ? device : nullptr;
    if (!out || StringAt(text).empty()) return {};
    is_jax_ |= out == kind;
    Result<StringId> id = builder_.Text(StringAt(text), "a label");
    if (!id) return id.error();
    *out = *id;
    return {};
  }

  // Samples name their locations innermost first.
  Result<StackId> StackOf() {
    frames_.clear();
    for (const uint64_t id : ids_) {
      const auto location = locations_.find(id);
      if (location == locations_.end()) {
        builder_.Count("locations that are not in the file");
        continue;
      }
      for (uint32_t l = location->second.begin; l < location->second.end; ++l) {
        if (frames_.size() > kMostFrames) break;
        Result<FrameId> frame = FrameOf(lines_[l]);
        if (!frame) return frame.error();
        if (*frame) frames_.push_back(*frame);
      }
    }
    if (frames_.size() > kMostFrames) {
      builder_.Count(fmt::format("call stacks of more than {} frames, cut", kMostFrames));
      frames_.resize(kMostFrames);
    }
    std::reverse(frames_.begin(), frames_.end());
    return builder_.AddStack(frames_);
  }

  Result<FrameId> FrameOf(const Line& line) {
    const auto [known, fresh] = frame_of_line_.try_emplace({line.function, line.line});
    if (!fresh) return known->second;
    const auto function = functions_.find(line.function);
    if (function == functions_.end()) {
      builder_.Count("functions that are not in the file");
      return FrameId();
    }
    Frame frame;
    frame.line = LineNumber(line.line);
    frame.function_start = LineNumber(function->second.start);
    const Function& f = function->second;
    const int64_t name = StringAt(f.name).empty() ? f.system_name : f.name;
    for (const auto& [index, out] : {std::pair(name, &frame.function), std::pair(f.file, &frame.file)}) {
      if (StringAt(index).empty()) continue;
      Result<StringId> text = builder_.Text(StringAt(index), "a call stack");
      if (!text) return text.error();
      *out = *text;
    }
    return known->second = builder_.AddFrame(frame);
  }

  // Samples of one stack, device and kind are one node.
  Status AddSample(StackId stack, StringId kind, StringId device) {
    const auto [known, fresh] =
        node_of_.try_emplace(std::tuple(stack.value, kind.value, device.value), NodeId());
    if (fresh) {
      Profile& profile = builder_.profile();
      const std::string_view op = kind ? profile.strings[kind] : kNoKind;
      const StringId name = profile.strings.InternCopy(fmt::format("{} {}", op, live_->bytes.size() + 1));
      Result<NodeId> node = builder_.AddNode(profile.strings[name], op);
      if (!node) return node.error();
      known->second = *node;
      profile.stack[*node] = stack;
      profile.device[*node] = DeviceOf(device);
      live_->bytes.push_back(kNotRecorded);
      live_->count.push_back(kNotRecorded);
    }
    bool ignored = false;
    const auto add = [&](int64_t* sum, int64_t value) {
      *sum = SaturatingAdd(*sum == kNotRecorded ? 0 : *sum, value, &ignored);
    };
    const int64_t bytes = values_[*bytes_at_];
    // JAX writes 0 for a program whose size the backend does not tell; a live buffer of 0 bytes is one.
    const bool untold = bytes == 0 && kind && builder_.profile().strings[kind] == "executable";
    if (!untold) add(&live_->bytes[known->second.value], bytes);
    if (count_at_ && *count_at_ < values_.size() && values_[*count_at_] >= 0)
      add(&live_->count[known->second.value], values_[*count_at_]);
    return {};
  }

  DeviceId DeviceOf(StringId name) {
    if (!name) return {};
    const std::string lower = ToLower(builder_.profile().strings[name]);
    const auto has = [&lower](std::string_view word) { return lower.find(word) != std::string::npos; };
    Device device;
    device.name = name;
    device.kind = has("gpu") || has("cuda") || has("rocm") ? DeviceKind::kGpu
                  : has("tpu")                             ? DeviceKind::kTpu
                  : has("cpu")                             ? DeviceKind::kCpu
                                                           : DeviceKind::kOther;
    device.holds_nodes = true;
    return builder_.AddDevice(device);
  }

  const WireFile& file_;
  ProfileBuilder& builder_;
  std::shared_ptr<LiveMemory> live_ = std::make_shared<LiveMemory>();
  bool is_jax_ = false;
  std::vector<ValueType> types_;
  std::vector<std::string_view> strings_;
  std::vector<int64_t> comments_;
  std::vector<Line> lines_;
  std::unordered_map<uint64_t, Location> locations_;
  std::unordered_map<uint64_t, Function> functions_;
  std::map<std::pair<uint64_t, int64_t>, FrameId> frame_of_line_;
  std::map<std::tuple<uint32_t, uint32_t, uint32_t>, NodeId> node_of_;
  int64_t default_type_ = 0;
  std::optional<size_t> bytes_at_, count_at_;
  std::vector<uint64_t> ids_;
  std::vector<int64_t> values_;
  std::vector<FrameId> frames_;
};

}  // namespace

bool IsPprof(std::string_view bytes) {
  bool has_type = false;
  const bool known = AllFields(bytes, [&](const Field& f) {
    if (f.number == 1) {
      uint64_t seen = 0;  // a type has a name and a unit
      const bool numbers = f.is_bytes() && AllFields(f.bytes, [&](const Field& t) {
                             seen |= uint64_t{1} << std::min<uint64_t>(t.number, 3);
                             return t.number <= 2 && t.is_varint();
                           });
      has_type |= seen == 0b110;
      return numbers;
    }
    const bool numbers = (f.number >= 7 && f.number <= 10) || (f.number >= 12 && f.number <= 15);
    return numbers ? f.is_varint() || f.number == 13 : f.number <= 11 && f.is_bytes();
  });
  return known && has_type;
}

Status ImportMemoryProfile(const WireFile& file, ProfileBuilder& builder) {
  return MemoryProfileReader(file, builder).Read();
}

}  // namespace tfprof
