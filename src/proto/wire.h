// Decoding single protobuf messages with protozero, in place and without descriptors. Readers in this room
// throw protozero::exception on malformed bytes; who calls them decides what damage means: importers call
// them inside ForEachField (import/wire.h), which counts it, others inside Survives(), which makes it "not
// there".
#pragma once

#include <cstdint>
#include <protozero/pbf_reader.hpp>
#include <string_view>
#include <utility>

namespace tfprof {

// What a protozero exception means, in words for a message.
const char* ProblemOf(const protozero::exception& exception);

// Runs `read`; false where what it read is damaged.
template <class Read>
bool Survives(Read&& read) {
  try {
    std::forward<Read>(read)();
    return true;
  } catch (const protozero::exception&) {
    return false;
  }
}

// Case labels for `switch (reader.tag_and_type())`: a field of a known number but of the wrong type falls to
// skip().
constexpr uint32_t VarintTag(uint32_t field) {
  return protozero::tag_and_type(field, protozero::pbf_wire_type::varint);
}
constexpr uint32_t BytesTag(uint32_t field) {
  return protozero::tag_and_type(field, protozero::pbf_wire_type::length_delimited);
}

inline protozero::pbf_reader Reader(std::string_view message) {
  return protozero::pbf_reader(protozero::data_view(message.data(), message.size()));
}
inline std::string_view View(protozero::data_view view) { return {view.data(), view.size()}; }

}  // namespace tfprof
