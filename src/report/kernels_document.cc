#include "report/documents.h"

namespace tfprof {
namespace {

Table Kernels(const std::vector<KernelRow>& rows) {
  return TableOf({{"name", "kernel", Look::kLeft, 44},
                  {"micros", "time", kRight},
                  {"share", "share", kRight},
                  {"count", "runs", kRight},
                  {"per_step", "per step", kRight},
                  {"min_micros", "least", kRight},
                  {"max_micros", "most", kRight},
                  {"registers", "regs", kRight},
                  {"occupancy", "occupancy", kRight},
                  {"op", "mostly for", Look::kLeft, 60},
                  {"device", "device"}},
                 rows, [](const KernelRow& k, RowCells& out) {
                   out.Add(cell::Text(k.name), cell::Picos(k.picos), cell::Share(k.share),
                           cell::Count(k.count), cell::Real(k.per_step), cell::Picos(k.min_picos),
                           cell::Picos(k.max_picos), cell::Count(k.registers),
                           k.occupancy ? cell::Real(*k.occupancy).Says(fmt::format("{:.3g}%", *k.occupancy))
                                       : cell::Missing(),
                           cell::TextOrMissing(k.op), cell::Text(k.device));
                 });
}

Table Copies(const std::vector<KernelRow>& rows) {
  return TableOf({{"name", "copy", Look::kLeft, 44},
                  {"micros", "time", kRight},
                  {"share", "share", kRight},
                  {"count", "runs", kRight},
                  {"per_step", "per step", kRight},
                  {"bytes", "bytes", kRight},
                  {"op", "mostly for", Look::kLeft, 60},
                  {"device", "device"}},
                 rows, [](const KernelRow& k, RowCells& out) {
                   out.Add(cell::Text(k.name), cell::Picos(k.picos), cell::Share(k.share),
                           cell::Count(k.count), cell::Real(k.per_step), cell::Bytes(k.bytes),
                           cell::TextOrMissing(k.op), cell::Text(k.device));
                 });
}

}  // namespace

Document KernelsDocument(KernelReport made) {
  Document out;
  const KernelReport& report = Keep(std::move(made), out);
  out.title = "Kernels and copies";
  out.inputs = InputsOf(report.input_files);
  out.warnings = report.warnings;
  Table kernels = Kernels(report.kernels), copies = Copies(report.copies);
  kernels.most = copies.most = report.shown;
  kernels.rest = "kernels: -top 0 shows all";
  copies.rest = "copies";
  out.blocks.push_back({"kernels", "Kernels", std::move(kernels), kEverywhere, "no kernels were recorded"});
  out.blocks.push_back({"copies", "Copies", std::move(copies), kEverywhere, "none"});
  out.csv = Kernels(report.kernels);
  return out;
}

}  // namespace tfprof
