// The four views: a Profile and Options go in, a Report comes out.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "tfprof/options.h"
#include "tfprof/report.h"
#include "tfprof/result.h"

namespace tfprof {

struct Profile;

enum class ReportDetail {
  kNodes,       // of scope and graph neither rows nor figures: which nodes have a row (Report::shown_nodes)
  kPrinted,     // only what text and tables print: of figures those that are selected, and what they rest on
  kSelected,    // of texts only what the selected columns print
  kEverything,  // also devices, input shapes and graph nodes: what JSON and bindings carry
};

// kLast: nobody uses the Profile after this report, which frees the rows of its steps once they are counted.
enum class ProfileUse { kShared, kLast };

// The Report keeps the Profile alive. Errors: a regex that does not compile, an unknown step, no call stacks
// (code).
Result<Report> MakeReport(const std::shared_ptr<const Profile>& shared, ViewKind view, const Options& options,
                          ReportDetail detail = ReportDetail::kSelected,
                          ProfileUse use = ProfileUse::kShared);

// Shapes of the outputs of the node behind a row (Row::node), as the graph has them; none: not known.
std::vector<std::optional<std::vector<int64_t>>> OutputShapes(const Profile& profile, uint32_t node);

}  // namespace tfprof
