// Reading tensors of a V2 checkpoint; bundle.cc lists them.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>

#include "base/crc32c.h"
#include "base/text.h"
#include "import/checkpoint/bundle.h"
#include "import/checkpoint/collector.h"

namespace tfprof {
namespace {

// All buffers of one tensor together, and the limits for one.
constexpr size_t kBuffers = size_t{8} << 20, kLargestBuffer = size_t{1} << 20,
                 kSmallestBuffer = size_t{4} << 10;

size_t BufferSize(size_t streams) {
  return std::clamp(kBuffers / streams, kSmallestBuffer, kLargestBuffer) / 16 * 16;
}

// Turns the bytes of each number around; a complex element is two numbers.
std::string_view ToLittleEndian(int32_t dtype, std::string_view bytes, std::string* turned) {
  size_t size = DataTypeBytes(dtype);
  if (KindOfElements(dtype) == ElementKind::kComplex) size /= 2;
  turned->assign(bytes);
  for (size_t i = 0; i + size <= turned->size(); i += size) {
    std::reverse(turned->begin() + static_cast<ptrdiff_t>(i),
                 turned->begin() + static_cast<ptrdiff_t>(i + size));
  }
  return *turned;
}

bool NextVarint(std::string_view* bytes, uint64_t* value) {
  *value = 0;
  for (unsigned shift = 0; shift < 64 && !bytes->empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(bytes->front());
    bytes->remove_prefix(1);
    *value |= uint64_t{byte & 0x7Fu} << shift;
    if (byte < 0x80) return true;
  }
  return false;
}

// Lengths enter the checksum in a fixed width, not as they are stored.
uint32_t ExtendByLength(uint32_t crc, uint64_t length) {
  char bytes[8];
  std::memcpy(bytes, &length, 8);
  return ExtendCrc32c(crc, {bytes, length <= 0xFFFFFFFFu ? size_t{4} : size_t{8}});
}

constexpr const char* kWrongChecksum = "the checksum does not match: its bytes are damaged";

}  // namespace

Result<std::vector<std::string_view>> DecodeStrings(std::string_view bytes, int64_t elements,
                                                    uint32_t masked_crc) {
  std::vector<std::string_view> out;
  if (elements == 0 && bytes.empty()) return out;
  std::vector<uint64_t> lengths;
  uint32_t crc = 0;
  uint64_t all = 0;
  std::string_view rest = bytes;
  for (int64_t i = 0; i < elements; ++i) {
    uint64_t length;
    if (!NextVarint(&rest, &length) || length > rest.size() || (all += length) > rest.size()) {
      return Error::Input("the lengths of its strings do not fit its bytes");
    }
    lengths.push_back(length);
    crc = ExtendByLength(crc, length);
  }
  if (rest.size() < 4 || rest.size() - 4 != all) {
    return Error::Input("the lengths of its strings do not fit its bytes");
  }
  uint32_t stored;
  std::memcpy(&stored, rest.data(), 4);
  if (stored != MaskCrc32c(crc)) return Error::Input("the checksum of its lengths does not match");
  if (MaskCrc32c(ExtendCrc32c(crc, rest)) != masked_crc) return Error::Input(kWrongChecksum);
  rest.remove_prefix(4);
  for (uint64_t length : lengths) {
    out.push_back(rest.substr(0, length));
    rest.remove_prefix(length);
  }
  return out;
}

Error BundleCheckpoint::About(size_t tensor, std::string_view what) const {
  return Error::Input(
      fmt::format("{}: tensor '{}': {}", prefix_, Printable(tensors_[tensor].name, 200), what));
}

Result<BundleCheckpoint::Files> BundleCheckpoint::OpenPieces(size_t tensor) const {
  if (!tensors_[tensor].problem.empty()) return About(tensor, tensors_[tensor].problem);
  std::map<int32_t, std::shared_ptr<const ShardFile>> open;
  Files out;
  for (const Piece& piece : pieces_[tensor]) {
    std::shared_ptr<const ShardFile>& file = open[piece.shard];
    if (!file) {
      auto opened = ShardFile::Open(ShardPath(prefix_, piece.shard, shards_));
      if (!opened) return About(tensor, opened.error().message);
      file = *opened;
    }
    if (piece.size > 0 && piece.offset + piece.size > file->size()) {
      return About(tensor, fmt::format("{}: has {} bytes, the tensor lies at {} to {}; the file is cut short",
                                       file->path(), file->size(), piece.offset, piece.offset + piece.size));
    }
    out.push_back(file);
  }
  return out;
}

Status BundleCheckpoint::Check(size_t tensor) const {
  Result<Files> files = OpenPieces(tensor);
  return files ? Status() : files.error();
}

Status BundleCheckpoint::ReadNumbers(size_t tensor, const Files& files, TensorCollector& collector) const {
  const std::vector<Piece>& pieces = pieces_[tensor];
  const int32_t dtype = tensors_[tensor].dtype;
  const auto size = static_cast<int64_t>(DataTypeBytes(dtype));
  std::vector<ShardStream> streams;
  std::vector<TensorSlice> slices;
  for (size_t i = 0; i < pieces.size(); ++i) {
    streams.emplace_back(files[i], pieces[i].offset, pieces[i].size, BufferSize(pieces.size()));
    slices.push_back(pieces[i].slice);
  }
  std::string turned;
  Status walked = ForEachRun(slices, tensors_[tensor].shape, [&](size_t slice, int64_t elements) -> Status {
    for (int64_t left = elements * size; left > 0;) {
      Result<std::string_view> bytes = streams[slice].Next(left);
      if (!bytes) return bytes.error();
      left -= static_cast<int64_t>(bytes->size());
      collector.Add(big_endian_ ? ToLittleEndian(dtype, *bytes, &turned) : *bytes);
    }
    return {};
  });
  if (!walked) return walked;
  for (size_t i = 0; i < pieces.size(); ++i) {
    if (MaskCrc32c(streams[i].crc32c()) != pieces[i].masked_crc) {
      return Error::Input(fmt::format("{} at {} of {}: {}", fmt::format("{} bytes", pieces[i].size),
                                      pieces[i].offset, files[i]->path(), kWrongChecksum));
    }
  }
  return {};
}

Status BundleCheckpoint::ReadStrings(size_t tensor, const Files& files, TensorCollector& collector) const {
  const std::vector<Piece>& pieces = pieces_[tensor];
  std::vector<std::string> stored(pieces.size());
  std::vector<std::vector<std::string_view>> strings(pieces.size());
  std::vector<TensorSlice> slices;
  for (size_t i = 0; i < pieces.size(); ++i) {
    stored[i].resize(static_cast<size_t>(pieces[i].size));
    if (Status s = files[i]->Read(pieces[i].offset, stored[i].data(), stored[i].size()); !s) return s;
    auto decoded = DecodeStrings(stored[i], pieces[i].slice.elements, pieces[i].masked_crc);
    if (!decoded) return Error::Input(fmt::format("{}: {}", files[i]->path(), decoded.error().message));
    strings[i] = std::move(*decoded);
    slices.push_back(pieces[i].slice);
  }
  std::vector<size_t> next(pieces.size());
  return ForEachRun(slices, tensors_[tensor].shape, [&](size_t slice, int64_t elements) -> Status {
    for (; elements > 0; --elements) collector.AddString(strings[slice][next[slice]++]);
    return {};
  });
}

Result<TensorValues> BundleCheckpoint::Read(size_t tensor, std::span<const ValueRange> keep) const {
  Result<Files> files = OpenPieces(tensor);
  if (!files) return files.error();
  TensorCollector collector(tensors_[tensor].dtype, keep);
  const bool strings = tensors_[tensor].dtype == kTypeString;
  Status read = strings ? ReadStrings(tensor, *files, collector) : ReadNumbers(tensor, *files, collector);
  if (!read) return About(tensor, read.error().message);
  return collector.Finish();
}

}  // namespace tfprof
