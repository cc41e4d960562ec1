#include "oom/dump_lines.h"

#include <array>

#include "oom/line.h"

namespace tfprof::oom {
namespace {

using Kind = DumpLine::Kind;
constexpr std::string_view kRanOut = " ran out of memory trying to allocate ";

// A size, or a plain integer where the allocator of that time printed one.
std::optional<Size> TakeSizeOrInteger(std::string_view* text) {
  if (const std::optional<Size> size = TakeSize(text)) return size;
  const std::string_view before = *text;
  const std::optional<int64_t> value = TakeInteger(text);
  if (!value) return std::nullopt;
  return Size{*value, 0, before.substr(0, before.size() - text->size())};
}

// What both kinds of request lines say behind the size.
void ReadRequestTail(std::string_view rest, DumpLine* line) {
  std::string_view rounded = rest;
  if (TakeText(&rounded, " (rounded to ")) {
    const std::optional<int64_t> bytes = TakeInteger(&rounded);
    if (bytes && rounded.starts_with(')')) line->rounded = bytes;
  }
  static constexpr std::string_view kBy = "requested by op ";
  if (const size_t by = rest.find(kBy); by != kNowhere) {
    line->op = WithoutBlanksBehind(rest.substr(by + kBy.size()));
    DropBlanks(&line->op);
  }
  line->not_a_failure = rest.find("The caller indicates that this is not a failure") != kNowhere;
  line->repeats = rest.find("freed_by_count=") != kNowhere;
}

bool ReadRequest(std::string_view body, DumpLine* line) {
  if (TakeText(&body, "Ran out of memory trying to allocate ")) {
    line->kind = Kind::kLateRequest;
  } else {
    if (!TakeText(&body, "Allocator (")) return false;
    int tries = kTries;  // a name may have brackets of its own
    for (size_t at = body.find(')'); at != kNowhere && tries-- > 0; at = body.find(')', at + 1)) {
      if (!body.substr(at + 1).starts_with(kRanOut)) continue;
      line->name = body.substr(0, at);
      body.remove_prefix(at + 1 + kRanOut.size());
      line->kind = Kind::kRequest;
      break;
    }
    if (line->kind != Kind::kRequest) return false;
  }
  const std::optional<Size> size = TakeSize(&body);
  if (!size) {
    line->kind = Kind::kNone;
    return false;
  }
  line->size = *size;
  ReadRequestTail(body, line);
  return true;
}

std::optional<uint64_t> TakeHex(std::string_view* text) {
  TakeText(text, "0x");
  uint64_t value = 0;
  size_t i = 0;
  for (; i < text->size(); ++i) {
    const char c = (*text)[i];
    const int digit = c >= '0' && c <= '9'   ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : -1;
    if (digit < 0) break;
    value = value << 4 | static_cast<uint64_t>(digit);
  }
  if (i == 0) return std::nullopt;
  text->remove_prefix(i);
  return value;
}

// The annotation of JAX, or the op that debug builds print; both may have blanks inside.
std::string_view Holder(std::string_view rest) {
  static constexpr std::string_view kAnnotation = " allocation_annotation ", kOp = " by op ";
  if (const size_t at = rest.find(kAnnotation); at != kNowhere) {
    const std::string_view text = rest.substr(at + kAnnotation.size());
    return WithoutBlanksBehind(text.substr(0, text.rfind(" next ")));
  }
  if (const size_t at = rest.find(kOp); at != kNowhere) {
    const std::string_view text = rest.substr(at + kOp.size());
    const size_t count = text.rfind(" action_count ");
    return WithoutBlanksBehind(text.substr(0, count != kNowhere ? count : text.rfind(" next ")));
  }
  return {};
}

bool ReadChunk(std::string_view body, DumpLine* line) {
  if (TakeText(&body, "InUse at ") || TakeText(&body, "Chunk at ")) {
    line->in_use = true;
  } else if (!TakeText(&body, "Free  at ")) {
    return false;
  }
  const std::optional<uint64_t> address = TakeHex(&body);
  if (!address) return false;
  if (TakeText(&body, " next ") && !TakeInteger(&body)) return false;
  if (!TakeText(&body, " of size ")) return false;
  const std::optional<int64_t> size = TakeWholeInteger(&body);
  if (!size) return false;
  line->kind = Kind::kChunk;
  line->address = *address;
  line->bytes = *size;
  line->holder = Holder(body);
  return true;
}

bool ReadRegion(std::string_view body, DumpLine* line) {
  if (!TakeText(&body, "Next region of size ")) return false;
  const std::optional<int64_t> size = TakeWholeInteger(&body);
  if (!size) return false;
  line->kind = Kind::kRegion;
  line->bytes = *size;
  return true;
}

bool ReadRow(std::string_view body, DumpLine* line) {
  const std::optional<int64_t> count = TakeInteger(&body);
  if (!count || !TakeText(&body, " Chunks of size ")) return false;
  const std::optional<int64_t> size = TakeWholeInteger(&body);
  if (!size || !body.starts_with(" totalling ")) return false;
  line->kind = Kind::kSummaryRow;
  line->count = *count;
  line->bytes = *size;
  return true;
}

// Each value stands behind its words; words[0] is at the front of the line.
bool ReadPoolFields(std::string_view body, const std::array<std::string_view, 3>& words,
                    const std::array<std::optional<Size>*, 3>& values) {
  for (size_t i = 0; i < words.size(); ++i) {
    if (!TakeText(&body, words[i])) return false;
    *values[i] = TakeSizeOrInteger(&body);
    if (!*values[i]) return false;
  }
  return true;
}

bool ReadPool(std::string_view body, DumpLine* line) {
  line->kind = Kind::kPool;
  std::optional<Size>*pool = &line->pool, *limit = &line->limit, *left = &line->unallocated;
  if (ReadPoolFields(body, {"Total size in pool: ", " memory_limit_: ", " available size: "},
                     {pool, limit, left})) {
    return true;
  }
  if (ReadPoolFields(body, {"total_region_allocated_bytes_: ", " memory_limit_: ", " available bytes: "},
                     {pool, limit, left})) {
    return true;
  }
  const size_t at = body.find("unallocated bytes ");
  if (body.starts_with("Allocator memory summary: ") && at != kNowhere &&
      ReadPoolFields(body.substr(at), {"unallocated bytes ", ", pool size ", ", pool limit "},
                     {left, pool, limit})) {
    return true;
  }
  *line = DumpLine();
  return false;
}

bool ReadStat(std::string_view body, DumpLine* line) {
  const size_t colon = body.find(':');
  if (colon == kNowhere) return false;
  for (const std::string_view name : kStatNames) {
    if (body.substr(0, colon) != name) continue;
    std::string_view rest = body.substr(colon + 1);
    DropBlanks(&rest);
    const std::optional<Size> size = TakeSizeOrInteger(&rest);
    if (!size || !WithoutBlanksBehind(rest).empty()) return false;
    line->kind = Kind::kStat;
    line->name = name;
    line->size = *size;
    return true;
  }
  return false;
}

bool IsPicture(std::string_view body) {
  return body.size() >= 100 && body.substr(0, 100).find_first_not_of("*_x") == kNowhere;
}

DumpLine Marker(Kind kind, std::string_view name = {}) {
  DumpLine line;
  line.kind = kind;
  line.name = name;
  return line;
}

}  // namespace

DumpLine ReadDumpLine(std::string_view body) {
  DumpLine line;
  if (body.empty()) return line;
  switch (body[0]) {  // most lines are none; the first character tells
    case 'A':
      if (ReadRequest(body, &line) || ReadPool(body, &line)) return line;
      if (body.starts_with("Allocator region growth hint: ") && body.find("growth disabled") != kNowhere) {
        return Marker(Kind::kFixedPool);
      }
      return line;
    case 'R':
      ReadRequest(body, &line);
      return line;
    case 'B':
      return TakeText(&body, "BFCAllocator dump for ") ? Marker(Kind::kDumpFor, WithoutBlanksBehind(body))
                                                       : line;
    case 'S':
      if (body.starts_with("Summary of in-use Chunks by size:")) return Marker(Kind::kSummaryBegins);
      if (body.starts_with("Sum Total of in-use chunks: ")) return Marker(Kind::kSummaryDone);
      return body.starts_with("Stats:") ? Marker(Kind::kStatsBegin) : line;
    case '*':
    case '_':
    case 'x':
      return IsPicture(body) ? Marker(Kind::kPicture) : line;
    default:
      break;
  }
  if (ReadChunk(body, &line) || ReadRegion(body, &line) || ReadPool(body, &line) || ReadStat(body, &line))
    return line;
  line = DumpLine();
  ReadRow(body, &line);
  return line;
}

size_t FindRequest(std::string_view line) {
  int tries = kTries;
  for (size_t at = line.find("Allocator ("); at != kNowhere && tries-- > 0;
       at = line.find("Allocator (", at + 1)) {
    DumpLine read;
    if (ReadRequest(line.substr(at), &read)) return at;
  }
  return kNowhere;
}

}  // namespace tfprof::oom
