// Input pipelines, strings and parsing.
#include "infer/rule.h"

namespace tfprof {
namespace {

void DeclaredShapes(RuleContext& c) {
  std::vector<Shape> shapes = c.attrs().Shapes("output_shapes");
  if (shapes.empty()) shapes = c.attrs().Shapes("shapes");
  if (shapes.empty()) shapes = c.attrs().Shapes("component_shapes");
  for (size_t i = 0; i < shapes.size(); ++i) c.Out(i, shapes[i]);
}

void StringJoin(RuleContext& c) {
  Shape out = Shape::Scalar();
  for (size_t i = 0; i < c.inputs(); ++i) {
    if (!c.In(i).HasRank(0)) out = out.HasRank(0) ? c.In(i) : Refine(out, c.In(i));
  }
  c.Out(out);
}

void StringSplit(RuleContext& c) {
  c.Out(0, Shape{kUnknownDim, 2});
  c.Out(1, Shape{kUnknownDim});
  c.Out(2, Shape{2});
}

void ReduceJoin(RuleContext& c) {
  if (!c.In(0).known()) return;
  const Value* axes = c.Val(1);
  if (!axes || !axes->AllKnown()) return;
  const bool keep = c.attrs().Bool("keep_dims");
  std::vector<bool> reduced(c.In(0).rank(), axes->size() == 0);
  for (size_t i = 0; i < axes->size(); ++i) {
    const std::optional<size_t> at = Axis(axes->Int(i), c.In(0).rank());
    if (!at) return;
    reduced[*at] = true;
  }
  std::vector<int64_t> dims;
  for (size_t i = 0; i < reduced.size(); ++i) {
    if (!reduced[i]) dims.push_back(c.In(0).dims()[i]);
    if (reduced[i] && keep) dims.push_back(1);
  }
  c.Out(Shape(std::move(dims)));
}

// Dense features of ParseExample: batch and the declared shape. Sparse ones come first, three outputs each.
void ParseExample(RuleContext& c) {
  const auto sparse =
      static_cast<size_t>(c.op() == "ParseExample" ? c.attrs().Int("Nsparse") : c.attrs().Int("num_sparse"));
  // One example as a scalar, or a batch of them; the second op takes either.
  const bool single = c.op() == "ParseSingleExample" || (c.op() == "ParseExampleV2" && c.In(0).HasRank(0));
  if (sparse > c.outputs()) return;
  const int64_t rank = single ? 1 : 2;
  for (size_t i = 0; i < sparse; ++i) {
    c.Out(i, Shape{kUnknownDim, rank});
    c.Out(sparse + i, Shape{kUnknownDim});
    c.Out(2 * sparse + i, Shape{rank});
  }
  const std::vector<Shape> dense = c.attrs().Shapes("dense_shapes");
  for (size_t i = 0; i < dense.size(); ++i) {
    c.Out(3 * sparse + i, single ? dense[i] : Concat(Shape{c.In(0).Dim(0)}, dense[i]));
  }
}

void UnicodeDecode(RuleContext& c) {
  const std::optional<int64_t> strings = c.In(0).Elements();
  c.Out(0, Shape{strings ? AddDims(*strings, 1) : kUnknownDim});
  c.Out(1, Shape{kUnknownDim});
  c.Out(2, Shape{kUnknownDim});
}

void DecodeWav(RuleContext& c) {
  const int64_t channels = c.attrs().Int("desired_channels", -1);
  const int64_t samples = c.attrs().Int("desired_samples", -1);
  c.Out(0, Shape{samples >= 0 ? samples : kUnknownDim, channels >= 0 ? channels : kUnknownDim});
  c.Out(1, Shape::Scalar());
}

void MatchingFiles(RuleContext& c) { c.Out(Shape{kUnknownDim}); }

void DecodeCsv(RuleContext& c) {
  for (size_t i = 0; i < c.outputs(); ++i) c.Out(i, c.In(0));
}

void ReaderRead(RuleContext& c) {
  c.Out(0, Shape::Scalar());
  c.Out(1, Shape::Scalar());
}

void Substr(RuleContext& c) { c.Out(Broadcast(c.In(0), c.In(1))); }

void Spectrogram(RuleContext& c) {
  const Shape& in = c.In(0);
  const int64_t window = c.attrs().Int("window_size"), stride = c.attrs().Int("stride");
  constexpr int64_t kMostWindow = int64_t{1} << 40;  // doubling up to more would never end
  if (!in.HasRank(2) || window <= 1 || window > kMostWindow || stride <= 0) return;
  const int64_t samples = in.Dim(0);
  const int64_t frames = samples < 0 ? kUnknownDim : samples < window ? 0 : 1 + (samples - window) / stride;
  int64_t size = 1;
  while (size < window) size *= 2;
  c.Out(Shape{in.Dim(1), frames, 1 + size / 2});
}

void Mfcc(RuleContext& c) {
  if (c.In(0).HasRank(3))
    c.Out(Shape{c.In(0).Dim(0), c.In(0).Dim(1), c.attrs().Int("dct_coefficient_count", 13)});
}

constexpr RuleRow kDataRules[] = {
    {"IteratorGetNext IteratorGetNextSync IteratorGetNextAsOptional OptionalGetValue "
     "MultiDeviceIteratorGetNextFromShard "
     "QueueDequeueV2 QueueDequeue Unstage StagePeek DatasetToSingleElement ReduceDataset",
     DeclaredShapes},
    {"Iterator IteratorV2 OneShotIterator AnonymousIterator AnonymousIteratorV2 AnonymousIteratorV3 "
     "IteratorFromStringHandle "
     "IteratorFromStringHandleV2 IteratorToStringHandle TensorDataset TensorSliceDataset BatchDataset "
     "BatchDatasetV2 "
     "PaddedBatchDataset PaddedBatchDatasetV2 MapDataset ParallelMapDataset ParallelMapDatasetV2 "
     "MapAndBatchDataset "
     "PrefetchDataset RepeatDataset ShuffleDataset ShuffleDatasetV2 ShuffleDatasetV3 ShuffleAndRepeatDataset "
     "ShuffleAndRepeatDatasetV2 TakeDataset SkipDataset FilterDataset InterleaveDataset "
     "ParallelInterleaveDatasetV2 "
     "ParallelInterleaveDatasetV3 ParallelInterleaveDatasetV4 FlatMapDataset ZipDataset ConcatenateDataset "
     "CacheDataset "
     "CacheDatasetV2 RangeDataset TFRecordDataset TFRecordDatasetV2 TextLineDataset FixedLengthRecordDataset "
     "FixedLengthRecordDatasetV2 GeneratorDataset ShardDataset OptionsDataset ModelDataset OptimizeDataset "
     "OptimizeDatasetV2 AutoShardDataset RebatchDataset RebatchDatasetV2 UnbatchDataset WindowDataset "
     "ScanDataset "
     "DatasetCardinality OptionalNone OptionalFromValue OptionalHasValue MultiDeviceIterator",
     ScalarOutput},
    {"MakeIterator DeleteIterator DeleteMultiDeviceIterator Stage", NoOutput},
    {"StringJoin", StringJoin},
    {"StringSplit StringSplitV2", StringSplit},
    {"ReduceJoin", ReduceJoin},
    {"StringLength StringLower StringUpper StringStrip RegexFullMatch RegexReplace StaticRegexFullMatch "
     "StaticRegexReplace "
     "StringToNumber StringToHashBucket StringToHashBucketFast StringToHashBucketStrong AsString "
     "EncodeBase64 DecodeBase64 "
     "UnicodeScript UnicodeTranscode DecodeCompressed",
     SameAsInput0},
    {"StringFormat ReadFile Timestamp SerializeTensor", ScalarOutput},
    {"MatchingFiles", MatchingFiles},
    {"UnicodeDecode UnicodeDecodeWithOffsets", UnicodeDecode},
    {"DecodeWav", DecodeWav},
    {"ParseExample ParseExampleV2 ParseSingleExample", ParseExample},
    {"DecodeCSV", DecodeCsv},
    {"PyFunc EagerPyFunc PyFuncStateless", DeclaredShapes},
    {"ReaderRead ReaderReadV2", ReaderRead},
    {"Substr", Substr},
    {"AudioSpectrogram", Spectrogram},
    {"Mfcc", Mfcc},
};

}  // namespace

std::span<const RuleRow> DataRules() { return kDataRules; }

}  // namespace tfprof
