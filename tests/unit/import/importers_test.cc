#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "support/made_profile.h"
#include "tfprof/info.h"

namespace tfprof {
namespace {

std::vector<int64_t> Dims(const Profile& profile, ShapeId shape) {
  const auto dims = profile.shapes[shape];
  return {dims.begin(), dims.end()};
}

const StepRow& RowOf(const Profile& profile, std::string_view node, size_t step = 0) {
  static const StepRow none;
  const StepRow* row = profile.steps.at(step).Find(NodeNamed(profile, node));
  EXPECT_NE(row, nullptr) << node << " did not run";
  return row ? *row : none;
}

std::string DeviceOf(const Profile& profile, std::string_view node) {
  const DeviceId device = profile.device[NodeNamed(profile, node)];
  return std::string(profile.DeviceName(device));
}

// --- GraphDef

TEST(GraphDef, InputFormsAllNameTheirNodeAndKeepTheirPosition) {
  const auto profile = MadeProfile()
                           .Graph(R"(node { name: "x" op: "A" } node { name: "y" op: "A" }
                                     node { name: "z" op: "B" input: "x" input: "y:3" input: "^x" input:
                                         "gone" })")
                           .Build();
  const auto inputs = profile->Inputs(NodeNamed(*profile, "z"));
  ASSERT_EQ(inputs.size(), 4u);
  EXPECT_EQ(profile->Name(inputs[0].node), "x");
  EXPECT_EQ(profile->Name(inputs[1].node), "y");
  EXPECT_EQ(profile->Name(inputs[2].node), "x");
  EXPECT_FALSE(inputs[3].node.valid());
  EXPECT_EQ(inputs[3].position, 3u);
}

// Near and far, before and behind the node, in graphs of several pieces, whatever the threads.
TEST(GraphDef, InputsAreFoundWhereverTheirNodesAre) {
  constexpr size_t kNodes = 10000;
  const auto source = [](size_t n, size_t k) { return (n + (k == 0 ? kNodes - 1 : n * 7919 + k)) % kNodes; };
  std::string graph;
  for (size_t n = 0; n < kNodes; ++n) {
    graph += fmt::format("node {{ name: \"n{}\" op: \"Op{}\"", n, n % 5);
    for (size_t k = 0; k < 3; ++k) graph += fmt::format(" input: \"n{}\"", source(n, k));
    if (n % 1000 == 0) graph += " input: \"gone\"";
    graph += " }\n";
  }
  const auto profile = MadeProfile().Graph(graph).Build();
  for (size_t n = 0; n < kNodes; ++n) {
    const auto inputs = profile->Inputs(NodeId(n));
    ASSERT_EQ(inputs.size(), n % 1000 == 0 ? 4u : 3u);
    for (size_t k = 0; k < inputs.size(); ++k) {
      ASSERT_EQ(inputs[k].position, k);
      ASSERT_EQ(inputs[k].node, k == 3 ? NodeId() : NodeId(source(n, k))) << n;
    }
  }
}

TEST(GraphDef, InputsOfNodesThatAreNoTextAreFoundBesideOthers) {
  const auto profile = MadeProfile(true)
                           .Graph(R"(node { name: "a" op: "A" input: "b\377" }
                                     node { name: "b\377" op: "A" input: "c" input: "a" }
                                     node { name: "c" op: "A" input: "a" input: "b\377" input: "c" })")
                           .Build();
  const auto names = [&](const char* node) {
    std::string out;
    for (const Input& input : profile->Inputs(NodeNamed(*profile, node)))
      out += fmt::format("{}={} ", input.position, profile->Name(input.node));
    return out;
  };
  EXPECT_EQ(names("a"), "0=b\\xff ");
  EXPECT_EQ(names("b\\xff"), "0=c 1=a ");
  EXPECT_EQ(names("c"), "0=a 1=b\\xff 2=c ");
}

TEST(GraphDef, ShapesOfEveryKind) {
  const auto profile = MadeProfile()
                           .Graph(R"(
      node { name: "matrix" attr { key: "shape" value { shape { dim { size: 2 } dim { size: 3 } } } } }
      node { name: "scalar" attr { key: "shape" value { shape { } } } }
      node { name: "any_rank" attr { key: "shape" value { shape { unknown_rank: true } } } }
      node { name: "batch" attr { key: "shape" value { shape { dim { size: -1 } dim { size: 4 } } } } }
      node { name: "zero" attr { key: "shape" value { shape { dim { } } } } }
      node { name: "none" attr { key: "T" value { type: DT_FLOAT } } }
      node { name: "deep" attr { key: "shape" value { shape {
        dim { size: 1 } dim { size: 2 } dim { size: 3 } dim { size: 4 } dim { size: 5 } dim { size: 6 } dim
            { size: 7 }
        dim { size: 8 } dim { size: 9 } dim { size: 10 } } } } })")
                           .Build();
  const auto dims = [&](const char* name) {
    return Dims(*profile, profile->shape[NodeNamed(*profile, name)]);
  };
  EXPECT_EQ(dims("matrix"), (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(dims("scalar"), (std::vector<int64_t>{1}));
  EXPECT_EQ(dims("any_rank"), (std::vector<int64_t>{}));
  EXPECT_EQ(dims("batch"), (std::vector<int64_t>{-1, 4}));
  EXPECT_EQ(dims("zero"), (std::vector<int64_t>{0}));
  EXPECT_EQ(dims("deep"), (std::vector<int64_t>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
  EXPECT_FALSE(profile->shape[NodeNamed(*profile, "none")].valid());
}

TEST(GraphDef, OutputShapesAreKeptByIndex) {
  const auto profile = MadeProfile()
                           .Graph(R"(node { name: "a" attr { key: "_output_shapes" value { list {
                                       shape { dim { size: 5 } } shape { unknown_rank: true } } } } }
                                     node { name: "b" })")
                           .Build();
  const auto outputs = profile->OutputShapes(NodeNamed(*profile, "a"));
  ASSERT_EQ(outputs.size(), 2u);
  EXPECT_EQ(Dims(*profile, outputs[0]), (std::vector<int64_t>{5}));
  EXPECT_TRUE(Dims(*profile, outputs[1]).empty());
  EXPECT_TRUE(profile->OutputShapes(NodeNamed(*profile, "b")).empty());
}

TEST(GraphDef, TheDeviceOfANodeDefIsNoDevice) {
  const auto profile = MadeProfile().Graph(R"(node { name: "a" op: "A" device: "/device:GPU:0" })").Build();
  EXPECT_EQ(DeviceOf(*profile, "a"), "");
}

TEST(GraphDef, AWrongDimensionIsDamageAndThenUnknown) {
  const char* text = R"(node { name: "a" attr { key: "shape" value { shape { dim { size: -7 } } } } })";
  EXPECT_TRUE(Contains(MadeProfile().Graph(text).problem(), "shape [-7] at byte"));
  const auto profile = MadeProfile(true).Graph(text).Build();
  EXPECT_TRUE(Dims(*profile, profile->shape[NodeNamed(*profile, "a")]).empty());
  EXPECT_EQ(profile->damage.at("negative dimension"), 1);
}

// --- RunMetadata

TEST(RunMetadata, TheFirstCanonicalDeviceWinsAndOthersAreIgnored) {
  const auto profile = MadeProfile()
                           .Graph(R"(node { name: "a" op: "A" })")
                           .Run(0, R"(step_stats {
    dev_stats { device: "/job:j/task:0/device:CPU:1"
      node_stats { node_name: "a" all_start_micros: 10 op_end_rel_micros: 5 memory { allocator_name: "cpu"
          total_bytes: 100 } } }
    dev_stats { device: "/job:j/task:0/device:CPU:0"
      node_stats { node_name: "a" all_start_micros: 3 op_end_rel_micros: 50 memory { allocator_name: "cpu"
          total_bytes: 999 } } } })")
                           .Build();
  EXPECT_EQ(DeviceOf(*profile, "a"), "/job:j/task:0/device:cpu:1");
  const StepRow& row = RowOf(*profile, "a");
  EXPECT_EQ(MicrosOfPicos(row.cpu_picos), 5);
  EXPECT_EQ(row.run_count, 1);
  EXPECT_EQ(row.requested_bytes, 100);
  EXPECT_EQ(row.first_start, 10000);
  EXPECT_EQ(profile->sets[row.devices].size(), 1u);
}

TEST(RunMetadata, CanonicalMeansTheWholeDeviceNameFits) {
  const struct {
    const char* device;
    bool canonical;
  } cases[] = {{"/job:j/replica:0/task:0/device:CPU:0", true},
               {"/job:j/replica:0/task:0/gpu:3", true},
               {"/x/cpu:0", true},
               {"/device:GPU:0/stream:all", false},
               {"/device:GPU:0/stream:11", false},
               {"/device:GPU:0/memcpy", false},
               {"/device:TPU:0", false},
               {"device:CPU:0", false},
               {"/device:CPU:x", false}};
  for (const auto& [device, canonical] : cases) {
    const auto profile =
        MadeProfile()
            .RunOn(0, device, R"(node_stats { node_name: "a" all_start_micros: 1 op_end_rel_micros: 4 })")
            .Build();
    EXPECT_EQ(!DeviceOf(*profile, "a").empty(), canonical) << device;
    EXPECT_EQ(RowOf(*profile, "a").run_count, canonical ? 1 : 0) << device;
  }
}

TEST(RunMetadata, StreamAllIsAcceleratorTimeAndSingleStreamsAreOnlyRemembered) {
  const auto profile = MadeProfile()
                           .Graph(R"(node { name: "a" op: "A" })")
                           .Run(0, R"(step_stats {
    dev_stats { device: "/job:j/replica:0/task:0/device:GPU:0" node_stats { node_name: "a" all_start_micros:
        100 op_end_rel_micros: 7 } }
    dev_stats { device: "/device:GPU:0/stream:all" node_stats { node_name: "a:MatMul" all_start_micros: 200
        op_end_rel_micros: 30 } }
    dev_stats { device: "/device:GPU:0/stream:14" node_stats { node_name: "a:MatMul" all_start_micros: 50
        op_end_rel_micros: 1000 } } })")
                           .Build();
  const StepRow& row = RowOf(*profile, "a");
  EXPECT_EQ(MicrosOfPicos(row.accelerator_picos), 30);
  EXPECT_EQ(MicrosOfPicos(row.cpu_picos), 7);
  EXPECT_EQ(row.run_count, 1);
  EXPECT_EQ(row.first_start, 50000);  // over all records, streams included
  EXPECT_EQ(row.last_end, 1050000);
  EXPECT_EQ(profile->sets[row.devices].size(), 3u);
}

