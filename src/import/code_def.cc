#include "import/code_def.h"

#include "proto/node_def.h"

namespace tfprof {

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

Result<FrameId> CodeDefReader::ReadFrame(protozero::pbf_reader trace) {
  Frame frame;
  frame.line = 0;
  frame.function_start = 0;
  int64_t file = 0, function = 0, source = 0;
  bool has_file = false, has_function = false, has_source = false;
  const auto text = [&](StringId* out) -> Status {
    Result<StringId> interned = builder_.Text(View(trace.get_view()), "a call stack");
    if (!interned) return interned.error();
    *out = *interned;
    return {};
  };
  while (trace.next()) {
    Status status;
    switch (trace.tag_and_type()) {
      case BytesTag(1):
        status = text(&frame.file);
        break;
      case VarintTag(2):
        frame.line = trace.get_int32();
        break;
      case BytesTag(3):
        status = text(&frame.function);
        break;
      case BytesTag(4):
        status = text(&frame.source);
        break;
      case VarintTag(5):
        frame.function_start = trace.get_int32();
        break;
      case VarintTag(6):
        file = trace.get_int64();
        has_file = true;
        break;
      case VarintTag(7):
        function = trace.get_int64();
        has_function = true;
        break;
      case VarintTag(8):
        source = trace.get_int64();
        has_source = true;
        break;
      default:
        trace.skip();
    }
    if (!status) return status.error();
  }
  frame.file = Resolve(has_file, file, frame.file);
  frame.function = Resolve(has_function, function, frame.function);
  frame.source = Resolve(has_source, source, frame.source);
  return builder_.AddFrame(frame);
}

Result<StackId> CodeDefReader::Read(std::string_view code_def) {
  const StringId key = seen_.Intern(code_def);
  if (key.value < stacks_.size() && stacks_[key]) return stacks_[key];
  frames_.clear();
  protozero::pbf_reader reader = Reader(code_def);
  while (reader.next()) {
    if (reader.tag_and_type() != BytesTag(1)) {
      reader.skip();
      continue;
    }
    Result<FrameId> frame = ReadFrame(reader.get_message());
    if (!frame) return frame.error();
    frames_.push_back(*frame);
  }
  // A CodeDef that could not be read leaves a gap here: its bytes have an id but no stack.
  if (stacks_.size() <= key.value) stacks_.resize(size_t{key.value} + 1);
  return stacks_[key] = builder_.AddStack(frames_);
}

}  // namespace tfprof
