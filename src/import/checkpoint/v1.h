// V1 checkpoints: one or more table files that hold everything; the entry under the empty key says what.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "import/checkpoint/slices.h"
#include "import/checkpoint/table.h"
#include "tfprof/checkpoint.h"

namespace tfprof {

class V1Checkpoint final : public Checkpoint {
 public:
  // `missing`: files of the set that are not there; what they hold cannot even be listed.
  static Result<std::shared_ptr<const Checkpoint>> Open(std::vector<std::unique_ptr<TableFile>> files,
                                                        const std::vector<std::string>& missing,
                                                        const std::string& prefix,
                                                        std::vector<std::string> notes);

  Status Check(size_t tensor) const override;
  Result<TensorValues> Read(size_t tensor, std::span<const ValueRange> keep) const override;

 private:
  struct Piece {
    TensorSlice slice;
    size_t file = 0;
    std::vector<TensorSlice::Extent> extents;  // as stored: they make the key
  };
  struct Contents;  // of one piece, decoded

  Status ReadMeta(size_t file);
  void AddTensor(size_t file, std::string_view meta);
  Result<Contents> ReadPiece(size_t tensor, const Piece& piece) const;
  Error About(size_t tensor, std::string_view what) const;

  std::vector<std::unique_ptr<TableFile>> tables_;
  std::vector<std::vector<Piece>> pieces_;           // by tensor
  std::unordered_map<std::string, size_t> by_name_;  // while the files' lists are merged
};

// The values of a TensorProto that has nothing but its value list, which is how V1 files store them: numbers
// as little-endian bytes in `numbers`, strings as views into it. False: not exactly `elements` of this type.
// Throws protozero::exception.
bool DecodeValueList(std::string_view tensor_proto, int32_t dtype, int64_t elements, std::string* numbers,
                     std::vector<std::string_view>* strings);

}  // namespace tfprof
