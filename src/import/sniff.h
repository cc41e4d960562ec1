// What a file is, by its content: names and endings are never looked at.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tfprof {

enum class FileKind : uint8_t {
  kUnknown,
  kGraphDef,
  kRunMetadata,
  kOpLog,
  kProfile,
  kMetaGraph,
  kSavedModel,
  kCheckpointIndex,
  kEventFile,
};

// Looks at the first records of wire-format bytes; a file that is cut short is still recognised by what it
// begins with.
FileKind SniffWire(std::string_view bytes);

std::string_view KindName(FileKind kind);  // "GraphDef", "RunMetadata", ...

}  // namespace tfprof
