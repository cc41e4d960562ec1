// Call stacks for other tools: pprof's profile.proto, and the collapsed stacks of which flame graphs are
// drawn. Both want the code view, made with ReportDetail::kEverything, and one figure.
//
// A frame that is shown brings its own figure and that of all frames hidden right below it (-max_depth,
// -trim_name_regexes...); the frames above it are named whether they are shown or not. So the values add up
// to the view's total unless whole stacks are hidden.
#pragma once

#include <string>
#include <string_view>

#include "tfprof/report.h"
#include "tfprof/result.h"

namespace tfprof {

enum class StackFormat { kPprof, kFolded };

// The figure that these options select for a file of stacks. Usage errors: another view than code, no figure,
// more than one column. `select` 0 is the default column and fine.
Status CheckStackOptions(ViewKind view, const Options& options, StackFormat format);

// Writes beside and renames, so that a failure leaves an old file as it was. An error when the figure was not
// recorded: a file of zeros would look like an answer.
Status WriteStacks(const Report& report, StackFormat format, const std::string& path);

// What the file lacks: "" when some frame of every stack is shown.
std::string StacksLeftOut(const Report& report);

}  // namespace tfprof
