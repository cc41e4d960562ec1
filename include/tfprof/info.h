// What an input is: formats, devices, steps, counts, coverage, damage, and what is missing. `tfprof info`
// prints it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tfprof/coverage.h"
#include "tfprof/profile.h"

namespace tfprof {

struct StepInfo {
  int64_t number = 0;
  int64_t nodes = 0;   // that ran
  int64_t runs = 0;    // executions
  int64_t micros = 0;  // accelerator and cpu time of all nodes
  int64_t picos = 0;   // the same, exactly
  bool has_memory = false;
};

struct DeviceInfo {
  std::string name;
  int64_t nodes = 0;   // placed there
  int64_t micros = 0;  // of all steps
  int64_t picos = 0;   // the same, exactly
  std::optional<int64_t>
      busy_picos;  // captures: the time in which any of its streams worked; none: not known
};

struct CheckpointInfo {
  std::string prefix, format;
  int64_t tensors = 0;
  int64_t nodes = 0;             // tensors that are the value of a node
  std::optional<int64_t> bytes;  // of all; none: of some only reading tells
};

// What an XPlane capture has recorded.
struct CaptureInfo {
  int64_t hosts = 0, device_planes = 0;
  int64_t gpus = 0, tpus = 0;                  // of the device planes
  int64_t device_picos = 0;                    // all work of accelerators
  std::optional<double> device_share_with_op;  // of it on nodes of an op; none: no such work
  int64_t cuda_graph_picos = 0;
  int64_t programs = 0, programs_run = 0, memory_events = 0;
  std::string step_markers;  // numbered, runtime, device, none
  bool call_stacks = false;
  std::vector<std::string> warnings, errors;  // the recorder's
};

// What a memory profile holds: one moment.
struct LiveMemoryInfo {
  std::string source, sample_type;
  std::optional<int64_t> bytes, blocks;  // none: not told of any
  int64_t bytes_without_stack = 0;
  int64_t stacks = 0, blocks_without_size = 0;
};

// Data that the input lacks, the commands that would need it, and how to record it.
struct MissingInfo {
  std::string what, needed_for, how;
};

struct ProfileInfo {
  std::vector<std::pair<std::string, std::string>> files;  // path, format
  int64_t nodes = 0, op_types = 0, edges = 0, dangling_inputs = 0;
  int64_t params = 0, variables = 0;                 // of the model, trainable or not
  int64_t optimizer_state = 0, other_variables = 0;  // elements of variables that are no parameters
  int64_t float_ops = 0;                             // of one execution of each node
  bool float_ops_counted = false;                    // from the graph, not recorded
  int64_t call_stacks = 0;                           // distinct
  std::vector<DeviceInfo> devices;
  std::vector<StepInfo> steps;
  std::optional<CheckpointInfo> checkpoint;
  std::optional<CaptureInfo> capture;
  std::optional<LiveMemoryInfo> live_memory;  // then there is nothing else
  Coverage coverage;
  std::map<std::string, int64_t> damage;
  std::vector<std::string> warnings;
  std::vector<MissingInfo> missing;
};

ProfileInfo Describe(const Profile& profile);

// One run of a folder of them, in a line.
struct RunInfo {
  std::string name, path;
  int64_t modified = 0, bytes = 0;               // of its files; seconds since 1970, 0: not known
  std::string framework, formats;                // "": not known
  std::optional<int64_t> steps, nodes, devices;  // none: not recorded
  std::string error;                             // why it cannot be read; "": it can
};

struct RunList {
  std::vector<std::string> folders;  // as they were given
  std::vector<RunInfo> runs;         // by name
};

// Every run below the inputs. They are read one after the other, and none is kept; one that cannot be read
// says why. An error: there is none at all.
Result<RunList> DescribeRuns(const Options& options, const Progress& progress = {});

}  // namespace tfprof
