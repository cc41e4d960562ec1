// The four views: a Profile and Options go in, a Report comes out.
#pragma once

#include <memory>

#include "tfprof/options.h"
#include "tfprof/report.h"
#include "tfprof/result.h"

namespace tfprof {

struct Profile;

enum class ReportDetail {
  kSelected,    // only what the selected columns print
  kEverything,  // also devices, input shapes and graph nodes: what JSON and bindings carry
};

// The Report keeps the Profile alive. Errors: a regex that does not compile, an unknown step, no call stacks
// (code).
Result<Report> MakeReport(const std::shared_ptr<const Profile>& shared, ViewKind view, const Options& options,
                          ReportDetail detail = ReportDetail::kSelected);

}  // namespace tfprof
