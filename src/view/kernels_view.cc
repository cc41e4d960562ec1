#include <algorithm>

#include "base/checked.h"
#include "base/name_matcher.h"
#include "model/captured_run.h"
#include "model/live_memory.h"
#include "model/profile.h"
#include "tfprof/kernels.h"

namespace tfprof {
namespace {

void LargestFirst(std::vector<KernelRow>* rows) {
  std::ranges::stable_sort(*rows, [](const KernelRow& a, const KernelRow& b) {
    return a.picos != b.picos ? a.picos > b.picos : a.name < b.name;
  });
}

}  // namespace

Result<KernelReport> MakeKernelReport(const Profile& profile, const Options& options) {
  if (Status s = NotOfLiveMemory(profile, "report of kernels"); !s) return s.error();
  if (!profile.capture || profile.capture->kernels.empty()) {
    return Error::Input(
        "kernels: the input has no events of accelerators; XPlane captures of a GPU have them, as JAX and "
        "TensorFlow 2 "
        "record them:\n  with jax.profiler.trace('run'): ...\n  tf.profiler.experimental.start('run') ... "
        "stop()");
  }
  Result<NameMatcher> devices = NameMatcher::Compile(options.device_regexes, "device_regexes");
  if (!devices) return devices.error();
  KernelReport report;
  if (options.top > 0) report.shown = static_cast<size_t>(options.top);
  report.warnings = profile.warnings;
  for (const InputFile& file : profile.files) report.input_files.push_back(file.path);
  int64_t all = 0;
  bool saturated = false;
  const auto steps = static_cast<double>(std::max<size_t>(1, profile.steps.size()));
  for (const CapturedKernel& kernel : profile.capture->kernels) {
    const std::string_view device = profile.DeviceName(kernel.device);
    if (!devices->Matches(device)) continue;
    KernelRow& row = (kernel.is_copy ? report.copies : report.kernels).emplace_back();
    row.device = device;
    row.name = profile.strings[kernel.name];
    if (kernel.node) row.op = profile.Name(kernel.node);
    row.count = kernel.count;
    row.picos = kernel.picos;
    row.min_picos = kernel.min_picos;
    row.max_picos = kernel.max_picos;
    row.per_step = static_cast<double>(kernel.count) / steps;
    if (kernel.is_copy) row.bytes = kernel.bytes;
    if (kernel.registers >= 0) row.registers = kernel.registers;
    if (kernel.occupancy >= 0) row.occupancy = kernel.occupancy;
    all = SaturatingAdd(all, kernel.picos, &saturated);
  }
  for (std::vector<KernelRow>* rows : {&report.kernels, &report.copies}) {
    for (KernelRow& row : *rows)
      row.share = all > 0 ? static_cast<double>(row.picos) / static_cast<double>(all) : 0;
    LargestFirst(rows);
  }
  return report;
}

}  // namespace tfprof