TEST(RunMetadata, AGpuRunWithoutStreamsIsSaidToMissThem) {
  const char* const op = R"(node_stats { node_name: "x" all_start_micros: 10 op_end_rel_micros: 5 })";
  const auto missing = [](MadeProfile& made) {
    const std::vector<MissingInfo> all = Describe(*made.Build()).missing;
    return std::any_of(all.begin(), all.end(),
                       [](const MissingInfo& info) { return info.what == "accelerator streams"; });
  };
  const char* const graph = R"(node { name: "x" op: "A" })";
  EXPECT_TRUE(missing(MadeProfile().Graph(graph).RunOn(0, "/job:a/device:GPU:0", op)));
  EXPECT_FALSE(missing(MadeProfile().Graph(graph).RunOn(0, "/job:a/device:CPU:0", op)));
  EXPECT_FALSE(missing(MadeProfile().Graph(graph).Run(
      0, fmt::format("step_stats {{ dev_stats {{ device: \"/device:GPU:0\" {} }} "
                     "dev_stats {{ device: \"/device:GPU:0/stream:all\" {} }} }}",
                     op, op))));
}

TEST(RunMetadata, NothingTakesAMicrosecondAndNoStartMeansNoTime) {
  const auto profile = MadeProfile()
                           .RunOn(0, kCpu, R"(node_stats { node_name: "a" all_start_micros: 5 }
                                              node_stats { node_name: "b" op_end_rel_micros: 50 }
                                              node_stats { node_name: "c" all_start_micros: 5
                                                  op_end_rel_micros: 3 }
                                              node_stats { node_name: "c" all_start_micros: 9
                                                  op_end_rel_micros: 4 })")
                           .Build();
  EXPECT_EQ(MicrosOfPicos(RowOf(*profile, "a").cpu_picos), 1);
  EXPECT_EQ(MicrosOfPicos(RowOf(*profile, "b").cpu_picos), 0);
  EXPECT_EQ(RowOf(*profile, "b").run_count, 0);
  EXPECT_EQ(MicrosOfPicos(RowOf(*profile, "c").cpu_picos), 7);
  EXPECT_EQ(RowOf(*profile, "c").run_count, 2);
  EXPECT_EQ(RowOf(*profile, "c").first_start, 5000);
  EXPECT_EQ(RowOf(*profile, "c").last_end, 13000);
}

