// V2 checkpoints ("tensor bundles"): PREFIX.index, a table of what there is, and PREFIX.data-SSSSS-of-NNNNN,
// the bytes.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "import/checkpoint/shard.h"
#include "import/checkpoint/slices.h"
#include "import/checkpoint/table.h"
#include "tfprof/checkpoint.h"

namespace tfprof {

class TensorCollector;

class BundleCheckpoint final : public Checkpoint {
 public:
  static Result<std::shared_ptr<const Checkpoint>> Open(const TableFile& index, const std::string& prefix,
                                                        std::vector<std::string> notes);

  Status Check(size_t tensor) const override;
  Result<TensorValues> Read(size_t tensor, std::span<const ValueRange> keep) const override;

 private:
  // An entry of the index.
  struct Entry {
    CheckpointTensor tensor;
    int64_t shard = 0, offset = 0, size = 0;
    uint32_t masked_crc = 0;
    std::vector<std::vector<TensorSlice::Extent>> slices;  // as stored; none: the entry is the tensor
  };
  // A run of bytes in a data file: a tensor, or a slice of one.
  struct Piece {
    TensorSlice slice;
    int32_t shard = 0;
    int64_t offset = 0, size = 0;
    uint32_t masked_crc = 0;
  };
  using Files = std::vector<std::shared_ptr<const ShardFile>>;  // of the pieces of one tensor

  Status ReadHeader(std::string_view value, const std::string& path);
  static Entry ReadEntry(std::string_view key, std::string_view value);
  void Take(std::vector<Entry> entries);
  static std::vector<size_t> FindSlices(const std::vector<Entry>& entries, Entry& whole,
                                        std::vector<bool>* is_slice);
  void TakeWhole(const Entry& entry);
  void TakeSliced(const std::vector<Entry>& entries, const std::vector<size_t>& found, const Entry& whole);
  std::string ProblemOf(const Entry& entry, int64_t elements) const;
  void FindSharedBytes();
  Result<Files> OpenPieces(size_t tensor) const;
  Error About(size_t tensor, std::string_view what) const;
  Status ReadNumbers(size_t tensor, const Files& files, TensorCollector& collector) const;
  Status ReadStrings(size_t tensor, const Files& files, TensorCollector& collector) const;

  int32_t shards_ = 0;
  bool big_endian_ = false;
  std::vector<std::vector<Piece>> pieces_;  // by tensor
};

// The strings of one stored string tensor: views into `bytes`. An error says what is damaged.
Result<std::vector<std::string_view>> DecodeStrings(std::string_view bytes, int64_t elements,
                                                    uint32_t masked_crc);

}  // namespace tfprof
