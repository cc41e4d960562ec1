// A text buffer that empties itself into a sink: writers append, nothing grows with the report.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <exception>
#include <functional>
#include <iterator>
#include <string_view>
#include <utility>

#include "base/format.h"

namespace tfprof {

// At `at`, which has room for it; gives its end.
inline constexpr size_t kNumberRoom = 20;
[[gnu::always_inline]] inline char* PutNumber(int64_t value, char* at) {
  const auto digit = [](int64_t number) { return static_cast<char>('0' + number); };
  if (value < 0 || value >= 1000) return std::to_chars(at, at + kNumberRoom, value).ptr;
  if (value >= 100) *at++ = digit(value / 100);  // most are short
  if (value >= 10) *at++ = digit(value / 10 % 10);
  *at++ = digit(value % 10);
  return at;
}
// Most texts are short, and copied by two moves that overlap.
[[gnu::always_inline]] inline char* PutText(std::string_view text, char* at) {
  const char* const from = text.data();
  const size_t size = text.size();
  const auto ends = [&](auto word) __attribute__((always_inline)) {
    constexpr size_t kSize = sizeof word;
    auto last = word;
    std::memcpy(&word, from, kSize);
    std::memcpy(&last, from + size - kSize, kSize);
    std::memcpy(at, &word, kSize);
    std::memcpy(at + size - kSize, &last, kSize);
  };
  if (size > 16) {
    std::memcpy(at, from, size);
  } else if (size >= 8) {
    ends(uint64_t{});
  } else if (size >= 4) {
    ends(uint32_t{});
  } else if (size >= 2) {
    ends(uint16_t{});
  } else if (size == 1) {
    *at = *from;
  }
  return at + size;
}

class Output {
 public:
  using Sink = std::function<void(std::string_view)>;

  explicit Output(Sink sink) : sink_(std::move(sink)) {}
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;
  // The sink may run out of memory; what already failed is not made worse.
  ~Output() noexcept(false) {
    if (std::uncaught_exceptions() == 0) Flush();
  }

  void Write(std::string_view text) {
    Compose(text.size(), [text](char* at) { return PutText(text, at); });
  }
  template <class... Args>
  void Format(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(buffer_), format, std::forward<Args>(args)...);
    if (buffer_.size() > kChunk) Flush();
  }
  void Spaces(size_t count) {
    Compose(count, [count](char* at) { return std::fill_n(at, count, ' '); });
  }
  // Room for so many characters at least; `fill` writes at `at` and gives where it ended. What is written a
  // million times is composed in place.
  template <class Fill>
  void Compose(size_t room, Fill fill) {
    const size_t size = buffer_.size();
    buffer_.reserve(size + room);
    char* const at = buffer_.data() + size;
    buffer_.resize(size + static_cast<size_t>(fill(at) - at));
    if (buffer_.size() > kChunk) Flush();
  }
  void Number(int64_t value) {
    Compose(kNumberRoom, [value](char* at) { return PutNumber(value, at); });
  }
  void Flush() {
    if (buffer_.size() > 0) sink_({buffer_.data(), buffer_.size()});
    buffer_.clear();
  }

  // The interface that RapidJSON's Writer wants of a stream.
  using Ch = char;
  void Put(char c) {
    buffer_.push_back(c);
    if (buffer_.size() > kChunk) Flush();
  }

 private:
  static constexpr size_t kChunk = 1 << 16;

  Sink sink_;
  fmt::memory_buffer buffer_;
};

}  // namespace tfprof
