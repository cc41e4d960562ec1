// Collapsed stacks: one line per frame that has a figure of its own, or of frames that are
// hidden below it: "outermost;...;innermost value". What
// flamegraph.pl, inferno, speedscope and others read.
#include <algorithm>
#include <iterator>
#include <vector>

#include "base/atomic_file.h"
#include "base/format.h"
#include "base/text.h"
#include "export/stacks.h"

namespace tfprof {
namespace {

// ';' separates frames and a newline ends the line, so no name may hold one.
std::string FrameName(const CodeFrame& frame) {
  std::string name = IsNoPlace(frame)
                         ? std::string(frame.function)
                         : fmt::format("{}:{}:{}", Basename(frame.file), frame.line, frame.function);
  std::replace(name.begin(), name.end(), ';', ',');
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  if (frame.gradient) name += kGradientSuffix;
  return Escaped(name);
}

}  // namespace

Status WriteFolded(const Report& report, ColumnId figure, const std::string& path) {
  Result<AtomicFile> file = AtomicFile::Create(path);
  if (!file) return file.error();
  std::vector<std::string> names;
  names.reserve(report.code_frames.size());
  for (const CodeFrame& frame : report.code_frames) names.push_back(FrameName(frame));
  const HiddenBelow hidden(report);
  std::vector<uint32_t> stack;
  fmt::memory_buffer line;
  for (size_t r = 1; r < report.rows.size(); ++r) {
    const Row& row = report.rows[r];
    bool saturated = false;
    const int64_t value = SaturatingAdd(report.Own(row)[figure], hidden.Of(r, figure), &saturated);
    if (value <= 0) continue;
    stack.clear();
    for (uint32_t f = report.MoreOf(row).frame; f != kNoIndex; f = report.code_frames[f].caller)
      stack.push_back(f);
    line.clear();
    for (auto f = stack.rbegin(); f != stack.rend(); ++f) {
      fmt::format_to(std::back_inserter(line), "{}{}", f == stack.rbegin() ? "" : ";", names[*f]);
    }
    fmt::format_to(std::back_inserter(line), " {}\n", value);
    file->Write({line.data(), line.size()});
  }
  return file->Commit();
}

}  // namespace tfprof
