// CRC-32C (Castagnoli), the checksum of checkpoints and their table files, on the processor's own instruction
// where it has one. Written here because no Debian package brings it as an archive.
#pragma once

#include <cstdint>
#include <string_view>

namespace tfprof {

// Continues `crc`, the checksum of what came before; 0 where nothing did.
uint32_t ExtendCrc32c(uint32_t crc, std::string_view bytes);

// The same without the instruction: what other processors run.
uint32_t ExtendCrc32cByTable(uint32_t crc, std::string_view bytes);

inline uint32_t Crc32c(std::string_view bytes) { return ExtendCrc32c(0, bytes); }

// Files store checksums masked, so that a checksum of data that holds checksums stays a good one.
inline uint32_t MaskCrc32c(uint32_t crc) { return ((crc >> 15) | (crc << 17)) + 0xA282EAD8u; }
inline uint32_t UnmaskCrc32c(uint32_t masked) {
  const uint32_t rotated = masked - 0xA282EAD8u;
  return (rotated >> 17) | (rotated << 15);
}

}  // namespace tfprof