TEST(RunMetadata, NodesThatTheGraphDoesNotHave) {
  const auto profile = MadeProfile()
                           .Graph(R"(node { name: "a" op: "A" })")
                           .RunOn(0, kCpu, R"(node_stats { node_name: "new:0" all_start_micros: 5 }
                                              node_stats { node_name: "RecvTensor" all_start_micros: 5 }
                                              node_stats { node_name: "_SOURCE" all_start_micros: 5 }
                                              node_stats { node_name: "MEMCPYHtoD" all_start_micros: 5 })")
                           .Build();
  ASSERT_EQ(profile->size(), 2u);
  const NodeId added = NodeNamed(*profile, "new");
  EXPECT_EQ(profile->Op(added), "new");
  EXPECT_FALSE(profile->in_graph[added]);
}

TEST(RunMetadata, ACopyNamedAfterAnEdgeGivesANodeWithoutDeviceOrTime) {
  const auto profile =
      MadeProfile()
          .RunOn(0, "/device:GPU:0/memcpy",
                 R"(node_stats { node_name: "edge_3:MEMCPYHtoD" all_start_micros: 5 op_end_rel_micros: 9 })")
          .Build();
  EXPECT_EQ(DeviceOf(*profile, "edge_3"), "");
  EXPECT_EQ(MicrosOfPicos(RowOf(*profile, "edge_3").cpu_picos), 0);
  EXPECT_EQ(MicrosOfPicos(RowOf(*profile, "edge_3").accelerator_picos), 0);
}

