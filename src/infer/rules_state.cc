// Variables, optimizers, tables, queues, stacks and other things that outlive a step.
#include "infer/rule.h"

namespace tfprof {
namespace {

void RefVariable(RuleContext& c) {
  const Shape shape = c.attrs().ShapeOf("shape").value_or(Shape());
  // `Variable`, the first version, writes a scalar for "not known".
  if (c.op() == "Variable" && shape.HasRank(0)) return;
  c.Out(shape);
}

void VarHandle(RuleContext& c) {
  c.Out(Shape::Scalar());
  c.OutHandle(0, {c.attrs().ShapeOf("shape").value_or(Shape()), -1, true});
}

void ReadVariable(RuleContext& c) {
  if (c.Handle(0)) c.Out(c.Handle(0)->shape);
}

void VariableShape(RuleContext& c) {
  const Shape shape = c.Handle(0) ? c.Handle(0)->shape : Shape();
  c.Out(Shape{shape.known() ? static_cast<int64_t>(shape.rank()) : kUnknownDim});
  c.OutValue(ValueOfShape(shape));
}

void ResourceGather(RuleContext& c) {
  const Shape params = c.Handle(0) ? c.Handle(0)->shape : Shape();
  const Shape& indices = c.In(1);
  const auto batch = static_cast<size_t>(c.attrs().Int("batch_dims"));
  if (!params.known() || !indices.known() || batch >= params.rank() || batch > indices.rank()) return;
  c.Out(Concat(Concat(SubShape(params, 0, batch), SubShape(indices, batch, indices.rank())),
               SubShape(params, batch + 1, params.rank())));
}

void ResourceGatherNd(RuleContext& c) {
  const Shape params = c.Handle(0) ? c.Handle(0)->shape : Shape();
  const Shape& indices = c.In(1);
  if (!params.known() || !indices.known() || indices.rank() == 0) return;
  const int64_t depth = indices.Dim(-1);
  if (depth < 0 || depth > static_cast<int64_t>(params.rank())) return;
  c.Out(Concat(SubShape(indices, 0, indices.rank() - 1),
               SubShape(params, static_cast<size_t>(depth), params.rank())));
}

void Assign(RuleContext& c) {
  // With validate_shape the variable keeps its shape; otherwise it takes that of the value.
  c.Out(c.attrs().Bool("validate_shape", true) ? Refine(c.In(0), c.In(1)) : c.In(1));
}

void StackPop(RuleContext& c) {
  if (c.Handle(0)) c.Out(c.Handle(0)->shape);
}

void HandleV1(RuleContext& c) { c.Out(Shape{2}); }

void StackPush(RuleContext& c) { c.OutFact(0, c.Fact(1)); }

void Lookup(RuleContext& c) {
  if (c.In(2).HasRank(0)) c.Out(c.In(1));
}

void LookupExport(RuleContext& c) {
  c.Out(0, Shape{kUnknownDim});
  c.Out(1, Shape{kUnknownDim});
}

constexpr RuleRow kStateRules[] = {
    {"VariableV2 Variable TemporaryVariable", RefVariable},
    {"VarHandleOp", VarHandle},
    {"ReadVariableOp _ReadVariablesOp", ReadVariable},
    {"VariableShape", VariableShape},
    {"ResourceGather", ResourceGather},
    {"ResourceGatherNd", ResourceGatherNd},
    {"Assign", Assign},
    {"AssignAdd AssignSub ScatterAdd ScatterSub ScatterUpdate ScatterMul ScatterDiv ScatterMax ScatterMin "
     "ScatterNdAdd "
     "ScatterNdSub ScatterNdUpdate ScatterNdMax ScatterNdMin CountUpTo DestroyTemporaryVariable "
     "ApplyGradientDescent ApplyMomentum ApplyAdam "
     "ApplyAdagrad ApplyAdagradV2 ApplyRMSProp ApplyCenteredRMSProp ApplyFtrl ApplyFtrlV2 ApplyAdadelta "
     "ApplyAdaMax "
     "ApplyAddSign ApplyPowerSign ApplyProximalAdagrad ApplyProximalGradientDescent ApplyAdagradDA "
     "SparseApplyMomentum "
     "SparseApplyAdagrad SparseApplyAdagradV2 SparseApplyFtrl SparseApplyFtrlV2 SparseApplyRMSProp "
     "SparseApplyCenteredRMSProp SparseApplyAdadelta SparseApplyAdagradDA SparseApplyProximalAdagrad "
     "SparseApplyProximalGradientDescent",
     SameAsInput0},
    {"AssignVariableOp AssignAddVariableOp AssignSubVariableOp ResourceScatterAdd ResourceScatterSub "
     "ResourceScatterUpdate "
     "ResourceScatterMul ResourceScatterDiv ResourceScatterMax ResourceScatterMin ResourceScatterNdAdd "
     "ResourceScatterNdUpdate ResourceScatterNdSub ResourceStridedSliceAssign ResourceApplyGradientDescent "
     "ResourceApplyMomentum ResourceApplyKerasMomentum ResourceApplyAdam ResourceApplyAdamWithAmsgrad "
     "ResourceApplyAdagrad ResourceApplyAdagradV2 ResourceApplyAdagradDA ResourceApplyRMSProp "
     "ResourceApplyCenteredRMSProp ResourceApplyFtrl ResourceApplyFtrlV2 ResourceApplyAdadelta "
     "ResourceApplyAdaMax "
     "ResourceApplyAddSign ResourceApplyPowerSign ResourceApplyProximalAdagrad "
     "ResourceApplyProximalGradientDescent "
     "ResourceSparseApplyMomentum ResourceSparseApplyKerasMomentum ResourceSparseApplyAdagrad "
     "ResourceSparseApplyAdagradV2 ResourceSparseApplyAdagradDA ResourceSparseApplyFtrl "
     "ResourceSparseApplyFtrlV2 "
     "ResourceSparseApplyRMSProp ResourceSparseApplyCenteredRMSProp ResourceSparseApplyAdadelta "
     "ResourceSparseApplyProximalAdagrad ResourceSparseApplyProximalGradientDescent DestroyResourceOp "
     "DisableCopyOnRead SaveV2 Save SaveSlices MergeV2Checkpoints InitializeTable InitializeTableV2 "
     "InitializeTableFromTextFile InitializeTableFromTextFileV2 LookupTableInsert LookupTableInsertV2 "
     "LookupTableImport LookupTableImportV2 LookupTableRemoveV2 StackClose StackCloseV2 QueueClose "
     "QueueCloseV2 "
     "QueueEnqueue QueueEnqueueV2 QueueEnqueueMany QueueEnqueueManyV2 WriteSummary WriteScalarSummary "
     "WriteHistogramSummary WriteImageSummary WriteGraphSummary CloseSummaryWriter FlushSummaryWriter "
     "CreateSummaryFileWriter TensorArrayClose TensorArrayCloseV2 TensorArrayCloseV3 ConsumeMutexLock",
     NoOutput},
    {"VarIsInitializedOp IsVariableInitialized LookupTableSize LookupTableSizeV2 QueueSize QueueSizeV2 "
     "QueueIsClosed "
     "QueueIsClosedV2 BarrierReadySize",
     ScalarOutput},
    {"Stack StackV2", HandleV1},
    {"StackPush StackPushV2", StackPush},
    {"StackPop StackPopV2", StackPop},
    {"HashTable MutableHashTable MutableHashTableOfTensors FIFOQueue RandomShuffleQueue PaddingFIFOQueue "
     "PriorityQueue "
     "TextLineReader TFRecordReader WholeFileReader IdentityReader FixedLengthRecordReader "
     "MutableDenseHashTable Barrier",
     HandleV1},
    {"HashTableV2 MutableHashTableV2 MutableHashTableOfTensorsV2 MutableDenseHashTableV2 AnonymousHashTable "
     "AnonymousMutableHashTable FIFOQueueV2 RandomShuffleQueueV2 PaddingFIFOQueueV2 PriorityQueueV2 "
     "TextLineReaderV2 "
     "TFRecordReaderV2 WholeFileReaderV2 IdentityReaderV2 FixedLengthRecordReaderV2 MutexV2 MutexLock "
     "ConditionalAccumulator ResourceConditionalAccumulator",
     ScalarOutput},
    {"LookupTableFind LookupTableFindV2", Lookup},
    {"LookupTableExport LookupTableExportV2", LookupExport},
    {"RestoreV2 Restore RestoreSlice", NoOutput},  // only the checkpoint knows
    {"ShardedFilename ShardedFilespec MergeSummary ScalarSummary HistogramSummary ImageSummary "
     "TensorSummary "
     "TensorSummaryV2 AudioSummary AudioSummaryV2",
     ScalarOutput},
};

}  // namespace

std::span<const RuleRow> StateRules() { return kStateRules; }

}  // namespace tfprof
