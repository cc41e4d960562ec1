// The table of fuzz targets: one for each reader of bytes from outside, and one for everything from bytes to
// report. `replay` runs the corpora through it as an ordinary test, `fuzz_all` (libFuzzer) looks for inputs
// that no corpus has.
#pragma once

#include <span>
#include <string_view>

namespace tfprof {

// How a target's inputs are made, so that what was changed still gets past the outermost checks.
enum class Structure {
  kText,     // bytes as they come, with a dictionary
  kWire,     // protobuf: whole fields are changed, lengths fit
  kPacked,   // protobuf, or gzip of it: changed inside, packed again
  kRecords,  // records of an event file, with checksums, of protobuf
  kArchive,  // a zip archive: one of its files is changed
  kEntries,  // a letter, then keys and values of protobuf, as checkpoint.cc takes them
};

struct FuzzTarget {
  std::string_view name;  // corpus/NAME, dict/NAME.dict, NAME.cc
  void (*run)(std::string_view bytes);
  Structure structure;
};

std::span<const FuzzTarget> FuzzTargets();
const FuzzTarget* FindFuzzTarget(std::string_view name);  // null: there is none

void FuzzCheckpoint(std::string_view bytes);
void FuzzCommand(std::string_view text);
void FuzzEventFile(std::string_view bytes);
void FuzzFlopsRules(std::string_view text);
void FuzzGraphDef(std::string_view bytes);
void FuzzHdf5(std::string_view bytes);
void FuzzHlo(std::string_view bytes);
void FuzzHttpRequest(std::string_view text);
void FuzzKeras(std::string_view bytes);
void FuzzKerasConfig(std::string_view text);
void FuzzLimits(std::string_view text);
void FuzzLoad(std::string_view bytes);
void FuzzMemoryProfile(std::string_view bytes);
void FuzzModel(std::string_view bytes);
void FuzzOomDump(std::string_view bytes);
void FuzzOomLog(std::string_view text);
void FuzzOpLog(std::string_view bytes);
void FuzzOptionValue(std::string_view text);
void FuzzPatterns(std::string_view text);
void FuzzProfileProto(std::string_view bytes);
void FuzzPromptLine(std::string_view text);
void FuzzQuery(std::string_view text);
void FuzzRunIdentity(std::string_view text);
void FuzzRunMetadata(std::string_view bytes);
void FuzzScopeFile(std::string_view text);
void FuzzSite(std::string_view text);
void FuzzSniff(std::string_view bytes);
void FuzzTextProto(std::string_view text);
void FuzzXPlane(std::string_view bytes);

}  // namespace tfprof