TEST(RunMetadata, MemoryIsSummedAsDocumented) {
  const auto profile = MadeProfile()
                           .RunOn(0, kCpu, R"(
    node_stats { node_name: "a" all_start_micros: 5
      memory { allocator_name: "cpu" total_bytes: 100 peak_bytes: 60 live_bytes: 10 }
      memory { allocator_name: "other" total_bytes: 1000 peak_bytes: 600 live_bytes: 100 }
      memory_stats { temp_memory_size: 3 persistent_memory_size: 4 }
      output { slot: 0 tensor_description { allocation_description { requested_bytes: 20 allocated_bytes: 32
          } } }
      output { slot: 1 tensor_description { allocation_description { requested_bytes: 8 } } }
      output { slot: 2 } }
    node_stats { node_name: "a" all_start_micros: 6 memory { allocator_name: "cpu" total_bytes: 1
        peak_bytes: 1 live_bytes: 1 } })")
                           .Build();
  const StepRow& row = RowOf(*profile, "a");
  EXPECT_EQ(row.requested_bytes, 100 + 1000 + 3 + 4 + 1);
  EXPECT_EQ(row.peak_bytes, 60 + 600 + 3 + 4 + 1);
  EXPECT_EQ(row.residual_bytes, 10 + 100 + 4 + 1);
  EXPECT_EQ(row.output_bytes, 32 + 8);
  EXPECT_TRUE(profile->steps[0].has_memory);
}

TEST(RunMetadata, MemoryWithoutAStartTimeIsNotCountedAndSaid) {
  const auto profile =
      MadeProfile()
          .RunOn(0, kCpu,
                 R"(node_stats { node_name: "late" memory { allocator_name: "cpu" total_bytes: 5 } })")
          .Build();
  EXPECT_EQ(RowOf(*profile, "late").requested_bytes, 0);
  ASSERT_EQ(profile->warnings.size(), 1u);
  EXPECT_TRUE(Contains(profile->warnings[0], "node late"));
}

