#include "import/xplane/stacks.h"

#include <algorithm>
#include <charconv>

#include "import/xplane/wire.h"

namespace tfprof::xplane {
namespace {

struct Location {
  uint64_t file = 0, function = 0;
  int32_t line = 0;
};

struct RawFrame {
  uint64_t location = 0, parent = 0;
};

Location ReadLocation(std::string_view message) {
  Location location;
  for (Cursor c(message); c.Next();) {
    if (c.tag() == Varint(1)) location.file = c.value();
    if (c.tag() == Varint(2)) location.function = c.value();
    if (c.tag() == Varint(3)) location.line = static_cast<int32_t>(c.value());
  }
  return location;
}

RawFrame ReadFrame(std::string_view message) {
  RawFrame frame;
  for (Cursor c(message); c.Next();) {
    if (c.tag() == Varint(1)) frame.location = c.value();
    if (c.tag() == Varint(2)) frame.parent = c.value();
  }
  return frame;
}

// All ids are 1-based; 0 and those beyond the end are none.
template <class T>
const T* At(const std::vector<T>& values, uint64_t id) {
  return id == 0 || id > values.size() ? nullptr : &values[id - 1];
}

// FILE:LINE or FILE:LINE:COLUMN.
CodeLine ParseLine(std::string_view text) {
  const auto number_behind = [](std::string_view t, int32_t* number) {
    const size_t colon = t.rfind(':');
    if (colon == std::string_view::npos || colon + 1 == t.size()) return std::string_view::npos;
    const auto [end, error] = std::from_chars(t.data() + colon + 1, t.data() + t.size(), *number);
    return error == std::errc() && end == t.data() + t.size() ? colon : std::string_view::npos;
  };
  CodeLine line{text, {}, 0};
  int32_t last = 0, before = 0;
  const size_t colon = number_behind(text, &last);
  if (colon == std::string_view::npos) return line;
  line.file = text.substr(0, colon);
  line.line = last;
  const size_t second = number_behind(line.file, &before);
  if (second == std::string_view::npos) return line;
  line.file = text.substr(0, second);
  line.line = before;
  return line;
}

}  // namespace

FrameIndex::FrameIndex(std::string_view message) {
  std::vector<std::string_view> files, functions;
  std::vector<Location> locations;
  std::vector<RawFrame> frames;
  for (Cursor c(message); c.Next();) {
    if (c.tag() == Bytes(1)) files.push_back(c.bytes());
    if (c.tag() == Bytes(2)) functions.push_back(c.bytes());
    if (c.tag() == Bytes(3)) locations.push_back(ReadLocation(c.bytes()));
    if (c.tag() == Bytes(4)) frames.push_back(ReadFrame(c.bytes()));
  }
  enum : uint8_t { kNew, kOpen, kDone };
  std::vector<uint8_t> state(frames.size() + 1, kNew);
  stack_of_frame_.assign(frames.size() + 1, CodeStack::kNone);
  std::vector<size_t> path;
  for (size_t start = 1; start <= frames.size(); ++start) {
    // To the parents as far as they are new. A frame that is still open closes a cycle: the stack begins
    // there.
    for (size_t f = start; f != 0 && f <= frames.size() && state[f] == kNew; f = frames[f - 1].parent) {
      state[f] = kOpen;
      path.push_back(f);
    }
    for (; !path.empty(); path.pop_back()) {
      const RawFrame& frame = frames[path.back() - 1];
      const bool known_parent = frame.parent <= frames.size() && state[frame.parent] == kDone;
      const uint32_t caller = known_parent ? stack_of_frame_[frame.parent] : CodeStack::kNone;
      state[path.back()] = kDone;
      const Location* location = At(locations, frame.location);
      const std::string_view* file = location == nullptr ? nullptr : At(files, location->file);
      if (file == nullptr) {
        stack_of_frame_[path.back()] = caller;
        continue;
      }
      const std::string_view* function = At(functions, location->function);
      stack_of_frame_[path.back()] = static_cast<uint32_t>(stacks_.size());
      stacks_.push_back(
          {caller, {*file, function == nullptr ? std::string_view() : *function, location->line}});
    }
  }
}

uint32_t PlacedInstruction(const HloModule& module, uint32_t instruction) {
  const Instruction& own = module[instruction];
  if (own.has_place()) return instruction;
  const Computation* body = own.opcode == Opcode::kFusion ? module.Body(own) : nullptr;
  return body == nullptr ? IdTable::kNone : body->placed;
}

std::vector<CodeLine> ParseSourceStack(std::string_view source_stack, std::string_view source) {
  constexpr size_t kMostLines = 1000;
  std::vector<CodeLine> lines;
  while (!source_stack.empty() && lines.size() < kMostLines) {
    const size_t end = std::min(source_stack.find('\n'), source_stack.size());
    if (end > 0) lines.push_back(ParseLine(source_stack.substr(0, end)));
    source_stack.remove_prefix(std::min(end + 1, source_stack.size()));
  }
  if (lines.empty() && !source.empty()) lines.push_back(ParseLine(source));
  if (lines.size() > 1 && !source.empty()) {
    // Writers differ in which end comes first; `source` is the innermost line.
    const CodeLine innermost = ParseLine(source);
    const auto same = [&](const CodeLine& l) { return l.file == innermost.file && l.line == innermost.line; };
    if (same(lines.front()) && !same(lines.back())) std::ranges::reverse(lines);
  }
  return lines;
}

}  // namespace tfprof::xplane
