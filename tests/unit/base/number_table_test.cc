#include "base/number_table.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/hash.h"

namespace tfprof {
namespace {

// Texts, each with the number of its place.
class Texts {
 public:
  explicit Texts(size_t room = 0) : numbers_(room) {}

  uint32_t Find(const std::string& text, uint64_t hash) const { return numbers_[Locate(text, hash)]; }
  uint32_t Insert(const std::string& text, uint64_t hash) {
    const size_t slot = Locate(text, hash);
    if (numbers_[slot] != NumberTable::kNone) return numbers_[slot];
    numbers_.Set(slot, hash, static_cast<uint32_t>(texts_.size()));
    texts_.push_back(text);
    hashes_.push_back(hash);
    if (texts_.size() > numbers_.room()) {
      numbers_.Clear(texts_.size() * 2);
      for (uint32_t i = 0; i < texts_.size(); ++i) numbers_.Add(hashes_[i], i);
    }
    return static_cast<uint32_t>(texts_.size() - 1);
  }
  size_t compared() const { return compared_; }

 private:
  size_t Locate(const std::string& text, uint64_t hash) const {
    return numbers_.Locate(hash, [&](uint32_t number) {
      ++compared_;
      return texts_[number] == text;
    });
  }

  NumberTable numbers_;
  std::vector<std::string> texts_;
  std::vector<uint64_t> hashes_;
  mutable size_t compared_ = 0;
};

std::string TextOf(uint32_t n) { return "layer_" + std::to_string(n); }

TEST(NumberTable, FindsWhatWasPutThereAndNothingElse) {
  Texts texts;
  constexpr uint32_t kCount = 100000;
  for (uint32_t n = 0; n < kCount; ++n) EXPECT_EQ(texts.Insert(TextOf(n), HashText(TextOf(n), 7)), n);
  for (uint32_t n = 0; n < kCount; ++n) {
    EXPECT_EQ(texts.Find(TextOf(n), HashText(TextOf(n), 7)), n);
    EXPECT_EQ(texts.Insert(TextOf(n), HashText(TextOf(n), 7)), n);
  }
  EXPECT_EQ(texts.Find("other", HashText("other", 7)), NumberTable::kNone);
}

// A full table has many that collide; hardly any of them are looked at.
TEST(NumberTable, WhatCollidesIsToldApartByItsHash) {
  constexpr uint32_t kCount = 40000;
  Texts texts(kCount);
  for (uint32_t n = 0; n < kCount; ++n) texts.Insert(TextOf(n), HashText(TextOf(n), 7));
  EXPECT_LT(texts.compared(), kCount / 1000);
}

// As if a file were made for it: all hashes are the same.
TEST(NumberTable, EqualHashesOfOthersAreOthers) {
  Texts texts;
  for (const uint64_t hash : {uint64_t{0}, ~uint64_t{0}}) {
    for (uint32_t n = 0; n < 500; ++n) texts.Insert(TextOf(n) + std::to_string(hash), hash);
    for (uint32_t n = 0; n < 500; ++n)
      EXPECT_EQ(texts.Find(TextOf(n) + std::to_string(hash), hash), n + (hash ? 500 : 0));
  }
}

TEST(NumberTable, HasTheRoomThatWasAskedFor) {
  for (const size_t room : {0, 1, 700, 1024, 1025, 100000, 1 << 20})
    EXPECT_GE(NumberTable(room).room(), room);
}

}  // namespace
}  // namespace tfprof
