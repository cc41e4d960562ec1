// What was made for an answer and may be asked for again: profiles, reports, lanes. Each is made once,
// whoever asks first; the others wait for it. The least recently used go when all together take more than the
// limit; who still holds one keeps it.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "tfprof/result.h"

namespace tfprof::server {

template <class T>
struct Sized {
  std::shared_ptr<const T> value;
  size_t bytes = 0;  // about
};

class Cache {
 public:
  explicit Cache(size_t limit) : limit_(limit) {}

  // A failure is not kept: a file may be there the next time. Keys of different types must differ.
  template <class T>
  Result<std::shared_ptr<const T>> Get(const std::string& key,
                                       const std::function<Result<Sized<T>>()>& make) {
    const std::shared_ptr<Entry> entry = Find(key);
    const std::lock_guard making(entry->making);
    if (!entry->value) {
      Result<Sized<T>> made = make();
      if (!made) {
        Forget(key, *entry);
        return made.error();
      }
      Keep(*entry, std::move(made->value), made->bytes + key.size() + sizeof(Entry));
    }
    return std::static_pointer_cast<const T>(entry->value);
  }

  size_t bytes() const;  // of all that is kept

 private:
  struct Entry {
    std::mutex making;
    std::shared_ptr<const void> value;  // null: not yet, or it could not be made
    size_t bytes = 0;
    uint64_t used = 0;
  };

  std::shared_ptr<Entry> Find(const std::string& key);
  void Forget(const std::string& key, const Entry& entry);
  void Keep(Entry& entry, std::shared_ptr<const void> value, size_t bytes);

  const size_t limit_;
  mutable std::mutex mutex_;  // of what follows
  std::map<std::string, std::shared_ptr<Entry>> entries_;
  uint64_t clock_ = 0;
  size_t bytes_ = 0;
};

}  // namespace tfprof::server
