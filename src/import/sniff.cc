#include "import/sniff.h"

#include <algorithm>

#include "import/wire.h"

namespace tfprof {
namespace {

constexpr int kRecordsLookedAt = 8;

bool IsName(std::string_view text) {
  return !text.empty() && std::none_of(text.begin(), text.end(), [](char c) { return c >= 0 && c < ' '; });
}

// True when every field of the message passes `test` and at least one does.
template <class Test>
bool AllFields(std::string_view message, Test test) {
  FieldWalker walker(message);
  Field field;
  int seen = 0;
  while (seen < kRecordsLookedAt && walker.Next(&field)) {
    if (walker.damaged() && seen > 0) return true;  // cut here: what came before decides
    if (!test(static_cast<const Field&>(field))) return false;
    ++seen;
  }
  return seen > 0 && (!walker.damaged() || seen > 1 || field.is_bytes());
}

bool IsNodeDef(std::string_view message) {
  bool name = false, op = false;
  const bool known = AllFields(message, [&](const Field& f) {
    name |= f.number == 1 && f.is_bytes() && IsName(f.bytes);
    op |= f.number == 2 && f.is_bytes() && IsName(f.bytes);
    return f.is_bytes() && f.number <= 7;
  });
  return known && name && op;
}

bool IsVersionDef(std::string_view message) {
  return AllFields(message, [](const Field& f) { return f.number <= 3 && (f.is_varint() || f.number == 3); });
}

bool IsGraphDef(std::string_view bytes) {
  return AllFields(bytes, [](const Field& f) {
    switch (f.number) {
      case 1:
        return f.is_bytes() && IsNodeDef(f.bytes);
      case 2:
      case 5:
        return f.is_bytes();
      case 3:
        return f.is_varint();
      case 4:
        return f.is_bytes() && (f.bytes.empty() || IsVersionDef(f.bytes));
      default:
        return false;
    }
  });
}

bool IsDeviceStats(std::string_view message) {
  bool device = false;
  const bool known = AllFields(message, [&](const Field& f) {
    device |= f.number == 1 && f.is_bytes() && IsName(f.bytes);
    if (f.number != 2) return f.is_bytes() && f.number <= 3;
    return f.is_bytes() && AllFields(f.bytes, [](const Field& stat) {
             return stat.number <= 17 && (stat.number != 1 || stat.is_bytes());
           });
  });
  return known && device;
}

bool IsRunMetadata(std::string_view bytes) {
  bool stats = false;
  const bool known = AllFields(bytes, [&](const Field& f) {
    if (f.number == 1 && f.is_bytes()) {
      stats = AllFields(
          f.bytes, [](const Field& d) { return d.number == 1 && d.is_bytes() && IsDeviceStats(d.bytes); });
      return stats;
    }
    if (f.number == 3 && f.is_bytes()) return stats = true, IsGraphDef(f.bytes);
    return f.is_bytes() && f.number <= 5;
  });
  return known && stats;
}

bool IsStringEntry(const Field& f) {
  return (f.number == 1 && f.is_varint()) || (f.number == 2 && f.is_bytes());
}

bool IsOpLog(std::string_view bytes) {
  return AllFields(bytes, [](const Field& f) {
    if (!f.is_bytes()) return false;
    if (f.number == 2) return AllFields(f.bytes, IsStringEntry);
    return f.number == 1 && AllFields(f.bytes, [](const Field& e) {
             if (e.number == 1) return e.is_bytes() && IsName(e.bytes);
             return e.number == 2 ? e.is_varint() : e.is_bytes() && e.number <= 4;
           });
  });
}

bool IsProfileNode(std::string_view message) {
  bool name = false;
  const bool known = AllFields(message, [&](const Field& f) {
    name |= f.number == 1 && f.is_bytes() && IsName(f.bytes);
    return f.number <= 16 && (f.is_bytes() || f.number == 4 || f.number == 8 || f.number == 13);
  });
  return known && name;
}

// At least one node is asked for: without one, the versions of an empty graph look like a string of a
// profile.
bool IsProfile(std::string_view bytes) {
  bool node = false;
  const bool known = AllFields(bytes, [&](const Field& f) {
    switch (f.number) {
      case 1:
        return f.is_bytes() && AllFields(f.bytes, [&](const Field& e) {
                 if (e.number == 1) return e.is_varint();
                 node = e.number == 2 && e.is_bytes() && IsProfileNode(e.bytes);
                 return node;
               });
      case 2:
      case 5:
        return f.is_varint();
      case 3:
        return f.is_varint() || f.is_bytes();
      case 4:
        return f.is_bytes() && AllFields(f.bytes, IsStringEntry);
      default:
        return false;
    }
  });
  return known && node;
}

bool IsMetaGraph(std::string_view bytes) {
  bool graph = false;
  const bool known = AllFields(bytes, [&](const Field& f) {
    if (f.number == 2) graph |= f.is_bytes() && IsGraphDef(f.bytes);
    return f.is_bytes() && f.number <= 7;
  });
  return known && graph;
}

bool IsSavedModel(std::string_view bytes) {
  return AllFields(bytes, [](const Field& f) {
    return f.number == 1 ? f.is_varint() : f.number == 2 && f.is_bytes() && IsMetaGraph(f.bytes);
  });
}

}  // namespace

FileKind SniffWire(std::string_view bytes) {
  constexpr std::string_view kTableMagic("\x57\xFB\x80\x8B\x24\x75\x47\xDB", 8);
  if (bytes.ends_with(kTableMagic)) return FileKind::kCheckpointIndex;
  if (bytes.substr(0, 64).find("brain.Event:") != std::string_view::npos) return FileKind::kEventFile;
  if (IsSavedModel(bytes)) return FileKind::kSavedModel;
  if (IsRunMetadata(bytes)) return FileKind::kRunMetadata;
  if (IsProfile(bytes)) return FileKind::kProfile;
  if (IsMetaGraph(bytes)) return FileKind::kMetaGraph;
  if (IsOpLog(bytes)) return FileKind::kOpLog;
  if (IsGraphDef(bytes)) return FileKind::kGraphDef;
  return FileKind::kUnknown;
}

std::string_view KindName(FileKind kind) {
  switch (kind) {
    case FileKind::kGraphDef:
      return "GraphDef";
    case FileKind::kRunMetadata:
      return "RunMetadata";
    case FileKind::kOpLog:
      return "OpLogProto";
    case FileKind::kProfile:
      return "ProfileProto";
    case FileKind::kMetaGraph:
      return "MetaGraphDef";
    case FileKind::kSavedModel:
      return "SavedModel";
    case FileKind::kCheckpointIndex:
      return "checkpoint";
    case FileKind::kEventFile:
      return "event file";
    case FileKind::kUnknown:
      break;
  }
  return "unknown";
}

}  // namespace tfprof
