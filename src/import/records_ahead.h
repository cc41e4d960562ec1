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
#include <vector>

#include "base/ahead.h"
#include "base/map_ahead.h"
#include "base/string_pool.h"
#include "proto/field_walker.h"

namespace tfprof {

template <class Batch>
class RecordsAhead {
 public:
  using Record = typename decltype(Batch::records)::value_type;
  // The next record of the file; false at the end, or where it is too damaged to go on. Runs ahead of the
  // import.
  using NextSource = std::function<bool(std::string_view*)>;

  // `decode(batch)` fills in the records, whose sources are set. `bytes` are those of all.
  RecordsAhead(std::string_view bytes, NextSource next, typename Ahead<Batch>::Make decode)
      : mapped_(bytes),
        ahead_([next = std::move(next)](Batch* batch) { return Cut(next, batch); },
               [this, decode = std::move(decode)](Batch* batch) {
                 mapped_.Come(batch->records.front().source.data());
                 decode(batch);
               },
               ThreadsFor(bytes.size())) {}

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
  MapsAhead mapped_;
  Ahead<Batch> ahead_;
};

// Texts of records, looked up together where they are decoded: most are known before the records come. Who
// uses a record that has none looks again, for it may have been added since.
class FoundTexts {
 public:
  template <class Record>
  void Find(const StringPool& pool, std::string_view Record::*text, StringId Record::*found,
            std::vector<Record>* records) {
    texts_.clear();
    for (const Record& record : *records) texts_.push_back(record.*text);
    ids_.resize(texts_.size());
    pool.FindInOrder(texts_, ids_);
    for (size_t i = 0; i < ids_.size(); ++i) (*records)[i].*found = ids_[i];
  }

 private:
  std::vector<std::string_view> texts_;
  std::vector<StringId> ids_;
};

// The messages in field `number` of a message.
class FieldsOf {
 public:
  FieldsOf(std::string_view message, uint32_t number)
      : message_(message), walker_(message), number_(number) {}

  bool operator()(std::string_view* bytes) {
    Field field;
    while (walker_.Next(&field)) {
      if (field.number != number_ || !field.is_bytes()) continue;
      Prefetch(field, message_, 4096);
      *bytes = field.bytes;
      return true;
    }
    return false;
  }

 private:
  std::string_view message_;
  FieldWalker walker_;
  uint32_t number_;
};

}  // namespace tfprof
