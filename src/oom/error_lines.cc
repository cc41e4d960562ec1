#include "oom/error_lines.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "oom/line.h"

namespace tfprof::oom {
namespace {

std::string_view TakeWord(std::string_view* text) {
  const size_t end = std::min(text->find_first_of(" \t\r\n"), text->size());
  const std::string_view word = text->substr(0, end);
  text->remove_prefix(end);
  return word;
}

// [2,3] or []: -1 of an unknown dimension is taken too.
std::optional<std::vector<int64_t>> TakeShape(std::string_view* text) {
  if (!TakeText(text, "[")) return std::nullopt;
  std::vector<int64_t> dims;
  while (!TakeText(text, "]")) {
    if (!dims.empty() && !TakeText(text, ",")) return std::nullopt;
    DropBlanks(text);
    const bool negative = TakeText(text, "-");
    const std::optional<int64_t> dim = TakeInteger(text);
    if (!dim || dims.size() > 254) return std::nullopt;
    dims.push_back(negative ? -*dim : *dim);
  }
  return dims;
}

// OOM when allocating tensor with shape[D,D] and type T on DEVICE by allocator NAME
bool ReadTensorError(std::string_view rest, ErrorMessage* error) {
  TakeText(&rest, "temporary ");
  if (!TakeText(&rest, "tensor with shape") && !TakeText(&rest, "tensor of shape")) return false;
  DropBlanks(&rest);
  error->shape = TakeShape(&rest);
  if (!error->shape) return false;
  if (TakeText(&rest, " and type ")) error->dtype = TakeWord(&rest);
  if (TakeText(&rest, " on ")) {
    const std::string_view device = TakeWord(&rest);
    if (TakeText(&rest, " by allocator ")) {
      error->device = device;
      error->allocator = TakeWord(&rest);
    }
  }
  return true;
}

// Out of memory while trying to allocate SIZE with allocator NAME on device D
bool ReadBytesError(std::string_view rest, ErrorMessage* error) {
  const std::string_view all = rest;
  error->size = TakeSize(&rest);
  if (!error->size) {
    const std::optional<int64_t> bytes = TakeInteger(&rest);
    if (!bytes || !TakeText(&rest, " bytes")) return false;
    error->size = Size{*bytes, 0, all.substr(0, all.size() - rest.size())};
  }
  std::string_view named = rest;
  if (TakeText(&named, " with allocator ")) {
    const std::string_view allocator = TakeWord(&named);
    std::string_view device = named;
    if (TakeText(&device, " on device ")) {
      const std::string_view digits = device;
      if (TakeInteger(&device)) {
        error->allocator = allocator;
        error->device = digits.substr(0, digits.size() - device.size());
      }
    }
  }
  static constexpr std::string_view kProgram = "[executable_name='";
  if (const size_t at = rest.find(kProgram); at != kNowhere) {
    const std::string_view name = rest.substr(at + kProgram.size());
    if (const size_t end = name.find("']"); end != kNowhere) error->program = name.substr(0, end);
  }
  return true;
}

// The first place where `words` are and read() finds the rest to be what it looks for.
template <class Read>
std::optional<ErrorMessage> FindMessage(std::string_view line, std::string_view words, Read read) {
  int tries = kTries;
  for (size_t at = line.find(words); at != kNowhere && tries-- > 0; at = line.find(words, at + 1)) {
    ErrorMessage error;
    if (read(line.substr(at + words.size()), &error)) return error;
  }
  return std::nullopt;
}

// The integer of "(2362232064 bytes)" that comes next.
std::optional<int64_t> BytesInBrackets(std::string_view text) {
  const size_t open = text.find('(');
  if (open == kNowhere) return std::nullopt;
  text.remove_prefix(open + 1);
  const std::optional<int64_t> bytes = TakeInteger(&text);
  return bytes && text.starts_with(" bytes)") ? bytes : std::nullopt;
}

}  // namespace

std::optional<ErrorMessage> FindError(std::string_view line) {
  std::optional<ErrorMessage> error = FindMessage(line, "OOM when allocating ", ReadTensorError);
  if (!error) error = FindMessage(line, "Out of memory while trying to allocate ", ReadBytesError);
  // An eager op of TensorFlow 2 says no more than this.
  if (!error && line.find("failed to allocate memory") != kNowhere) error.emplace();
  if (!error) return std::nullopt;
  error->identity = fmt::format(
      "{}|{}|{}|{}|{}|{}", error->shape ? fmt::format("{}", fmt::join(*error->shape, ",")) : "-",
      error->dtype, error->device, error->allocator, error->size ? error->size->bytes : -1, error->program);
  return error;
}

std::string_view FindNode(std::string_view line) {
  int tries = kTries;
  for (size_t at = line.find("[["); at != kNowhere && tries-- > 0; at = line.find("[[", at + 1)) {
    std::string_view rest = line.substr(at + 2);
    if (TakeText(&rest, "Node: ")) {
      if (const size_t end = rest.find(" = "); end != kNowhere) return rest.substr(0, end);
      continue;
    }
    if (TakeText(&rest, "node ")) {  // [[node N (defined at model.py:7) ]]
      if (const size_t end = rest.find(" (defined at "); end != kNowhere) return rest.substr(0, end);
      continue;
    }
    if (TakeText(&rest, "{{function_node ")) {
      const size_t end = rest.find("}}");
      if (end == kNowhere) continue;
      rest.remove_prefix(end + 2);
    }
    if (!TakeText(&rest, "{{node ")) continue;
    const size_t end = rest.find("}}");
    if (end == kNowhere) continue;
    const std::string_view behind = rest.substr(end + 2);
    if (behind.starts_with("]]") || behind.starts_with(" = ")) return rest.substr(0, end);
  }
  return {};
}

std::string_view FindCallOp(std::string_view line) {
  const size_t at = line.find("[Op:");
  if (at == kNowhere) return {};
  const std::string_view rest = line.substr(at + 4);
  const size_t end = rest.find(']');
  return end == kNowhere ? std::string_view() : rest.substr(0, end);
}

bool ReadUsageHead(std::string_view body, std::string_view* device, std::string_view* allocator) {
  static constexpr std::string_view kAllocator = ", allocator: ";
  if (!TakeText(&body, "Current usage from device: ")) return false;
  const size_t comma = body.rfind(kAllocator);
  if (comma == kNowhere) return false;
  *device = body.substr(0, comma);
  *allocator = WithoutBlanksBehind(body.substr(comma + kAllocator.size()));
  return true;
}

UsageLine ReadUsageLine(std::string_view body) {
  UsageLine line;
  if (TakeText(&body, "Remaining ")) {
    const std::optional<int64_t> nodes = TakeInteger(&body);
    if (!nodes || !TakeText(&body, " nodes with ")) return line;
    const std::optional<Size> size = TakeSize(&body);
    if (!size) return line;
    return {UsageLine::Kind::kRemaining, {}, size->bytes, *nodes};
  }
  const std::optional<Size> size = TakeSize(&body);
  if (!size || !TakeText(&body, " from ")) return line;
  return {UsageLine::Kind::kNode, WithoutBlanksBehind(body), size->bytes, 0};
}

int64_t DtypeSize(std::string_view dtype) {
  static constexpr std::pair<std::string_view, int64_t> kSizes[] = {
      {"float", 4},  {"double", 8}, {"half", 2},   {"bfloat16", 2},  {"int8", 1},
      {"uint8", 1},  {"bool", 1},   {"int16", 2},  {"uint16", 2},    {"int32", 4},
      {"uint32", 4}, {"int64", 8},  {"uint64", 8}, {"complex64", 8}, {"complex128", 16}};
  for (const auto& [name, size] : kSizes) {
    if (name == dtype) return size;
  }
  return 0;
}

std::optional<int64_t> FindDeviceMemory(std::string_view line) {
  static constexpr std::string_view kWords = "totalMemory: ";
  const size_t at = line.find(kWords);
  if (at == kNowhere) return std::nullopt;
  std::string_view rest = line.substr(at + kWords.size());
  const std::optional<Size> size = TakeSize(&rest);
  return size ? std::optional(size->bytes) : std::nullopt;
}

std::optional<Refusal> FindRefusal(std::string_view line) {
  if (line.find("CUDA_ERROR_OUT_OF_MEMORY") == kNowhere) return std::nullopt;
  const size_t at = line.find("failed to allocate ");
  return Refusal{at == kNowhere ? std::nullopt : BytesInBrackets(line.substr(at))};
}

std::optional<ProgramNeed> FindProgramNeed(std::string_view line) {
  const size_t below = line.find("Can't reduce memory use below ");
  if (below == kNowhere) return std::nullopt;
  const size_t to = line.find("only reduced to ", below);
  if (to == kNowhere) return std::nullopt;
  const std::optional<int64_t> limit = BytesInBrackets(line.substr(below, to - below));
  const std::optional<int64_t> reduced = BytesInBrackets(line.substr(to));
  return limit && reduced ? std::optional(ProgramNeed{*limit, *reduced}) : std::nullopt;
}

}  // namespace tfprof::oom
