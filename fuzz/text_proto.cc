#include "import/text_proto.h"

#include "target.h"

namespace tfprof {

void FuzzTextProto(std::string_view text) {
  using namespace tfprof::import_text;
  const MessageType type = GuessTextMessage(text).value_or(MessageType::kGraphDef);
  TextStats stats;
  const Result<std::string> wire = TextToWire(text, type, "fuzzed", &stats);
  if (wire) {
    FieldWalker walker(*wire);
    tfprof::Field field;
    while (walker.Next(&field)) {
    }
    Require(!walker.damaged(), "text becomes well-formed wire");
    return;
  }
  Require(wire.error().message.starts_with("fuzzed:"), "an error names the file and the place");
  Require(TextToWire(ReadablePart(text, type), type, "fuzzed", nullptr).ok(),
          "the readable part is readable");
}

}  // namespace tfprof
