// Whole fields, for writers of nested values: what has Key(), BeginObject(), Text(), Number()... gets these.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace tfprof {

template <class Writer>
class FieldWriter {
 public:
  void Field(std::string_view key, std::string_view text) {
    self().Key(key);
    self().Text(text);
  }
  void Field(std::string_view key, std::optional<int64_t> value) {
    self().Key(key);
    value ? self().Number(*value) : self().Null();
  }
  template <class Fill>
  void Object(std::string_view key, Fill fill) {  // "": in a list, or all
    if (!key.empty()) self().Key(key);
    self().BeginObject();
    fill();
    self().EndObject();
  }
  template <class Fill>
  void Array(std::string_view key, Fill fill) {
    if (!key.empty()) self().Key(key);
    self().BeginArray();
    fill();
    self().EndArray();
  }
  template <class Items, class WriteOne>
  void List(std::string_view key, const Items& items, WriteOne write) {
    Array(key, [&] {
      for (const auto& item : items) write(item);
    });
  }
  template <class Texts>
  void TextList(std::string_view key, const Texts& texts) {
    List(key, texts, [this](std::string_view text) { self().Text(text); });
  }
  // Rows of a tree, parents first: an object stays open until a row that is not below it arrives. What has
  // nothing below it has an empty list of children, or none.
  template <class Depth, class WriteRow>
  void Tree(size_t rows, bool empty_lists, Depth depth, WriteRow write) {
    std::vector<uint32_t> open;  // depths of the rows whose children are being written
    const auto close = [&] {
      open.pop_back();
      self().EndArray();
      self().EndObject();
    };
    for (size_t r = 0; r < rows; ++r) {
      const uint32_t level = depth(r);
      while (!open.empty() && open.back() >= level) close();
      self().BeginObject();
      write(r);
      if (empty_lists || (r + 1 < rows && depth(r + 1) > level)) {
        self().Key("children");
        self().BeginArray();
        open.push_back(level);
      } else {
        self().EndObject();
      }
    }
    while (!open.empty()) close();
  }

 private:
  Writer& self() { return static_cast<Writer&>(*this); }
};

}  // namespace tfprof
