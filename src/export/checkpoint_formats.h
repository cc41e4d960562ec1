// One class per format of the checkpoint report, each given the tensors one by one; WriteCheckpoint() in
// checkpoint_writer.cc reads the tensors and chooses.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "export/output.h"
#include "tfprof/checkpoint_report.h"

namespace tfprof {

// One tensor of the report.
struct CheckpointRow {
  const CheckpointTensor& tensor;
  const TensorValues* values = nullptr;  // none: not asked for, or `error`
  std::string error;                     // why it cannot be read
};

class CheckpointFormat {
 public:
  virtual ~CheckpointFormat() = default;
  virtual void Begin() = 0;
  virtual void Add(const CheckpointRow& row) = 0;
  virtual void End() = 0;
};

std::unique_ptr<CheckpointFormat> MakeCheckpointText(const CheckpointReport& report, Output& out);
std::unique_ptr<CheckpointFormat> MakeCheckpointJson(const CheckpointReport& report, Output& out);
std::unique_ptr<CheckpointFormat> MakeCheckpointHtml(const CheckpointReport& report, Output& out);

// Totals by type, as "float32: 12 tensors, 1.23MB".
struct CheckpointTotals {
  int64_t tensors = 0, elements = 0, bytes = 0;
  bool bytes_known = true;
  void Add(const CheckpointRow& row);
};

// The elements that a text of the tensor shows: all, or where there are more than `most` (0: no limit) the
// first and last three of each dimension.
std::vector<ValueRange> RangesToPrint(const CheckpointTensor& tensor, int64_t most);

// Nested brackets, as numpy prints arrays: columns aligned, "..." for what is left out. `values` holds the
// elements of RangesToPrint.
std::string PrintTensor(const CheckpointTensor& tensor, const TensorValues& values, int64_t most);

std::string ElementText(const Element& element);       // shortest text that gives the number back
std::string ShortElementText(const Element& element);  // eight digits
std::string StringElementText(std::string_view element);

}  // namespace tfprof
