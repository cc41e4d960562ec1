// Protobuf fields one after the other, inline and without exceptions: a capture has ten fields an event and
// millions of events. Damage ends the walk and is told; what was read before it stays.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace tfprof::xplane {

// Case labels for `switch (cursor.tag())`: a field of a known number but of another wire type is passed over.
constexpr uint32_t Varint(uint32_t field) { return field << 3; }
constexpr uint32_t Fixed64(uint32_t field) { return field << 3 | 1; }
constexpr uint32_t Bytes(uint32_t field) { return field << 3 | 2; }

// Moves `*next` behind the number that it is at. False: it is cut short or too long.
inline bool ReadVarint(const char** next, const char* end, uint64_t* value) {
  const char* at = *next;
  if (at != end && static_cast<unsigned char>(*at) < 0x80) [[likely]] {
    *value = static_cast<unsigned char>(*at);
    *next = at + 1;
    return true;
  }
  uint64_t result = 0;
  for (int shift = 0; shift < 70 && at != end; shift += 7) {
    const auto byte = static_cast<unsigned char>(*at++);
    result |= uint64_t{byte & 0x7Fu} << shift;
    if (byte >= 0x80) continue;
    *value = result;
    *next = at;
    return true;
  }
  return false;
}

class Cursor {
 public:
  explicit Cursor(std::string_view message) : next_(message.data()), end_(message.data() + message.size()) {}

  // False at the end and at damage. A field that the end cuts short is still given, with what there is of it;
  // damaged() is then set.
  bool Next() {
    if (next_ == end_ || problem_ != nullptr) return false;
    field_ = next_;
    uint64_t tag = 0;
    if (!Read(&tag)) return Fail("a field is cut short");
    if (tag >> 32 != 0 || tag < 8) return Fail("a field has no valid number");
    tag_ = static_cast<uint32_t>(tag);
    switch (tag & 7) {
      case 0:
        return Read(&value_) || Fail("a number is cut short or too long");
      case 1:
        return Fixed(8);
      case 2:
        return Length();
      case 5:
        return Fixed(4);
      default:
        return Fail("a field has an unknown wire type");
    }
  }

  // Goes on to the next field when it is of the same number as this one, which is length-delimited: repeated
  // fields without a look at what they are.
  bool NextAlike() {
    if (next_ == end_ || static_cast<unsigned char>(*next_) != tag_ || problem_ != nullptr) return false;
    field_ = next_++;
    return Length();
  }

  uint32_t tag() const { return tag_; }
  uint64_t value() const { return value_; }  // of varints and fixed numbers
  int64_t signed_value() const { return static_cast<int64_t>(value_); }
  double real() const { return std::bit_cast<double>(value_); }
  std::string_view bytes() const { return bytes_; }  // of length-delimited fields
  const char* position() const { return field_; }    // where the last field starts

  bool damaged() const { return problem_ != nullptr; }
  const char* problem() const { return problem_; }

 private:
  bool Fail(const char* problem) {
    problem_ = problem;
    return false;
  }

  bool Read(uint64_t* value) { return ReadVarint(&next_, end_, value); }

  bool Fixed(size_t size) {
    if (static_cast<size_t>(end_ - next_) < size) return Fail("a number is cut short");
    value_ = 0;
    std::memcpy(&value_, next_, size);  // little endian, as every machine this runs on
    next_ += size;
    return true;
  }

  bool Length() {
    uint64_t size = 0;
    if (!Read(&size)) return Fail("a length is cut short");
    const auto left = static_cast<uint64_t>(end_ - next_);
    if (size > left) problem_ = "a field is longer than what is left";
    bytes_ = {next_, static_cast<size_t>(size < left ? size : left)};
    next_ += bytes_.size();
    return true;
  }

  const char* next_;
  const char* end_;
  const char* field_ = nullptr;
  const char* problem_ = nullptr;
  uint32_t tag_ = 0;
  uint64_t value_ = 0;
  std::string_view bytes_;
};

// The numbers of a repeated varint field, which may be packed or single: calls use(uint64_t) for each.
template <class Use>
void ForEachNumber(const Cursor& field, Use&& use) {
  if ((field.tag() & 7) == 0) {
    use(field.value());
    return;
  }
  if ((field.tag() & 7) != 2) return;
  uint64_t value = 0;
  int shift = 0;
  for (const char c : field.bytes()) {
    const auto byte = static_cast<unsigned char>(c);
    if (shift < 64) value |= uint64_t{byte & 0x7Fu} << shift;
    shift += 7;
    if (byte >= 0x80) continue;
    use(value);
    value = 0;
    shift = 0;
  }
}

// The last length-delimited field of this number; "" when there is none.
inline std::string_view LastBytes(std::string_view message, uint32_t field) {
  std::string_view last;
  for (Cursor c(message); c.Next();) {
    if (c.tag() == Bytes(field)) last = c.bytes();
  }
  return last;
}

}  // namespace tfprof::xplane
