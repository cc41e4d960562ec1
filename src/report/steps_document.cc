#include "base/units.h"
#include "report/documents.h"

namespace tfprof {
namespace {

// One row per step, then their mean and spread.
Table Steps(const StepsReport& report) {
  const auto add = [](const StepParts& t, RowCells& out) {
    out.Add(cell::Nanos(t.wall), cell::Nanos(t.busy), cell::Nanos(t.compute),
            cell::Nanos(t.collectives_exposed), cell::Nanos(t.collectives_hidden),
            cell::Nanos(t.copies_exposed), cell::Nanos(t.input), cell::Nanos(t.launch_gaps),
            cell::Nanos(t.idle));
  };
  return {{{"step", "step", kRight},
           {"wall_micros", "wall", kRight},
           {"busy_micros", report.on_accelerators ? "device busy" : "ops", kRight},
           {"compute_micros", "compute", kRight},
           {"collectives_exposed_micros", "collectives", kRight},
           {"collectives_hidden_micros", "(hidden)", kRight},
           {"copies_micros", "copies", kRight},
           {"input_micros", "input", kRight},
           {"launch_gap_micros", "launch gaps", kRight},
           {"idle_micros", "idle", kRight},
           {"peak_bytes", "peak memory", kRight},
           {"outlier", ""},
           {"warm_up", ""},
           {"", ""}},
          report.steps.size(),
          [&report, add](size_t r, RowCells& out) {
            if (r >= report.steps.size()) {
              out.Add(cell::Text(r == report.steps.size() ? "mean" : "spread"));
              add(r == report.steps.size() ? report.mean : report.spread, out);
              return;
            }
            const StepReportRow& row = report.steps[r];
            out.Add(cell::Plain(row.step).Says(fmt::format("{}{}", row.step,
                                                           row.warm_up   ? " w"
                                                           : row.outlier ? " !"
                                                                         : "")));
            add(row.times, out);
            out.Add(cell::Bytes(row.peak_bytes), cell::Flag(row.outlier), cell::Flag(row.warm_up));
          },
          2};
}

Cell Times(const StepParts& t) {
  return cell::Object({{"wall_micros", cell::Nanos(t.wall)},
                       {"busy_micros", cell::Nanos(t.busy)},
                       {"compute_micros", cell::Nanos(t.compute)},
                       {"collectives_exposed_micros", cell::Nanos(t.collectives_exposed)},
                       {"collectives_hidden_micros", cell::Nanos(t.collectives_hidden)},
                       {"copies_micros", cell::Nanos(t.copies_exposed)},
                       {"input_micros", cell::Nanos(t.input)},
                       {"launch_gap_micros", cell::Nanos(t.launch_gaps)},
                       {"idle_micros", cell::Nanos(t.idle)}});
}

}  // namespace

Document StepsDocument(StepsReport made) {
  Document out;
  const StepsReport& report = Keep(std::move(made), out);
  out.title = "Steps";
  out.inputs = InputsOf(report.input_files);
  out.warnings = report.warnings;
  out.blocks.push_back({"", "", ProseOf(report.bound), kForPeople});
  out.blocks.push_back({"", "",
                        Facts{{"devices", "", cell::Count(report.devices)},
                              {"on_accelerators", "", cell::Flag(report.on_accelerators)},
                              {"bound", "", cell::Text(report.bound)},
                              {"counted_steps", "", cell::Dims(report.used.counted)},
                              {"warm_up_steps", "", cell::Dims(report.used.warm_up)},
                              {"mean", "", Times(report.mean)},
                              {"spread", "", Times(report.spread)}},
                        kInJson});
  out.blocks.push_back({"steps", "Steps", Steps(report)});
  size_t outliers = 0;
  for (const StepReportRow& row : report.steps) outliers += row.outlier && !row.warm_up;
  if (outliers > 0) {
    out.blocks.push_back({"", "",
                          ProseOf(fmt::format("! {} of {} steps took far more or less time than the others.",
                                              outliers, report.steps.size())),
                          kForPeople});
  }
  if (!report.used.warm_up.empty()) {
    out.blocks.push_back({"", "", ProseOf("w warm-up: not in the mean, nor in the spread."), kForPeople});
  }
  out.csv = Steps(report);
  return out;
}

}  // namespace tfprof
