// The entries of a zip archive, as its central directory lists them. Stored entries are read where they lie;
// deflated ones are unpacked up to a limit, so that a small file cannot fill the memory.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tfprof/result.h"

namespace tfprof {

struct ZipEntry {
  std::string_view name;
  uint16_t method = 0;            // 0: stored, 8: deflated
  uint64_t packed = 0, size = 0;  // bytes in the archive and unpacked
  uint64_t header = 0;            // where its local header lies
};

bool IsZip(std::string_view bytes);

// An error names the byte at which the archive is damaged. Views point into `bytes`. At most a million
// entries.
Result<std::vector<ZipEntry>> ReadZip(std::string_view bytes, std::string_view path);

// The bytes of an entry; `unpacked` holds them where they are not stored as they are.
Result<std::string_view> ZipContent(std::string_view bytes, const ZipEntry& entry, std::string_view path,
                                    std::string* unpacked);

}  // namespace tfprof
