// Checkpoints: TensorFlow's saved variables, in all three generations: V1 table files, V2 bundles, and
// object-based ones (TensorFlow 2), which are V2 bundles with an object graph inside.
//
//   Result<std::shared_ptr<const Checkpoint>> checkpoint = Checkpoint::Open("run/model.ckpt-100");
//   for (const CheckpointTensor& tensor : (*checkpoint)->tensors()) ...     // nothing of the data is read
//   const ValueRange first[] = {{0, 20}};
//   Result<TensorValues> values = (*checkpoint)->Read(0, first);           // this tensor alone
//
// Immutable and shared; any thread may read. Cost: the index in memory. Read() streams a tensor through a
// fixed buffer (tensors of V1 files and of strings are in memory while they are read).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tfprof/options.h"
#include "tfprof/result.h"
#include "tfprof/tensor.h"

namespace tfprof {

struct CheckpointTensor {
  std::string name;                // the key in the checkpoint
  std::string full_name;           // object-based: the variable's name in graphs; "": not recorded
  int32_t dtype = 0;               // number in DataType (tensor.h)
  std::vector<int64_t> shape;      // of the whole tensor
  int64_t elements = 0;            // 0 where `problem` says that the shape is impossible
  std::optional<int64_t> bytes;    // as stored; none: only reading tells (strings in V1 files)
  std::optional<uint32_t> crc32c;  // as TensorValues::crc32c, where the index has it
  size_t pieces = 1;               // slices that it is stored in
  std::string problem;             // why it cannot be read, so far as the index tells; "": nothing known
};

class Checkpoint {
 public:
  // `path`: a prefix, an index file, a V1 file, a directory with a `checkpoint` file or a single checkpoint,
  // or a SavedModel's directory. An error where it cannot be listed.
  static Result<std::shared_ptr<const Checkpoint>> Open(const std::string& path);
  virtual ~Checkpoint() = default;

  const std::string& prefix() const { return prefix_; }
  const std::string& format() const { return format_; }             // "V2, object-based", "V1", ...
  const std::vector<std::string>& files() const { return files_; }  // the index, or the V1 files
  const std::vector<std::string>& notes() const {
    return notes_;
  }  // what was chosen where there was a choice
  const std::vector<std::string>& problems() const { return problems_; }  // beside those of single tensors

  // In byte order of their names; slices are put together and not listed.
  const std::vector<CheckpointTensor>& tensors() const { return tensors_; }
  std::optional<size_t> Find(std::string_view name) const;

  // The serialized TrackableObjectGraph of an object-based checkpoint; "" where there is none.
  const std::string& object_graph() const { return object_graph_; }

  // Whether the tensor's bytes are there, without reading them.
  virtual Status Check(size_t tensor) const = 0;

  // Reads one tensor, checks its checksums and keeps the elements of `keep` (ascending, not overlapping; what
  // lies beyond the end is left out). Errors name the tensor and the file.
  virtual Result<TensorValues> Read(size_t tensor, std::span<const ValueRange> keep) const = 0;

 protected:
  Checkpoint() = default;

  std::string prefix_, format_;
  std::vector<std::string> files_, notes_, problems_;
  std::vector<CheckpointTensor> tensors_;
  std::string object_graph_;
};

inline constexpr std::string_view kObjectGraphKey = "_CHECKPOINTABLE_OBJECT_GRAPH";

}  // namespace tfprof
