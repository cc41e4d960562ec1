#include "model/totals.h"

#include <algorithm>
#include <vector>

#include "base/checked.h"
#include "model/step_use.h"

namespace tfprof {
namespace {

// Importers have told of sums that are cut; totals of them may be.
void AddTo(int64_t* sum, int64_t value) { *sum = SaturatingAdd(*sum, value); }

// Coverage in picoseconds until all is added: a thousand parts of a microsecond are one.
class Totals {
 public:
  explicit Totals(Profile* profile) : profile_(*profile), memory_(profile->size()) {
    profile_.steps_run = Column<NodeId, uint32_t>(profile_.steps.empty() ? 0 : profile_.size());
  }

  // A node in some steps: its time in all of them, and in those that recorded memory.
  void Add(NodeId node, uint32_t steps, int64_t picos, bool has_memory, int64_t picos_with_memory) {
    Coverage& c = profile_.coverage;
    profile_.steps_run[node] += steps;
    AddTo(&c.micros, picos);
    if (profile_.float_ops[node] != kNotRecorded) AddTo(&c.micros_with_float_ops, picos);
    if (profile_.stack[node]) AddTo(&c.micros_with_stack, picos);
    const DeviceId device = profile_.device[node];
    if (!device) return;
    AddTo(&profile_.devices[device].picos, picos);
    if (!has_memory) return;
    memory_[node.value] = true;
    AddTo(&c.micros_with_memory, picos_with_memory);
  }

  void Finish() {
    Coverage& c = profile_.coverage;
    for (size_t n = 0; n < profile_.size(); ++n) {
      const NodeId node(n);
      if (profile_.device[node]) ++profile_.devices[profile_.device[node]].nodes;
      c.nodes += profile_.in_graph[node];
      c.nodes_run += profile_.in_graph[node] && profile_.StepsRun(node) > 0;
      c.nodes_only_run += !profile_.in_graph[node];
      c.with_params += profile_.shape[node].valid();
      c.with_float_ops += profile_.float_ops[node] != kNotRecorded;
      c.with_memory += memory_[n];
      c.with_stack += profile_.stack[node].valid();
    }
    for (int64_t* sum : {&c.micros, &c.micros_with_float_ops, &c.micros_with_memory, &c.micros_with_stack})
      *sum = MicrosOfPicos(*sum);
  }

 private:
  Profile& profile_;
  std::vector<uint8_t> memory_;  // whether a node has any; bits take longer
};

}  // namespace

StepSums SumsOf(const Step& step) {
  StepSums out;
  out.nodes = static_cast<int64_t>(step.rows.size());
  for (const StepRow& row : step.rows) {
    AddTo(&out.picos, row.picos());
    AddTo(&out.runs, row.run_count);
    if (row.first_start <= 0) continue;
    out.first_start = out.first_start == 0 ? row.first_start : std::min(out.first_start, row.first_start);
    out.last_end = std::max(out.last_end, row.last_end);
  }
  out.origin = out.first_start;
  const auto seen = [&out](int64_t moment) {
    if (moment > 0 && (out.origin == 0 || moment < out.origin)) out.origin = moment;
  };
  for (const Execution& e : step.executions) seen(e.start_nanos);
  for (const MemoryUse& use : step.memory) seen(use.start_nanos), seen(use.end_nanos);
  for (const Allocation& a : step.allocations) {
    if (a.bytes != 0) seen(a.nanos);
  }
  return out;
}

std::vector<NodeTimes> TimesOf(const Step& step) {
  std::vector<NodeTimes> out;
  out.reserve(step.rows.size());
  for (size_t r = 0; r < step.rows.size(); ++r) {
    const StepRow& row = step.rows[r];
    if (row.first_start == 0 && row.run_count == 0) continue;
    out.push_back({step.node_of_row[r], row.accelerator_picos, row.cpu_picos});
  }
  return out;
}

void FoldStep(const Step& step, size_t nodes, Column<NodeId, NodeFold>* folds) {
  if (folds->size() < nodes) folds->resize(nodes);
  for (size_t r = 0; r < step.rows.size(); ++r) {
    const StepRow& row = step.rows[r];
    NodeFold& fold = (*folds)[step.node_of_row[r]];
    StepRow& sum = fold.sum;
    const int64_t picos = row.picos();
    const auto exact = static_cast<double>(picos);
    fold.least_picos = fold.steps == 0 ? picos : std::min(fold.least_picos, picos);
    fold.most_picos = fold.steps == 0 ? picos : std::max(fold.most_picos, picos);
    fold.square_picos += exact * exact;
    if (fold.steps++ == 0) sum.devices = row.devices;
    if (row.first_start != 0)
      sum.first_start = sum.first_start == 0 ? row.first_start : std::min(sum.first_start, row.first_start);
    sum.last_end = std::max(sum.last_end, row.last_end);
    for (int64_t StepRow::*figure :
         {&StepRow::accelerator_picos, &StepRow::cpu_picos, &StepRow::requested_bytes, &StepRow::peak_bytes,
          &StepRow::residual_bytes, &StepRow::output_bytes, &StepRow::run_count}) {
      AddTo(&(sum.*figure), row.*figure);
    }
    if (!step.has_memory) continue;
    fold.has_memory = true;
    AddTo(&fold.picos_with_memory, picos);
  }
}

void ComputeTotals(Profile* profile) {
  Totals totals(profile);
  for (size_t n = 0; n < profile->folds.size(); ++n) {
    const NodeFold& fold = profile->folds[NodeId(n)];
    if (fold.steps > 0)
      totals.Add(NodeId(n), fold.steps, fold.sum.picos(), fold.has_memory, fold.picos_with_memory);
  }
  for (const Step& step : profile->steps) {
    for (size_t r = 0; r < step.rows.size(); ++r) {
      const int64_t picos = step.rows[r].picos();
      totals.Add(step.node_of_row[r], 1, picos, step.has_memory, picos);
    }
  }
  totals.Finish();
  std::vector<int64_t> picos;
  for (const Step& step : profile->steps) picos.push_back(step.sums.picos);
  profile->warm_up = CountWarmUp(picos);
  // Steps that came out of order may be folded with the others.
  while (profile->warm_up > 0 && profile->steps[profile->warm_up - 1].folded) --profile->warm_up;
}

}  // namespace tfprof
