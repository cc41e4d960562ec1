// Numbers at offsets of a file that may say anything: what lies outside reads as 0.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace tfprof {

class LittleEndian {
 public:
  explicit LittleEndian(std::string_view bytes) : bytes_(bytes) {}

  std::string_view bytes() const { return bytes_; }
  bool Fits(uint64_t offset, uint64_t size) const {
    return offset <= bytes_.size() && size <= bytes_.size() - offset;
  }
  bool Has(uint64_t offset, std::string_view signature) const {
    return Fits(offset, signature.size()) && bytes_.substr(offset, signature.size()) == signature;
  }
  template <class T>
  T At(uint64_t offset) const {
    T value{};
    if (Fits(offset, sizeof value)) std::memcpy(&value, bytes_.data() + offset, sizeof value);
    return value;
  }
  uint64_t Number(uint64_t offset, uint64_t width) const {
    uint64_t value = 0;
    if (width <= sizeof value && Fits(offset, width)) std::memcpy(&value, bytes_.data() + offset, width);
    return value;
  }
  std::string_view Slice(uint64_t offset, uint64_t size) const {
    return Fits(offset, size) ? bytes_.substr(offset, size) : std::string_view();
  }
  // Up to the next zero byte; "" where there is none within `most`.
  std::string_view Text(uint64_t offset, uint64_t most) const {
    if (offset >= bytes_.size()) return {};
    const std::string_view rest = bytes_.substr(offset, most);
    const size_t end = rest.find('\0');
    return end == std::string_view::npos ? std::string_view() : rest.substr(0, end);
  }

 private:
  std::string_view bytes_;
};

}  // namespace tfprof