TEST(RunMetadata, WithoutAGraphThoseInsideAreTaken) {
  const auto profile = MadeProfile()
                           .Run(0, R"(
    step_stats { dev_stats { device: "/cpu:0" node_stats { node_name: "p" all_start_micros: 1 } } }
    partition_graphs { node { name: "p" op: "Part" } }
    function_graphs { pre_optimization_graph { node { name: "pre" op: "Pre" } }
                      post_optimization_graph { node { name: "post" op: "Post" } node { name: "p" op:
                          "Again" } } })")
                           .Build();
  EXPECT_EQ(profile->size(), 2u);
  EXPECT_EQ(profile->Op(NodeNamed(*profile, "p")), "Part");
  EXPECT_TRUE(profile->in_graph[NodeNamed(*profile, "post")]);
  EXPECT_TRUE(profile->damage.empty());
}

TEST(RunMetadata, WithAGraphThoseInsideAreNot) {
  const auto profile = MadeProfile()
                           .Graph(R"(node { name: "a" op: "A" })")
                           .Run(0, R"(partition_graphs { node { name: "p" op: "Part" } })")
                           .Build();
  EXPECT_EQ(profile->size(), 1u);
}

TEST(RunMetadata, AGpuWithoutStreamRecordsMissesThem) {
  const char* stats = R"(node_stats { node_name: "a" all_start_micros: 5 op_end_rel_micros: 2 })";
  EXPECT_TRUE(MadeProfile().RunOn(0, kGpu, stats).Build()->misses_accelerator_stream);
  EXPECT_FALSE(MadeProfile().RunOn(0, kCpu, stats).Build()->misses_accelerator_stream);
  const auto both = MadeProfile()
                        .Run(0, fmt::format(R"(step_stats {{ dev_stats {{ device: "{}" {} }}
                                 dev_stats {{ device: "/device:GPU:0/stream:all" {} }} }})",
                                            kGpu, stats, stats))
                        .Build();
  EXPECT_FALSE(both->misses_accelerator_stream);
}

TEST(RunMetadata, NanosecondsRefineTheMicrosecondsThatTheyAgreeWith) {
  const auto profile = MadeProfile(false, Detail::kExecutions)
                           .Graph("node { name: 'a' op: 'A' }")
                           .RunOn(0, kCpu, R"(
    node_stats { node_name: "a" all_start_micros: 5 op_end_rel_micros: 2 all_start_nanos: 5007
                 op_end_rel_nanos: 2432 }
    node_stats { node_name: "a" all_start_micros: 9 op_end_rel_micros: 0 all_start_nanos: 9001
                 op_end_rel_nanos: 432 }
    node_stats { node_name: "a" all_start_micros: 20 op_end_rel_micros: 5 all_start_nanos: 20007
                 op_end_rel_nanos: 9000 })")
                           .Build();
  const auto& executions = profile->steps[0].executions;
  ASSERT_EQ(executions.size(), 3u);
  EXPECT_EQ(executions[0].start_nanos, 5007);
  EXPECT_EQ(executions[0].nanos, 2432);
  EXPECT_EQ(executions[1].nanos, 432) << "counts as a microsecond, is drawn as it was";
  EXPECT_EQ(executions[2].start_nanos, 20000) << "left over from before a conversion";
  EXPECT_EQ(executions[2].nanos, 5000);
  EXPECT_EQ(RowOf(*profile, "a").cpu_picos, (2 + 1 + 5) * kPicosPerMicro) << "figures are whole microseconds";
}

TEST(RunMetadata, TimesBeyond64BitsStayAtTheLargestAndAreSaid) {
  const auto profile =
      MadeProfile()
          .Graph("node { name: 'a' op: 'A' }")
          .RunOn(
              0, kCpu,
              R"(node_stats { node_name: "a" all_start_micros: 1 op_end_rel_micros: 9223372036854775807 })")
          .Build();
  EXPECT_EQ(RowOf(*profile, "a").cpu_picos, std::numeric_limits<int64_t>::max());
  EXPECT_EQ(profile->damage.at("saturated sums"), 1);
}

