// Where the tables of many runs go, run by run.
#pragma once

#include <memory>
#include <string>

#include "tfprof/result.h"
#include "tfprof/tables.h"

namespace tfprof {

class RunStore : public TableSink {
 public:
  // Rows of a run follow, or (false) it is there already, with all that is wanted of it.
  virtual Result<bool> Begin(const RunKey& key, const RunLabels& labels) = 0;
  virtual Status Keep() = 0;    // its rows are all there
  virtual Status Forget() = 0;  // it cannot be read: its rows go
  virtual Status Fail(const RunLabels& labels, std::string_view reason) = 0;
  virtual Status Finish() = 0;  // without it what was not kept yet is lost, and nothing is half there
};

Result<std::unique_ptr<RunStore>> OpenSqliteStore(const ExportTarget& target);
Result<std::unique_ptr<RunStore>> OpenCsvStore(const ExportTarget& target);

}  // namespace tfprof
