#include "server/cache.h"

#include <algorithm>

namespace tfprof::server {

size_t Cache::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

std::shared_ptr<Cache::Entry> Cache::Find(const std::string& key) {
  const std::lock_guard lock(mutex_);
  std::shared_ptr<Entry>& entry = entries_[key];
  if (!entry) entry = std::make_shared<Entry>();
  entry->used = ++clock_;
  return entry;
}

void Cache::Forget(const std::string& key, const Entry& entry) {
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(key);
  if (found != entries_.end() && found->second.get() == &entry) entries_.erase(found);
}

void Cache::Keep(Entry& entry, std::shared_ptr<const void> value, size_t bytes) {
  const std::lock_guard lock(mutex_);
  entry.value = std::move(value);
  entry.bytes = bytes;
  bytes_ += bytes;
  while (bytes_ > limit_) {
    // The newest stays even where it is larger than the limit: somebody waits for it.
    auto oldest = entries_.end();
    for (auto i = entries_.begin(); i != entries_.end(); ++i) {
      if (i->second->bytes == 0 || i->second.get() == &entry) continue;
      if (oldest == entries_.end() || i->second->used < oldest->second->used) oldest = i;
    }
    if (oldest == entries_.end()) return;
    bytes_ -= oldest->second->bytes;
    entries_.erase(oldest);
  }
}

}  // namespace tfprof::server
