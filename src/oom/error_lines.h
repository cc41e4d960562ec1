// What error messages say: the two kinds of "out of memory", the node it happened in, lists of tensors by
// node, and the notes around them. Views point into the line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "oom/size.h"

namespace tfprof::oom {

struct ErrorMessage {
  std::optional<std::vector<int64_t>> shape;
  std::string_view dtype, device, allocator, program;  // "": not said
  std::optional<Size> size;                            // bytes, where these are said in place of a shape
  std::string identity;                                // equal where all of the above are
};

// Anywhere in the line; the position and what it says. None: there is no such message.
std::optional<ErrorMessage> FindError(std::string_view line);

std::string_view FindNode(std::string_view line);    // [[{{node N}}]] and older spellings; "": none
std::string_view FindCallOp(std::string_view line);  // [Op:NAME]; "": none

// Current usage from device: D, allocator: A
bool ReadUsageHead(std::string_view body, std::string_view* device, std::string_view* allocator);

struct UsageLine {
  enum class Kind : uint8_t { kNone, kNode, kRemaining } kind = Kind::kNone;
  std::string_view node;
  int64_t bytes = 0, nodes = 0;
};
UsageLine ReadUsageLine(std::string_view body);

// Bytes of one element; 0: not known. Names as kernels print them: float, half, int32.
int64_t DtypeSize(std::string_view dtype);

std::optional<int64_t> FindDeviceMemory(std::string_view line);  // totalMemory: SIZE

// failed to allocate 2.20G (2362232064 bytes) from device: CUDA_ERROR_OUT_OF_MEMORY. Bytes only where they
// are said.
struct Refusal {
  std::optional<int64_t> bytes;
};
std::optional<Refusal> FindRefusal(std::string_view line);

// Can't reduce memory use below 2.61GiB (2804325581 bytes) by rematerialization; only reduced to 10.48TiB (..
// bytes)
struct ProgramNeed {
  int64_t limit = 0, reduced_to = 0;
};
std::optional<ProgramNeed> FindProgramNeed(std::string_view line);

}  // namespace tfprof::oom