TEST(RunMetadata, SingleExecutionsAreKeptOnlyWhenAskedFor) {
  const char* stats = R"(node_stats { node_name: "a" all_start_micros: 5 op_end_rel_micros: 2
      memory { allocator_name: "GPU_0_bfc" total_bytes: 7 allocator_bytes_in_use: 70
               allocation_records { alloc_micros: 6 alloc_bytes: 7 } allocation_records { alloc_micros: 8
                   alloc_bytes: -7 } } }
    node_stats { node_name: "a" all_start_micros: 9 op_end_rel_micros: 4 })";
  const auto figures = MadeProfile().RunOn(0, kGpu, stats).Build();
  EXPECT_TRUE(figures->steps[0].executions.empty());
  const auto all = MadeProfile(false, Detail::kExecutions).RunOn(0, kGpu, stats).Build();
  ASSERT_EQ(all->steps[0].executions.size(), 2u);
  EXPECT_EQ(all->steps[0].executions[1].start_nanos, 9000);
  EXPECT_EQ(all->steps[0].executions[1].nanos, 4000);
  ASSERT_EQ(all->steps[0].allocations.size(), 2u);
  EXPECT_EQ(all->steps[0].allocations[1].bytes, -7);
  ASSERT_EQ(all->steps[0].allocators.size(), 1u);
  EXPECT_EQ(all->steps[0].allocators[0].in_use_bytes, 70);
  EXPECT_EQ(all->steps[0].rows[0].cpu_picos, figures->steps[0].rows[0].cpu_picos);
}

// --- OpLogProto

TEST(OpLog, BothGenerationsOfCallStacksGiveTheSame) {
  const char* graph = R"(node { name: "old" op: "A" } node { name: "new" op: "A" })";
  const auto profile = MadeProfile()
                           .Graph(graph)
                           .Log(R"(
    log_entries { name: "old" code_def { traces { file: "/m/a.py" lineno: 3 function: "f" line: "x = 1"
        func_start_line: 2 } } }
    log_entries { name: "new" code_def { traces { file_id: 1 lineno: 3 function_id: 2 line_id: 3
        func_start_line: 2 } } }
    id_to_string { key: 1 value: "/m/a.py" } id_to_string { key: 2 value: "f" } id_to_string { key: 3 value:
        "x = 1" })")
                           .Build();
  ASSERT_TRUE(profile->stack[NodeNamed(*profile, "old")].valid());
  EXPECT_EQ(profile->stack[NodeNamed(*profile, "old")], profile->stack[NodeNamed(*profile, "new")]);
}

TEST(OpLog, FloatOpsAndTypesGoToTheirNode) {
  const auto profile =
      MadeProfile()
          .Graph(R"(node { name: "a" op: "A" } node { name: "b" op: "A" })")
          .Log(R"(log_entries { name: "a" float_ops: 42 types: "_trainable_variables" types: "mine" }
                                   log_entries { name: "b" } log_entries { name: "unknown" float_ops: 9 })")
          .Build();
  EXPECT_EQ(profile->float_ops[NodeNamed(*profile, "a")], 42);
  EXPECT_EQ(profile->float_ops[NodeNamed(*profile, "b")], kNotRecorded);
  EXPECT_EQ(profile->sets[profile->extra_types[NodeNamed(*profile, "a")]].size(), 2u);
  EXPECT_EQ(profile->damage.at("op log entries without a node"), 1);
  EXPECT_TRUE(profile->has_op_log);
}

// --- ProfileProto

