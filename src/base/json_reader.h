// RapidJSON where memory may run out: its own allocators hand out null, and their users write through it.
// These throw std::bad_alloc, as all else does.
#pragma once

#include <rapidjson/document.h>

#include <cstdlib>
#include <new>
#include <string_view>

namespace tfprof {

class JsonMemory {
 public:
  static const bool kNeedFree = true;
  void* Malloc(size_t size) { return size == 0 ? nullptr : Checked(std::malloc(size)); }
  void* Realloc(void* old, size_t, size_t size) {
    if (size > 0) return Checked(std::realloc(old, size));
    std::free(old);
    return nullptr;
  }
  static void Free(void* memory) { std::free(memory); }

  bool operator==(const JsonMemory&) const { return true; }
  bool operator!=(const JsonMemory&) const { return false; }

 private:
  static void* Checked(void* memory) { return memory ? memory : throw std::bad_alloc(); }
};

using JsonDocument =
    rapidjson::GenericDocument<rapidjson::UTF8<>, rapidjson::MemoryPoolAllocator<JsonMemory>, JsonMemory>;
using JsonValue = JsonDocument::ValueType;

// However deep the text is, no recursion.
inline JsonDocument ParseJson(std::string_view text) {
  JsonDocument out;
  out.Parse<rapidjson::kParseIterativeFlag>(text.data(), text.size());
  return out;
}

}  // namespace tfprof
