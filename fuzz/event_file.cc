// Event files: the records, and what lies in them as inputs of their own.
#include "import/event_file.h"

#include "target.h"

namespace tfprof {

void FuzzEventFile(std::string_view bytes) {
  const InputParts found = SplitEventFile(bytes, "fuzzed");
  for (const auto& [kind, message] : found.damage)
    Require(!kind.empty() && !message.empty(), "damage has a name and a message");
  for (const InputPart& part : found.parts) {
    Require(part.bytes.data() >= bytes.data() &&
                part.bytes.data() + part.bytes.size() <= bytes.data() + bytes.size(),
            "a part lies in the file");
    Require(part.step.value_or(0) >= 0, "steps are 0 and up");
    ImportEveryWay(part.bytes, [&](const WireFile& file, ProfileBuilder& builder) {
      return FormatOf(part.kind).import({file, file.path, part.step.value_or(0)}, builder);
    });
  }
}

}  // namespace tfprof
