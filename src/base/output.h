// A text buffer that empties itself into a sink: writers append, nothing grows with the report.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <functional>
#include <iterator>
#include <string_view>
#include <utility>

namespace tfprof {

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
    const size_t size = buffer_.size();
    buffer_.resize(size + text.size());
    std::copy(text.begin(), text.end(), buffer_.data() + size);
    if (buffer_.size() > kChunk) Flush();
  }
  template <class... Args>
  void Format(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(buffer_), format, std::forward<Args>(args)...);
    if (buffer_.size() > kChunk) Flush();
  }
  void Spaces(size_t count) {
    buffer_.resize(buffer_.size() + count);
    std::fill_n(buffer_.end() - count, count, ' ');
    if (buffer_.size() > kChunk) Flush();
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
