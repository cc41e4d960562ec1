#include "import/code_def.h"

#include <optional>

#include "proto/node_def.h"

namespace tfprof {
namespace {

// A frame as the file has it.
struct Trace {
  struct Text {
    std::optional<std::string_view> text;
    std::optional<int64_t> id;
  };
  Text file, function, source;
  int32_t line = 0, function_start = 0;
};

Trace ReadTrace(protozero::pbf_reader trace) {
  Trace out;
  while (trace.next()) {
    switch (trace.tag_and_type()) {
      case BytesTag(1):
        out.file.text = View(trace.get_view());
        break;
      case VarintTag(2):
        out.line = trace.get_int32();
        break;
      case BytesTag(3):
        out.function.text = View(trace.get_view());
        break;
      case BytesTag(4):
        out.source.text = View(trace.get_view());
        break;
      case VarintTag(5):
        out.function_start = trace.get_int32();
        break;
      case VarintTag(6):
        out.file.id = trace.get_int64();
        break;
      case VarintTag(7):
        out.function.id = trace.get_int64();
        break;
      case VarintTag(8):
        out.source.id = trace.get_int64();
        break;
      default:
        trace.skip();
    }
  }
  return out;
}

// Calls use(Trace), which may end it, for each, outermost first.
template <class Use>
Status ForEachTrace(std::string_view code_def, Use&& use) {
  protozero::pbf_reader reader = Reader(code_def);
  while (reader.next()) {
    if (reader.tag_and_type() != BytesTag(1)) {
      reader.skip();
    } else if (Status s = use(ReadTrace(reader.get_message())); !s) {
      return s;
    }
  }
  return {};
}

}  // namespace

Status CodeDefReader::AddString(std::string_view map_entry) {
  const MapEntry entry = ReadMapEntry(map_entry);
  Result<StringId> interned = builder_.Text(entry.bytes, "a string of a call stack");
  if (!interned) return interned.error();
  strings_[entry.key] = *interned;
  return {};
}

// Files of the newer generation leave out an id that is 0, so an absent id counts as 0 when the file has a
// table.
StringId CodeDefReader::Resolve(bool has_id, int64_t id, StringId text) const {
  if (text && !has_id) return text;
  const auto found = strings_.find(id);
  return found == strings_.end() ? text : found->second;
}

Result<StackId> CodeDefReader::Read(std::string_view code_def) { return StackOf(seen_.Intern(code_def)); }

Result<StackId> CodeDefReader::StackOf(StringId key) {
  if (key.value < stacks_.size() && stacks_[key]) return stacks_[key];
  frames_.clear();
  const auto text = [this](const Trace::Text& recorded, StringId* out) -> Status {
    if (recorded.text) {
      Result<StringId> interned = builder_.Text(*recorded.text, "a call stack");
      if (!interned) return interned.error();
      *out = *interned;
    }
    *out = Resolve(recorded.id.has_value(), recorded.id.value_or(0), *out);
    return {};
  };
  Status read = ForEachTrace(seen_[key], [&](const Trace& trace) -> Status {
    Frame frame;
    frame.line = trace.line;
    frame.function_start = trace.function_start;
    if (Status s = text(trace.file, &frame.file); !s) return s;
    if (Status s = text(trace.function, &frame.function); !s) return s;
    if (Status s = text(trace.source, &frame.source); !s) return s;
    frames_.push_back(builder_.AddFrame(frame));
    return {};
  });
  if (!read) return read.error();
  // A CodeDef that could not be read leaves a gap here: its bytes have an id but no stack.
  if (stacks_.size() <= key.value) stacks_.resize(size_t{key.value} + 1);
  return stacks_[key] = builder_.AddStack(frames_);
}

void CodeDefReader::Add(NodeId node, std::string_view code_def, StringId known) {
  const StringId key = known ? known : seen_.Intern(code_def);
  if (sound_.size() <= key.value) sound_.resize(size_t{key.value} + 1);
  if (!sound_[key]) {
    static_cast<void>(ForEachTrace(code_def, [](const Trace&) { return Status(); }));
    sound_[key] = 1;
  }
  added_.push_back({node, key});
}

Status CodeDefReader::Finish() {
  for (const Added& added : added_) {
    Result<StackId> stack = StackOf(added.code_def);
    if (!stack) return stack.error();
    if (*stack) builder_.profile().stack[added.node] = *stack;
  }
  return {};
}

}  // namespace tfprof