TEST(ProfileProto, HoldsWhatItsFilesHeld) {
  const auto profile = MadeProfile()
                           .Saved(R"(
    nodes { key: 1 value { name: "a" op: "VarHandleOp" shape: 4 shape: 5 op_types: "VarHandleOp" op_types:
        "_trainable_variables"
      output_shapes { key: 0 value { int64_values: 4 int64_values: 5 } } } }
    nodes { key: 2 value { name: "b" op: "MatMul" inputs { key: 1 value: 1 } float_ops: 11 canonical_device:
        "/x/cpu:0"
      op_types: "MatMul" op_types: "/x/cpu:0"
      execs { key: 7 value { run_count: 2 all_start_micros: 100 latest_end_micros: 120 devices: "/x/cpu:0"
        cpu_execs { key: "/x/cpu:0" value { times { int64_values: 100 int64_values: 6 } times {
            int64_values: 110 int64_values: 9 } } }
        memory_execs { memory_micros: 106 requested_bytes: 50 peak_bytes: 40 residual_bytes: 30
            output_bytes: 20 } } } } }
    steps: 7 id_to_string { key: 1 value: "x" })")
                           .Build();
  const NodeId a = NodeNamed(*profile, "a"), b = NodeNamed(*profile, "b");
  EXPECT_EQ(Dims(*profile, profile->shape[a]), (std::vector<int64_t>{4, 5}));
  EXPECT_EQ(profile->sets[profile->extra_types[a]].size(), 1u);  // op and device are no extra types
  EXPECT_FALSE(profile->extra_types[b].valid());
  ASSERT_EQ(profile->Inputs(b).size(), 1u);
  EXPECT_EQ(profile->Inputs(b)[0].position, 1u);
  EXPECT_EQ(profile->Inputs(b)[0].node, a);
  EXPECT_EQ(profile->float_ops[b], 11);
  EXPECT_EQ(DeviceOf(*profile, "b"), "/x/cpu:0");
  ASSERT_EQ(profile->steps.size(), 1u);
  EXPECT_EQ(profile->steps[0].number, 7);
  const StepRow& row = RowOf(*profile, "b");
  EXPECT_EQ(row.run_count, 2);
  EXPECT_EQ(MicrosOfPicos(row.cpu_picos), 15);
  EXPECT_EQ(row.first_start, 100000);
  EXPECT_EQ(row.last_end, 120000);
  EXPECT_EQ(row.requested_bytes, 50);
  EXPECT_EQ(row.output_bytes, 20);
}

TEST(ProfileProto, InputsMayPointForward) {
  const auto profile =
      MadeProfile()
          .Saved(
              R"(nodes { key: 5 value { name: "a" op: "A" inputs { key: 0 value: 9 } inputs { key: 1 value:
                  77 } } }
                                     nodes { key: 9 value { name: "b" op: "B" } })")
          .Build();
  const auto inputs = profile->Inputs(NodeNamed(*profile, "a"));
  ASSERT_EQ(inputs.size(), 1u);  // 77 names no node
  EXPECT_EQ(profile->Name(inputs[0].node), "b");
}

TEST(ProfileProto, ANodeThatIsOnlyANameWasOnlyInRunMetadata) {
  const auto profile =
      MadeProfile()
          .Saved(R"(nodes { key: 1 value { name: "x" op: "x" execs { key: 0 value { run_count: 1 } } } }
                                     nodes { key: 2 value { name: "y" op: "Y" execs { key: 0 value {
                                         run_count: 1 } } } })")
          .Build();
  EXPECT_FALSE(profile->in_graph[NodeNamed(*profile, "x")]);
  EXPECT_TRUE(profile->in_graph[NodeNamed(*profile, "y")]);
}

TEST(ProfileProto, AHostileOutputIndexFillsNoMemory) {
  const auto profile = MadeProfile()
                           .Saved(R"(nodes { key: 1 value { name: "a" op: "A"
                                       output_shapes { key: 2147483647 value { int64_values: 3 } } } })")
                           .Build();
  EXPECT_LE(profile->OutputShapes(NodeNamed(*profile, "a")).size(), 2u);
}

TEST(ProfileProto, ANegativeOutputIndexIsNoOutput) {
  const auto profile = MadeProfile()
                           .Saved(R"(nodes { key: 1 value { name: "a" op: "A"
    output_shapes { key: -1 value { int64_values: 3 } } output_shapes { key: 0 value { int64_values: 5 } } } })")
                           .Build();
  const auto outputs = profile->OutputShapes(NodeNamed(*profile, "a"));
  ASSERT_EQ(outputs.size(), 1u);
  EXPECT_EQ(Dims(*profile, outputs[0]), (std::vector<int64_t>{5}));
}

}  // namespace
}  // namespace tfprof
