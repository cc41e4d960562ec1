#include "base/crc32c.h"

#include <array>
#include <bit>
#include <cstring>

namespace tfprof {
namespace {

static_assert(std::endian::native == std::endian::little, "the words below are read as little-endian");

constexpr uint32_t kPolynomial = 0x82F63B78;
constexpr size_t kSlices = 8;
using Tables = std::array<std::array<uint32_t, 256>, kSlices>;

// tables[k][b]: what byte b does to the checksum k bytes later.
constexpr Tables MakeTables() {
  Tables tables{};
  for (uint32_t b = 0; b < 256; ++b) {
    uint32_t crc = b;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) ? kPolynomial : 0);
    tables[0][b] = crc;
  }
  for (size_t k = 1; k < kSlices; ++k) {
    for (size_t b = 0; b < 256; ++b) {
      const uint32_t before = tables[k - 1][b];
      tables[k][b] = (before >> 8) ^ tables[0][before & 0xFF];
    }
  }
  return tables;
}
constexpr Tables kTables = MakeTables();

uint64_t Word(const char* at) {
  uint64_t word;
  std::memcpy(&word, at, sizeof word);
  return word;
}

uint32_t ExtendByTable(uint32_t crc, const char* at, size_t size) {
  for (; size >= kSlices; size -= kSlices, at += kSlices) {
    const uint64_t word = Word(at) ^ crc;
    crc = 0;
    for (size_t k = 0; k < kSlices; ++k) crc ^= kTables[kSlices - 1 - k][(word >> (8 * k)) & 0xFF];
  }
  for (; size > 0; --size, ++at)
    crc = (crc >> 8) ^ kTables[0][(crc ^ static_cast<unsigned char>(*at)) & 0xFF];
  return crc;
}

#if defined(__x86_64__)
__attribute__((target("sse4.2"))) uint32_t ExtendByInstruction(uint32_t crc, const char* at, size_t size) {
  uint64_t wide = crc;
  for (; size >= 8; size -= 8, at += 8) wide = __builtin_ia32_crc32di(wide, Word(at));
  crc = static_cast<uint32_t>(wide);
  for (; size > 0; --size, ++at) crc = __builtin_ia32_crc32qi(crc, static_cast<unsigned char>(*at));
  return crc;
}
bool HasInstruction() { return __builtin_cpu_supports("sse4.2"); }
#else
uint32_t ExtendByInstruction(uint32_t crc, const char* at, size_t size) {
  return ExtendByTable(crc, at, size);
}
bool HasInstruction() { return false; }
#endif

}  // namespace

uint32_t ExtendCrc32c(uint32_t crc, std::string_view bytes) {
  static const bool kHardware = HasInstruction();
  return ~(kHardware ? ExtendByInstruction : ExtendByTable)(~crc, bytes.data(), bytes.size());
}

uint32_t ExtendCrc32cByTable(uint32_t crc, std::string_view bytes) {
  return ~ExtendByTable(~crc, bytes.data(), bytes.size());
}

}  // namespace tfprof
