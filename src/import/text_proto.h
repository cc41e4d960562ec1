// Reads protobuf's text format (`.pbtxt`) by turning it into the wire form of the same message, so that every
// importer has one thing to read: wire form. The tables of text_schema.h say what the names mean.
//
// What is forgiven: fields the tables do not know, whatever they hold, are skipped and counted in TextStats.
// A singular field given twice stays twice in the output; readers of wire form take the last, or merge. What
// is an error: text that is no text format, a value that does not fit its field. The message names file, line
// and column. `string` and `bytes` fields are treated alike: bytes that are not UTF-8 pass through, as they
// would in a binary file.
//
// Cost: one pass over the text, linear in time and memory whatever it holds; no allocation per token. The
// output is the caller's and refers to nothing of the input. Nothing recurses: nesting deeper than
// kMaxTextDepth is an error.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "import/text_schema.h"
#include "tfprof/result.h"

namespace tfprof::import_text {

inline constexpr size_t kMaxTextDepth = 1000;

struct TextStats {
  int64_t unknown_fields = 0;  // outermost ones: what is inside an unknown field is not counted again
  std::string first_unknown;   // "'colour' of NodeDef, line 12"
};

// The kind of file this text looks like, by the names of its first fields, or nullopt where it is no text or
// none of the seven. Reads on only while the names could belong to several kinds; does not check the rest of
// the file.
std::optional<MessageType> GuessTextMessage(std::string_view text);

// The wire form of `text`, which holds one `message`. `file` is named in errors:
//   graph.pbtxt:12:7: expected a value for 'op', found '}'
// `stats` may be null; else it is overwritten.
Result<std::string> TextToWire(std::string_view text, MessageType message, std::string_view file,
                               TextStats* stats);

// For text that TextToWire refuses: all before the field it stopped at, closed so that TextToWire reads it.
std::string ReadablePart(std::string_view text, MessageType message);

}  // namespace tfprof::import_text
