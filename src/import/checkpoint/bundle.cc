#include "import/checkpoint/bundle.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "base/crc32c.h"
#include "base/text.h"
#include "import/checkpoint/objects.h"
#include "import/wire.h"

namespace tfprof {
namespace {

constexpr size_t kMostMissing = 100;
constexpr int64_t kVersion = 1;  // of the format, that this reader knows

std::string Shown(std::string_view name) { return Printable(name, 200); }

// VersionDef.min_consumer: the oldest reader that may read this.
int64_t MinConsumer(std::string_view version) {
  int64_t out = 0;
  FieldWalker walker(version);
  for (Field field; walker.Next(&field);) {
    if (field.number == 2 && field.is_varint()) out = static_cast<int32_t>(field.value);
  }
  return out;
}

}  // namespace

Status BundleCheckpoint::ReadHeader(std::string_view value, const std::string& path) {
  FieldWalker walker(value);
  int64_t endianness = 0, min_consumer = 0, shards = 0;
  for (Field field; walker.Next(&field) && !walker.damaged();) {
    if (field.number == 1 && field.is_varint()) shards = static_cast<int64_t>(field.value);
    if (field.number == 2 && field.is_varint()) endianness = static_cast<int64_t>(field.value);
    if (field.number == 3 && field.is_bytes()) min_consumer = MinConsumer(field.bytes);
  }
  if (walker.damaged() || shards < 1 || shards > 99999 || endianness < 0 || endianness > 1) {
    return Error::Input(
        fmt::format("{}: the header is damaged: {} shards, byte order {}", path, shards, endianness));
  }
  if (min_consumer > kVersion) {
    return Error::Input(fmt::format("{}: was written for readers of version {}; this one knows version {}",
                                    path, min_consumer, kVersion));
  }
  shards_ = static_cast<int32_t>(shards);
  big_endian_ = endianness == 1;
  return {};
}

BundleCheckpoint::Entry BundleCheckpoint::ReadEntry(std::string_view key, std::string_view value) {
  Entry out;
  CheckpointTensor& tensor = out.tensor;
  tensor.name = key;
  tensor.elements = 1;  // a scalar's shape may be left out
  try {
    protozero::pbf_reader reader = Reader(value);
    while (reader.next()) {
      switch (reader.tag_and_type()) {
        case VarintTag(1):
          tensor.dtype = reader.get_enum();
          break;
        case BytesTag(2):
          tensor.shape.clear();
          if (!ReadTensorShape(View(reader.get_view()), &tensor.shape, &tensor.elements)) {
            tensor.problem = "its shape is impossible";
          }
          break;
        case VarintTag(3):
          out.shard = reader.get_int64();
          break;
        case VarintTag(4):
          out.offset = reader.get_int64();
          break;
        case VarintTag(5):
          out.size = reader.get_int64();
          break;
        case protozero::tag_and_type(6, protozero::pbf_wire_type::fixed32):
          out.masked_crc = reader.get_fixed32();
          break;
        case BytesTag(7):
          out.slices.push_back(ReadExtents(View(reader.get_view())));
          break;
        default:
          reader.skip();
      }
    }
  } catch (const protozero::exception& e) {
    tensor.problem = fmt::format("its entry in the index is damaged: {}", tfprof::ProblemOf(e));
    tensor.elements = 0;
  }
  return out;
}

// What is wrong with the place of a stored tensor or slice; "" where nothing is.
std::string BundleCheckpoint::ProblemOf(const Entry& entry, int64_t elements) const {
  const int32_t dtype = entry.tensor.dtype;
  if (dtype == kTypeVariant || dtype == kTypeResource) {
    return fmt::format("values of type {} are not read", DataTypeName(dtype));
  }
  if (KindOfElements(dtype) == ElementKind::kNone) return fmt::format("{} is not known", DataTypeName(dtype));
  if (entry.shard < 0 || entry.shard >= shards_) {
    return fmt::format("it lies in shard {}, and there are {}", entry.shard, shards_);
  }
  int64_t end;
  if (entry.offset < 0 || entry.size < 0 || __builtin_add_overflow(entry.offset, entry.size, &end)) {
    return fmt::format("its place in the data ({} bytes at {}) is impossible", entry.size, entry.offset);
  }
  if (dtype == kTypeString) {
    if (elements <= entry.size) return "";
    return fmt::format("{} strings do not fit its {} bytes", elements, entry.size);
  }
  int64_t bytes;
  const auto element = static_cast<int64_t>(DataTypeBytes(dtype));
  if (__builtin_mul_overflow(elements, element, &bytes)) return "its shape is impossible";
  if (bytes == entry.size) return "";
  return fmt::format("its shape needs {} bytes, {} are stored", bytes, entry.size);
}

// The entries of a tensor's slices, each marked, since the names of slices are not for users. Stops at what
// no writer does (a slice twice, many missing): a small file could name a great many.
std::vector<size_t> BundleCheckpoint::FindSlices(const std::vector<Entry>& entries, Entry& whole,
                                                 std::vector<bool>* is_slice) {
  std::vector<size_t> out;
  size_t missing = 0;
  for (const auto& extents : whole.slices) {
    const std::string key = SliceKey(whole.tensor.name, extents);
    const auto found =
        std::lower_bound(entries.begin(), entries.end(), key,
                         [](const Entry& e, const std::string& k) { return e.tensor.name < k; });
    const auto index = static_cast<size_t>(found - entries.begin());
    const bool there = found != entries.end() && found->tensor.name == key;
    if (there && (*is_slice)[index]) {
      whole.tensor.problem = "a slice is listed twice";
      break;
    }
    if (there) {
      (*is_slice)[index] = true;
      out.push_back(index);
    } else if (++missing == kMostMissing) {
      break;
    }
  }
  if (missing > 0 && whole.tensor.problem.empty()) {
    whole.tensor.problem = fmt::format("{} of its {} slices are missing", missing, whole.slices.size());
  }
  return out;
}

void BundleCheckpoint::TakeSliced(const std::vector<Entry>& entries, const std::vector<size_t>& found,
                                  const Entry& whole) {
  CheckpointTensor tensor = whole.tensor;
  std::vector<Piece> pieces;
  int64_t bytes = 0;
  for (size_t i = 0; i < found.size() && tensor.problem.empty(); ++i) {
    const Entry& entry = entries[found[i]];
    Result<TensorSlice> slice = ResolveSlice(whole.slices[i], tensor.shape);
    if (!slice) {
      tensor.problem = slice.error().message;
    } else if (entry.tensor.dtype != tensor.dtype || !entry.slices.empty()) {
      tensor.problem = "one of its slices is of another type";
    } else {
      tensor.problem =
          entry.tensor.problem.empty() ? ProblemOf(entry, slice->elements) : entry.tensor.problem;
      if (tensor.problem.empty() && __builtin_add_overflow(bytes, entry.size, &bytes)) {
        tensor.problem = "its slices are impossibly large";
      }
      pieces.push_back(
          {std::move(*slice), static_cast<int32_t>(entry.shard), entry.offset, entry.size, entry.masked_crc});
    }
  }
  if (tensor.problem.empty()) tensor.bytes = bytes;
  tensor.pieces = whole.slices.size();
  tensors_.push_back(std::move(tensor));
  pieces_.push_back(std::move(pieces));
}

void BundleCheckpoint::TakeWhole(const Entry& entry) {
  CheckpointTensor tensor = entry.tensor;
  if (tensor.problem.empty()) tensor.problem = ProblemOf(entry, tensor.elements);
  Piece piece{{}, static_cast<int32_t>(entry.shard), entry.offset, entry.size, entry.masked_crc};
  for (int64_t dim : tensor.shape) piece.slice.extents.push_back({0, dim});
  piece.slice.elements = tensor.elements;
  if (entry.size >= 0) tensor.bytes = entry.size;
  if (tensor.problem.empty() && tensor.dtype != kTypeString && !big_endian_) {
    tensor.crc32c = UnmaskCrc32c(entry.masked_crc);
  }
  tensors_.push_back(std::move(tensor));
  pieces_.push_back({std::move(piece)});
}

void BundleCheckpoint::Take(std::vector<Entry> entries) {
  std::vector<bool> is_slice(entries.size());
  std::vector<std::vector<size_t>> slices(entries.size());
  for (size_t i = 0; i < entries.size(); ++i) {
    if (!entries[i].slices.empty()) slices[i] = FindSlices(entries, entries[i], &is_slice);
  }
  for (size_t i = 0; i < entries.size(); ++i) {
    if (is_slice[i]) continue;
    if (entries[i].slices.empty()) {
      TakeWhole(entries[i]);
    } else {
      TakeSliced(entries, slices[i], entries[i]);
    }
  }
}

// Every tensor has bytes of its own. A file in which they share them could make a reader go through the same
// bytes without end.
void BundleCheckpoint::FindSharedBytes() {
  struct Use {
    int32_t shard;
    int64_t begin, end;
    size_t tensor;
  };
  std::vector<Use> uses;
  for (size_t t = 0; t < tensors_.size(); ++t) {
    if (!tensors_[t].problem.empty()) continue;
    for (const Piece& p : pieces_[t]) {
      if (p.size > 0) uses.push_back({p.shard, p.offset, p.offset + p.size, t});
    }
  }
  std::sort(uses.begin(), uses.end(), [](const Use& a, const Use& b) {
    return std::tie(a.shard, a.begin, a.end, a.tensor) < std::tie(b.shard, b.begin, b.end, b.tensor);
  });
  const Use* last = nullptr;
  for (const Use& use : uses) {
    if (last && last->shard == use.shard && use.begin < last->end) {
      tensors_[use.tensor].problem =
          fmt::format("its bytes are also those of '{}'", Shown(tensors_[last->tensor].name));
    } else {
      last = &use;
    }
  }
}

Result<std::shared_ptr<const Checkpoint>> BundleCheckpoint::Open(const TableFile& index,
                                                                 const std::string& prefix,
                                                                 std::vector<std::string> notes) {
  auto out = std::make_shared<BundleCheckpoint>();
  out->prefix_ = prefix;
  out->files_ = {index.path()};
  out->notes_ = std::move(notes);
  std::vector<Entry> entries;
  bool has_header = false;
  Status header;
  Status walked = index.ForEach([&](std::string_view key, std::string_view value) {
    if (key.empty()) {
      has_header = true;
      header = out->ReadHeader(value, index.path());
      return header.ok();
    }
    entries.push_back(ReadEntry(key, value));
    return true;
  });
  if (!walked) return walked.error();
  if (!header) return header.error();
  if (!has_header) {
    return Error::Input(fmt::format("{}: has no header: this table is no checkpoint's index", index.path()));
  }
  out->Take(std::move(entries));
  out->FindSharedBytes();
  out->format_ = fmt::format("V2, {} shard{}", out->shards_, out->shards_ == 1 ? "" : "s");
  if (const auto graph = out->Find(kObjectGraphKey)) {
    out->format_ += ", object-based";
    const ValueRange all[] = {{0, 1}};
    Result<TensorValues> values = out->Read(*graph, all);
    if (values && !values->strings.empty()) {
      out->object_graph_ = std::move(values->strings[0]);
      AddFullNames(out->object_graph_, &out->tensors_);
    } else if (!values) {
      out->notes_.push_back(fmt::format("the names of variables are not known: {}", values.error().message));
    }
  }
  return std::shared_ptr<const Checkpoint>(std::move(out));
}

}  // namespace tfprof
