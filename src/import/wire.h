// Walking protobuf wire format where damage must be survived: the outer levels of a file. Leaf messages are
// decoded with protozero, whose exceptions are turned into Damaged() here, so that one bad record costs one
// record.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "model/profile_builder.h"
#include "proto/field_walker.h"
#include "proto/wire.h"
#include "tfprof/result.h"

namespace tfprof {

// One input file in wire form; `bytes` is what offsets in messages count from.
struct WireFile {
  std::string path;
  std::string_view bytes;

  mutable bool cut_reported = false;  // a file that ends too early ends too early at every level: say it once

  size_t OffsetOf(const char* position) const { return static_cast<size_t>(position - bytes.data()); }
};

// Calls `handle(const Field&) -> Status` for every field of `message`, which lies in `file`. Damage inside a
// field is counted under `what` and costs that field; damage of the framing ends the walk.
template <class Handle>
Status ForEachField(const WireFile& file, std::string_view message, ProfileBuilder& builder, const char* what,
                    Handle&& handle) {
  FieldWalker walker(message);
  Field field;
  for (uint32_t count = 1; walker.Next(&field); ++count) {
    if (count % 4096 == 0) builder.Progress(file.OffsetOf(walker.position()));
    // What a cut field still holds is worth reading only when the user wants what is left.
    if (walker.damaged() && !builder.keep_going()) break;
    const char* start = walker.position();
    Prefetch(field, message, 2048);
    try {
      if (Status s = handle(static_cast<const Field&>(field)); !s) return s;
    } catch (const protozero::exception& e) {
      if (walker.damaged()) break;  // the field is cut: the message below says so
      Status s = builder.Damaged(
          fmt::format("damaged {}", what),
          fmt::format("{}: damaged {} at byte {}: {}", file.path, what, file.OffsetOf(start), ProblemOf(e)));
      if (!s) return s;
    }
  }
  if (!walker.damaged()) return {};
  if (message.data() + message.size() == file.bytes.data() + file.bytes.size()) {
    if (file.cut_reported) return {};
    file.cut_reported = true;
  }
  return builder.Damaged(fmt::format("cut {}", what),
                         fmt::format("{}: {} at byte {} of {}; the file is damaged or cut short", file.path,
                                     walker.problem(), file.OffsetOf(walker.position()), file.bytes.size()));
}

}  // namespace tfprof
