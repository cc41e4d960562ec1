// Distinct id types, and columns that only the right id can index: a NodeId cannot be used where a ShapeId is
// meant. An id is a 32-bit index; the default value means "none".
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

#include "tfprof/big_vector.h"

namespace tfprof {

template <class Tag>
struct Id {
  static constexpr uint32_t kNone = std::numeric_limits<uint32_t>::max();

  uint32_t value = kNone;

  constexpr Id() = default;
  constexpr explicit Id(size_t index) : value(static_cast<uint32_t>(index)) {}
  constexpr bool valid() const { return value != kNone; }
  constexpr explicit operator bool() const { return valid(); }
  friend constexpr auto operator<=>(Id, Id) = default;
};

using NodeId = Id<struct NodeTag>;      // a node of the profile, in order of first appearance
using StringId = Id<struct StringTag>;  // an interned string
using ShapeId = Id<struct ShapeTag>;    // an interned shape; none = no such attribute
using SetId = Id<struct SetTag>;        // an interned sorted set of strings (types, devices)
using DeviceId = Id<struct DeviceTag>;  // a device, or a stream or thread of one
using FrameId = Id<struct FrameTag>;    // one line of Python in a call stack
using StackId = Id<struct StackTag>;    // a call stack: its innermost frame and the stack above it

// A vector indexed by an id.
template <class I, class T>
class Column {
 public:
  Column() = default;
  explicit Column(size_t size, T value = T()) : data_(size, value) {}

  T& operator[](I id) { return data_[id.value]; }
  const T& operator[](I id) const { return data_[id.value]; }
  size_t size() const { return data_.size(); }
  bool empty() const { return data_.empty(); }
  I push_back(T value) {
    data_.push_back(std::move(value));
    return I(data_.size() - 1);
  }
  void resize(size_t size, T value = T()) { data_.resize(size, value); }
  void reserve(size_t size) { data_.reserve(size); }
  auto begin() const { return data_.begin(); }
  auto end() const { return data_.end(); }
  auto begin() { return data_.begin(); }
  auto end() { return data_.end(); }

 private:
  BigVector<T> data_;
};

}  // namespace tfprof
