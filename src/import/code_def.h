// CodeDef: the Python call stacks of op logs and saved profiles, in both generations (strings, or ids of
// strings).
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/string_pool.h"
#include "import/wire.h"
#include "model/profile_builder.h"
#include "tfprof/result.h"

namespace tfprof {

// Reads the CodeDefs of one file. Equal bytes are equal stacks, so each distinct stack is decoded once: in
// real logs a thousand stacks stand for a million nodes.
class CodeDefReader {
 public:
  explicit CodeDefReader(ProfileBuilder& builder) : builder_(builder) {}

  // One entry of the file's id_to_string map; all must be added before the first Read(), or Finish().
  Status AddString(std::string_view map_entry);

  // None for a CodeDef without frames. Throws protozero::exception on malformed bytes.
  Result<StackId> Read(std::string_view code_def);

  // The same for files whose map comes last: what Add() says of nodes they get in Finish(). `known` is what
  // code_defs() has the CodeDef as, if anything.
  StringPool& code_defs() { return seen_; }
  void Expect(size_t nodes) { added_.reserve(nodes); }               // about so many
  void Add(NodeId node, std::string_view code_def, StringId known);  // throws as Read() does
  Status Finish();

 private:
  Result<StackId> StackOf(StringId code_def);
  StringId Resolve(bool has_id, int64_t id, StringId text) const;

  ProfileBuilder& builder_;
  std::unordered_map<int64_t, StringId> strings_;
  StringPool seen_;  // raw bytes of CodeDefs
  Column<StringId, StackId> stacks_;
  std::vector<FrameId> frames_;
  struct Added {
    NodeId node;
    StringId code_def;
  };
  BigVector<Added> added_;
  Column<StringId, uint8_t> sound_;  // can be read
};

}  // namespace tfprof
