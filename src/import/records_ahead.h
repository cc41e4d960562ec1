// The records of a file, decoded ahead of the import, on other threads where there are any (base/ahead.h).
// The import walks the file in its order and asks for each record by the bytes that it meets; what is
// damaged, or lies behind damage, is not there: the import decodes that itself, so that damage is met in one
// place, whatever the number of threads.
//
//   struct Record { std::string_view source; bool damaged = false; ... };
//   struct Batch { std::vector<Record> records; void Clear(); ... };
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <utility>

#include "base/ahead.h"
#include "base/map_ahead.h"
#include "proto/field_walker.h"

namespace tfprof {

template <class Batch>
class RecordsAhead {
 public:
  using Record = typename decltype(Batch::records)::value_type;
  // The next record of the file; false at the end, or where it is too damaged to go on. Runs ahead of the
  // import.
  using NextSource = std::function<bool(std::string_view*)>;

  // `decode(batch)` fills in the records, whose sources are set. `bytes` is the size of all.
  RecordsAhead(size_t bytes, NextSource next, typename Ahead<Batch>::Make decode)
      : ahead_([next = std::move(next)](Batch* batch) { return Cut(next, batch); }, std::move(decode),
               ThreadsFor(bytes)) {}

  // The record of these bytes, with its batch in batch(); null: decode it.
  const Record* Find(std::string_view source) {
    while (!ended_ && (batch_ == nullptr || !Reach(source.data()))) {
      batch_ = ahead_.Next();
      ended_ = batch_ == nullptr;
      batches_ += !ended_;
      next_ = 0;
    }
    if (ended_) return nullptr;
    const Record& record = batch_->records[next_];
    const bool same = record.source.data() == source.data() && record.source.size() == source.size();
    return same && !record.damaged ? &record : nullptr;
  }
  const Batch* batch() const { return batch_; }
  size_t batches() const { return batches_; }  // how many there were up to this one

  // About how many records `bytes` hold, by the size of those in this batch.
  size_t AboutAll(size_t bytes) const {
    constexpr size_t kLeast = 64;  // whatever the first ones look like, tables stay in proportion to the file
    const auto& records = batch_->records;
    const char* const begin = records.front().source.data();
    const char* const end = records.back().source.data() + records.back().source.size();
    const size_t size = std::max(static_cast<size_t>(end - begin) / records.size(), kLeast);
    return std::max(records.size(), bytes / size);
  }

 private:
  static constexpr size_t kTogether = 256;

  static bool Cut(const NextSource& next, Batch* batch) {
    batch->Clear();
    std::string_view source;
    while (batch->records.size() < kTogether && next(&source)) batch->records.emplace_back().source = source;
    return !batch->records.empty();
  }

  // Steps over the records before these bytes; false where the batch has no others.
  bool Reach(const char* source) {
    while (next_ < batch_->records.size() && batch_->records[next_].source.data() < source) ++next_;
    return next_ < batch_->records.size();
  }

  const Batch* batch_ = nullptr;
  size_t next_ = 0;  // of batch_
  size_t batches_ = 0;
  bool ended_ = false;
  Ahead<Batch> ahead_;
};

// Asks for the memory a batch behind this record, which is walked next: while a record is decoded the
// processor has nothing else to wait for, and between two fields it has nothing else to do. (A call of a
// function that only fetches ahead has no effect as g++ sees it, and is left out unless it is inlined.)
template <class Batch>
[[gnu::always_inline]] inline void AskForNext(const Batch& batch,
                                              const typename decltype(Batch::records)::value_type& record) {
  constexpr uintptr_t kLine = 64, kMost = 4096;
  const std::string_view first = batch.records.front().source, last = batch.records.back().source;
  const uintptr_t span = static_cast<uintptr_t>(last.data() - first.data()) + last.size();
  const uintptr_t begin = reinterpret_cast<uintptr_t>(record.source.data()) + span;
  const uintptr_t size = std::min<uintptr_t>(record.source.size(), kMost);
  for (uintptr_t at = 0; at < size; at += kLine)
    __builtin_prefetch(reinterpret_cast<const void*>(begin + at));
}

// The messages in field `number` of a message.
class FieldsOf {
 public:
  FieldsOf(std::string_view message, uint32_t number)
      : message_(message), walker_(message), number_(number) {}

  bool operator()(std::string_view* bytes) {
    Field field;
    while (walker_.Next(&field)) {
      if (field.number != number_ || !field.is_bytes()) continue;
      Map(field.bytes.data());
      *bytes = field.bytes;
      return true;
    }
    return false;
  }

 private:
  static constexpr size_t kMapped = size_t{1} << 20;

  // Pages of a mapped file that were never touched cannot be fetched ahead, and touching them one by one
  // takes longer.
  void Map(const char* at) {
    const auto position = static_cast<size_t>(at - message_.data());
    if (position + kMapped / 2 < mapped_ || mapped_ == message_.size()) return;
    const size_t begin = std::max(position, mapped_);
    mapped_ = std::min(begin + kMapped, message_.size());
    MapAhead(message_.substr(begin, mapped_ - begin));
  }

  std::string_view message_;
  FieldWalker walker_;
  uint32_t number_;
  size_t mapped_ = 0;  // so many bytes, or more
};

}  // namespace tfprof
