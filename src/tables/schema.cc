// The one list of tables, columns and questions. docs/fleet.md is written from it (tools/update_docs.py).
#include <fmt/format.h>

#include <array>

#include "base/text.h"
#include "tfprof/tables.h"

namespace tfprof {
namespace {

constexpr FieldType kInt = FieldType::kInteger, kReal = FieldType::kReal, kText = FieldType::kText;
constexpr bool kNull = true, kSet = false;
constexpr TableField kRunId = {"run_id", kInt, kSet, "the run: runs.run_id"};

// clang-format off
constexpr TableField kRunFields[] = {
    {"run_id", kInt, kSet, "key of the run in every table, made of its files and its job; those of a job lie together, by day"},
    {"content", kText, kSet, "hash of its files alone, 128 bits in hex: the same files have the same"},
    {"job", kText, kSet, "what it belongs to: --job, or the folder around it"},
    {"date", kText, kNull, "day, YYYY-MM-DD in UTC: --date, else of its first record, else of its newest file"},
    {"name", kText, kSet, "within the folder that was given"},
    {"source", kText, kSet, "where it was read from"},
    {"host", kText, kNull, "that it ran on, as its devices are called; of several the first"},
    {"framework", kText, kNull, "TensorFlow or JAX, where the files tell"},
    {"formats", kText, kSet, "what its files are: GraphDef, RunMetadata, XPlane..."},
    {"accelerator", kText, kNull, "model or kind of its accelerators; null: it ran on none"},
    {"accelerators", kInt, kSet, "how many of its devices are accelerators"},
    {"devices", kInt, kSet, "devices that ran something"},
    {"steps", kInt, kSet, "that were recorded"},
    {"warm_up_steps", kInt, kSet, "of these: left out of means"},
    {"start_nanos", kInt, kNull, "first record, since 1970"},
    {"nodes", kInt, kSet, "rows of nodes"},
    {"parameters", kInt, kNull, "elements of the model's variables"},
    {"float_ops", kInt, kNull, "of a step in the mean; without steps, of each node once"},
    {"picos", kInt, kNull, "execution time of all nodes, of a step in the mean"},
    {"accelerator_picos", kInt, kNull, "of it on accelerators"},
    {"cpu_picos", kInt, kNull, "of it on CPUs"},
    {"wall_nanos", kInt, kNull, "length of a step in the mean"},
    {"requested_bytes", kInt, kNull, "asked of allocators by all nodes, of a step in the mean"},
    {"output_bytes", kInt, kNull, "output tensors of all nodes, of a step in the mean"},
    {"peak_bytes", kInt, kNull, "highest peak of a device's memory in any step"},
    {"peak_flops", kReal, kNull, "float ops per second that one of its accelerators can do at most"},
    {"damage", kInt, kSet, "places where a file was damaged and read past (--keep_going)"},
    {"notes", kText, kNull, "what was left out, and how figures came about; one on a line"},
    {"has_executions", kInt, kSet, "1: its executions are in the table"},
    {"has_allocations", kInt, kSet, "1: its allocations are in the table"},
    {"written_by", kText, kSet, "version of tfprof"},
};

constexpr TableField kStepFields[] = {
    kRunId,
    {"step", kInt, kSet, "its number"},
    {"warm_up", kInt, kSet, "1: left out of means"},
    {"start_nanos", kInt, kNull, "first record, since 1970"},
    {"nodes", kInt, kSet, "that ran"},
    {"executions", kInt, kSet, "of nodes"},
    {"picos", kInt, kSet, "execution time of all nodes; more than the wall time where several run at once"},
    {"on_accelerator", kInt, kNull, "1: the times below are of accelerators; 0: of the CPUs' ops"},
    {"wall_nanos", kInt, kNull, "from its begin to the next one's, or to the end of its work; of several devices the mean"},
    {"busy_nanos", kInt, kNull, "of it: the device worked"},
    {"compute_nanos", kInt, kNull, "of that: computed"},
    {"collectives_nanos", kInt, kNull, "exchanged data with others, and did nothing else"},
    {"copies_nanos", kInt, kNull, "copied, and did nothing else"},
    {"input_nanos", kInt, kNull, "nothing ran while the host prepared input"},
    {"launch_gap_nanos", kInt, kNull, "short pauses between kernels"},
    {"idle_nanos", kInt, kNull, "nothing ran, for another reason"},
    {"peak_bytes", kInt, kNull, "highest peak of a device's memory"},
};

constexpr TableField kDeviceFields[] = {
    kRunId,
    {"device", kText, kSet, "its name"},
    {"kind", kText, kSet, "cpu, gpu, tpu or other"},
    {"host", kText, kNull, "that it belongs to"},
    {"ordinal", kInt, kNull, "its number there"},
    {"model", kText, kNull, "as its recorder calls it: NVIDIA H200"},
    {"nodes", kInt, kSet, "that ran on it"},
    {"picos", kInt, kSet, "their execution time in all steps"},
    {"busy_picos", kInt, kNull, "in which any of its streams worked (captures)"},
};

constexpr TableField kPeakFields[] = {
    kRunId,
    {"step", kInt, kSet, "in which it was"},
    {"device", kText, kSet, "whose memory"},
    {"allocator", kText, kSet, "that handed it out; '': not recorded"},
    {"evidence", kText, kSet, "recorded, measured or derived (docs/memory.md)"},
    {"peak_bytes", kInt, kSet, "most that was held at once"},
    {"at_nanos", kInt, kSet, "when, since the step's first record (captures: since their begin)"},
    {"largest_node", kText, kNull, "that held most of it"},
    {"largest_bytes", kInt, kNull, "how much that was"},
};

#define TFPROF_FIGURES(OF)                                                                                 \
    {"executions", kInt, kNull, "how often " OF " ran; null: no step was recorded"},                       \
    {"picos", kInt, kNull, "execution time: the next two together"},                                       \
    {"accelerator_picos", kInt, kNull, "on accelerators"},                                                 \
    {"cpu_picos", kInt, kNull, "on CPUs; of accelerator ops that of launching them"},                      \
    {"requested_bytes", kInt, kNull, "asked of allocators"},                                               \
    {"peak_bytes", kInt, kNull, "most that it held at once"},                                              \
    {"residual_bytes", kInt, kNull, "that it still held when it ended"},                                   \
    {"output_bytes", kInt, kNull, "of its output tensors"},                                                \
    {"float_ops", kInt, kNull, "of all its executions"}

constexpr TableField kOpFields[] = {
    kRunId,
    {"op", kText, kSet, "type of op"},
    {"nodes", kInt, kSet, "of that type"},
    TFPROF_FIGURES("they"),
    {"parameters", kInt, kNull, "elements of the model's variables"},
};

constexpr TableField kNodeFields[] = {
    kRunId,
    {"node", kInt, kSet, "its number in the run"},
    {"name", kText, kSet, "with the scopes it lies in"},
    {"scope", kText, kSet, "that it lies in: its name up to the last /; '': none"},
    {"op", kText, kSet, "type of op"},
    {"device", kText, kNull, "that it ran on; null: it did not run"},
    {"in_graph", kInt, kSet, "0: only a run knows it"},
    {"shape", kText, kNull, "of its attribute `shape`: 3x3x64; -1 is not known"},
    {"output_shapes", kText, kNull, "of its outputs, with ; between"},
    {"steps", kInt, kSet, "in which it ran"},
    TFPROF_FIGURES("it"),
    {"parameters", kInt, kNull, "elements, where it is a variable of the model"},
    {"macs", kInt, kNull, "multiply-adds"},
    {"moved_bytes", kInt, kNull, "inputs read and outputs written, by their shapes"},
};

constexpr TableField kFigureFields[] = {
    kRunId,
    {"step", kInt, kSet, "its number"},
    {"node", kInt, kSet, "nodes.node"},
    {"start_nanos", kInt, kNull, "of its first execution, since 1970"},
    {"end_nanos", kInt, kNull, "of its last one"},
    TFPROF_FIGURES("it"),
};

constexpr TableField kExecutionFields[] = {
    kRunId,
    {"step", kInt, kSet, "its number"},
    {"execution", kInt, kSet, "its number in the step"},
    {"node", kInt, kSet, "nodes.node"},
    {"device", kText, kSet, "or the stream or thread of one"},
    {"counts_as", kText, kSet, "cpu, accelerator, or other: seen elsewhere already"},
    {"start_nanos", kInt, kSet, "since 1970"},
    {"nanos", kInt, kSet, "how long"},
};

constexpr TableField kAllocationFields[] = {
    kRunId,
    {"step", kInt, kSet, "its number"},
    {"allocation", kInt, kSet, "its number in the step"},
    {"node", kInt, kNull, "nodes.node, that asked for it"},
    {"device", kText, kNull, "whose memory"},
    {"allocator", kText, kNull, "that handed it out"},
    {"nanos", kInt, kNull, "when, since 1970 (captures: since their begin)"},
    {"bytes", kInt, kSet, "less than 0: given back"},
};

constexpr TableField kFailureFields[] = {
    {"source", kText, kSet, "what could not be read"},
    {"job", kText, kSet, "what it belongs to"},
    {"date", kText, kNull, "day: --date, or of its newest file"},
    {"reason", kText, kSet, "what is wrong, and where"},
};

constexpr std::array<TableSpec, kTableCount> kTables = {{
    {TableId::kRuns, "runs", "one row per run", "run_id", kRunFields},
    {TableId::kSteps, "steps", "one row per step: its time and what it went into, its peak of memory", "run_id,step", kStepFields},
    {TableId::kDevices, "devices", "one row per device that ran something", "run_id,device", kDeviceFields},
    {TableId::kMemoryPeaks, "memory_peaks", "one row per step, device and allocator: the peak of its memory",
     "run_id,step,device,allocator,evidence", kPeakFields},
    {TableId::kOps, "ops", "one row per type of op: the figures of its nodes added up, of a step in the mean", "run_id,op", kOpFields},
    {TableId::kNodes, "nodes", "one row per node, with its figures of a step in the mean, as `tfprof scope` shows them", "run_id,node",
     kNodeFields},
    {TableId::kFigures, "figures", "one row per step and node that ran in it", "run_id,step,node", kFigureFields},
    {TableId::kExecutions, "executions", "one row per execution of a node (--with executions)", "run_id,step,execution",
     kExecutionFields, true},
    {TableId::kAllocations, "allocations", "one row per allocation and release (--with allocations)", "run_id,step,allocation",
     kAllocationFields, true},
    {TableId::kFailures, "failures", "one row per input that could not be read; it goes when the input can be", "source", kFailureFields},
}};

// Plain SQL that SQLite and DuckDB understand alike. Sums are of floating point: the exact ones are in the
// tables, and no run, however broken its figures, makes a question fail.
constexpr TableQuestion kQuestions[] = {
    {"jobs", "what is there: runs of each job, their time, memory and size in the mean",
R"(select job, count(*) as runs, min(date) as first_date, max(date) as last_date, avg(steps) as steps,
  avg(wall_nanos / 1e6) as step_ms, max(peak_bytes / 1e6) as most_peak_mb, max(parameters) as parameters
from runs group by job order by job)"},
    {"top_ops", "types of op by the time they take over all runs, of a step in the mean of each",
R"(select op, count(*) as runs, sum(1.0 * nodes) as nodes, sum(picos / 1e9) as ms,
  sum(picos / 1e9) / nullif((select sum(picos / 1e9) from ops), 0) as share,
  sum(accelerator_picos / 1e9) as accelerator_ms, sum(cpu_picos / 1e9) as cpu_ms,
  sum(1.0 * float_ops) as float_ops, sum(requested_bytes / 1e6) as requested_mb
from ops where picos is not null group by op order by ms desc, op)"},
    {"top_ops_by_job", "the same for each job",
R"(select job, op, count(*) as runs, sum(ops.picos / 1e9) as ms, sum(ops.picos / 1e9) / count(*) as ms_per_run,
  sum(1.0 * ops.float_ops) as float_ops
from ops join runs on runs.run_id = ops.run_id where ops.picos is not null group by job, op
order by job, ms desc, op)"},
    {"peaks", "peak of memory of each job and device: the highest, the run that had it, and the newest run's",
R"(with by_run as (
  select r.job, p.device, r.run_id, r.name, r.date, max(p.peak_bytes / 1e6) as mb,
    row_number() over (partition by r.job, p.device order by max(p.peak_bytes) desc, r.date, r.name) as by_size,
    row_number() over (partition by r.job, p.device order by coalesce(r.start_nanos, 0) desc, r.date desc, r.name desc) as by_age
  from memory_peaks p join runs r on r.run_id = p.run_id
  group by r.job, p.device, r.run_id, r.name, r.date, r.start_nanos)
select job, device, count(*) as runs, max(mb) as peak_mb, max(case when by_size = 1 then name end) as peak_run,
  max(case when by_size = 1 then date end) as peak_date, max(case when by_age = 1 then mb end) as newest_mb
from by_run group by job, device order by peak_mb desc, job, device)"},
    {"peak_growth", "peak of memory of each job: its first and its newest run, and what came to it",
R"(with ordered as (
  select job, name, date, peak_bytes / 1e6 as mb,
    row_number() over (partition by job order by date, coalesce(start_nanos, 0), name) as oldest,
    row_number() over (partition by job order by date desc, coalesce(start_nanos, 0) desc, name desc) as newest
  from runs where peak_bytes is not null)
select job, count(*) as runs, max(case when oldest = 1 then date end) as first_date,
  max(case when newest = 1 then date end) as last_date, max(case when oldest = 1 then mb end) as first_mb,
  max(case when newest = 1 then mb end) as last_mb,
  max(case when newest = 1 then mb end) - max(case when oldest = 1 then mb end) as grew_mb,
  max(case when newest = 1 then mb end) / nullif(max(case when oldest = 1 then mb end), 0) - 1 as growth
from ordered group by job order by growth desc, job)"},
    {"idle_accelerators", "jobs that leave their accelerators idle: the share of their steps in which nothing ran, and why",
R"(select job, count(distinct runs.run_id) as runs, count(*) as steps, sum(steps.wall_nanos / 1e6) as wall_ms,
  1 - sum(busy_nanos / 1e6) / nullif(sum(steps.wall_nanos / 1e6), 0) as idle_share,
  sum(input_nanos / 1e6) / nullif(sum(steps.wall_nanos / 1e6), 0) as input_share,
  sum(launch_gap_nanos / 1e6) / nullif(sum(steps.wall_nanos / 1e6), 0) as launch_share,
  sum(idle_nanos / 1e6) / nullif(sum(steps.wall_nanos / 1e6), 0) as other_share
from steps join runs on runs.run_id = steps.run_id where on_accelerator = 1 and warm_up = 0
group by job order by idle_share desc, job)"},
    {"flops_efficiency", "float ops per second of each job's steps, and the share of what its accelerators could do",
R"(select job, count(*) as runs, sum(1.0 * float_ops) as float_ops, sum(wall_nanos / 1e6) as wall_ms,
  sum(1.0 * float_ops) / nullif(sum(wall_nanos / 1e9), 0) / 1e9 as gflops_per_second,
  sum(1.0 * float_ops) / nullif(sum(wall_nanos / 1e9 * peak_flops * accelerators), 0) as share_of_peak
from runs where float_ops is not null and wall_nanos is not null group by job order by gflops_per_second desc, job)"},
    {"duplicates", "runs with the same files: the same recording under several jobs",
R"(select content, count(*) as copies, min(job) as first_job, max(job) as last_job, min(source) as first_source,
  max(source) as last_source
from runs group by content having count(*) > 1 order by copies desc, content)"},
    {"slow_steps", "steps that took more than half as long again as their run in the mean",
R"(select job, name, date, step, steps.wall_nanos / 1e6 as ms, runs.wall_nanos / 1e6 as mean_ms,
  1.0 * steps.wall_nanos / runs.wall_nanos as times, warm_up
from steps join runs on runs.run_id = steps.run_id
where runs.wall_nanos > 0 and 2.0 * steps.wall_nanos > 3.0 * runs.wall_nanos order by times desc, job, name, step)"},
    {"models", "sizes of the models: parameters, float ops and nodes, and the runs that have them",
R"(select parameters, float_ops, nodes, count(*) as runs, count(distinct job) as jobs, min(job) as first_job
from runs group by parameters, float_ops, nodes order by runs desc, parameters desc)"},
    {"broken_inputs", "inputs that could not be read, by job",
R"(select job, count(*) as inputs, min(source) as first_source, min(reason) as first_reason
from failures group by job order by inputs desc, job)"},
};
// clang-format on
#undef TFPROF_FIGURES

constexpr bool InOrder() {
  for (size_t i = 0; i < kTableCount; ++i) {
    if (kTables[i].id != static_cast<TableId>(i)) return false;
  }
  return true;
}
static_assert(InOrder(), "tables stand in the order of TableId");

}  // namespace

std::span<const TableSpec> TableSpecs() { return kTables; }
const TableSpec& TableOf(TableId id) { return kTables[static_cast<size_t>(id)]; }
std::span<const TableQuestion> TableQuestions() { return kQuestions; }

Result<TablesWanted> ParseTablesWanted(std::string_view words) {
  TablesWanted out;
  for (const std::string& word : SplitList(words, ',')) {
    if (word == "executions") {
      out.executions = true;
    } else if (word == "allocations") {
      out.allocations = true;
    } else {
      return Error::Usage(fmt::format("-with: '{}' is not one of executions, allocations{}", Printable(word),
                                      DidYouMean(word, {"executions", "allocations"})));
    }
  }
  return out;
}

}  // namespace tfprof
