#include "import/checkpoint/v1.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/text.h"
#include "import/checkpoint/collector.h"
#include "import/wire.h"

namespace tfprof {

struct V1Checkpoint::Contents {
  std::string numbers;
  std::vector<std::string_view> strings;  // into `value`
  Buffer value;                           // a copy: LevelDB may have unpacked the block for one call alone
};

Error V1Checkpoint::About(size_t tensor, std::string_view what) const {
  return Error::Input(
      fmt::format("{}: tensor '{}': {}", prefix_, Printable(tensors_[tensor].name, 200), what));
}

// SavedSliceMeta: one tensor, and which slices of it this file has.
void V1Checkpoint::AddTensor(size_t file, std::string_view meta) {
  CheckpointTensor tensor;
  tensor.elements = 1;
  std::vector<std::vector<TensorSlice::Extent>> slices;
  try {
    protozero::pbf_reader reader = Reader(meta);
    while (reader.next()) {
      switch (reader.tag_and_type()) {
        case BytesTag(1):
          tensor.name = View(reader.get_view());
          break;
        case BytesTag(2):
          tensor.shape.clear();
          if (!ReadTensorShape(View(reader.get_view()), &tensor.shape, &tensor.elements)) {
            tensor.problem = "its shape is impossible";
          }
          break;
        case VarintTag(3):
          tensor.dtype = reader.get_enum();
          break;
        case BytesTag(4):
          slices.push_back(ReadExtents(View(reader.get_view())));
          break;
        default:
          reader.skip();
      }
    }
  } catch (const protozero::exception& e) {
    tensor.problem = fmt::format("its entry is damaged: {}", ProblemOf(e));
    tensor.elements = 0;
  }
  if (tensor.problem.empty() && KindOfElements(tensor.dtype) == ElementKind::kNone) {
    tensor.problem = fmt::format("values of type {} are not read", DataTypeName(tensor.dtype));
  }
  tensor.pieces = 0;
  const auto [known, fresh] = by_name_.try_emplace(tensor.name, tensors_.size());
  const size_t index = known->second;
  if (fresh) {
    tensors_.push_back(std::move(tensor));
    pieces_.emplace_back();
  } else if (tensors_[index].shape != tensor.shape || tensors_[index].dtype != tensor.dtype) {
    tensors_[index].problem = "the files of the checkpoint do not agree on its shape or type";
  }
  CheckpointTensor& out = tensors_[index];
  for (auto& extents : slices) {
    if (!out.problem.empty()) break;
    Result<TensorSlice> slice = ResolveSlice(extents, out.shape);
    if (!slice) {
      out.problem = slice.error().message;
      break;
    }
    pieces_[index].push_back({std::move(*slice), file, std::move(extents)});
    ++out.pieces;
  }
}

Status V1Checkpoint::ReadMeta(size_t file) {
  const TableFile& table = *tables_[file];
  bool found = false, damaged = false;
  Status walked = table.ForEach([&](std::string_view key, std::string_view value) {
    if (!key.empty()) return false;
    FieldWalker slices(value);
    for (Field field; slices.Next(&field);) {
      if (field.number != 1 || !field.is_bytes()) continue;
      found = true;
      FieldWalker meta(field.bytes);
      for (Field tensor; meta.Next(&tensor) && !meta.damaged();) {
        if (tensor.number == 1 && tensor.is_bytes()) AddTensor(file, tensor.bytes);
      }
      damaged |= meta.damaged();
    }
    damaged |= slices.damaged();
    return false;
  });
  if (!walked) return walked;
  if (damaged || !found) {
    return Error::Input(fmt::format("{}: {}", table.path(),
                                    found ? "the list of its tensors is damaged"
                                          : "does not begin with a list of tensors: it is no checkpoint"));
  }
  return {};
}

Result<std::shared_ptr<const Checkpoint>> V1Checkpoint::Open(std::vector<std::unique_ptr<TableFile>> files,
                                                             const std::vector<std::string>& missing,
                                                             const std::string& prefix,
                                                             std::vector<std::string> notes) {
  auto out = std::make_shared<V1Checkpoint>();
  out->prefix_ = prefix;
  out->notes_ = std::move(notes);
  out->tables_ = std::move(files);
  for (size_t i = 0; i < out->tables_.size(); ++i) {
    out->files_.push_back(out->tables_[i]->path());
    if (Status s = out->ReadMeta(i); !s) return s.error();
  }
  for (const std::string& path : missing) {
    out->problems_.push_back(fmt::format("{}: is missing; its tensors cannot be listed", path));
  }
  out->format_ = fmt::format("V1, {} file{}", out->files_.size(), out->files_.size() == 1 ? "" : "s");
  std::vector<size_t> order(out->tensors_.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(),
            [&](size_t a, size_t b) { return out->tensors_[a].name < out->tensors_[b].name; });
  std::vector<CheckpointTensor> tensors;
  std::vector<std::vector<Piece>> pieces;
  for (size_t i : order) {
    tensors.push_back(std::move(out->tensors_[i]));
    pieces.push_back(std::move(out->pieces_[i]));
    CheckpointTensor& tensor = tensors.back();
    int64_t bytes = 0;
    const auto size = static_cast<int64_t>(DataTypeBytes(tensor.dtype));
    if (size > 0 && !__builtin_mul_overflow(tensor.elements, size, &bytes)) tensor.bytes = bytes;
    if (tensor.problem.empty() && size > 0 && !tensor.bytes) tensor.problem = "its shape is impossible";
    if (tensor.problem.empty() && pieces.back().empty()) tensor.problem = "none of its slices is stored";
  }
  out->by_name_.clear();
  out->tensors_ = std::move(tensors);
  out->pieces_ = std::move(pieces);
  return std::shared_ptr<const Checkpoint>(std::move(out));
}

// The tables are open and each block is checked when it is read: what the list tells is all there is to tell.
Status V1Checkpoint::Check(size_t tensor) const {
  if (tensors_[tensor].problem.empty()) return {};
  return About(tensor, tensors_[tensor].problem);
}

Result<V1Checkpoint::Contents> V1Checkpoint::ReadPiece(size_t tensor, const Piece& piece) const {
  Contents out;
  std::string problem;
  const auto decode = [&](std::string_view value) {
    try {
      if (tensors_[tensor].dtype == kTypeString) {
        out.value = Buffer(std::string(value));
        value = out.value.bytes();
      }
      protozero::pbf_reader slices = Reader(value);
      if (!slices.next(2, protozero::pbf_wire_type::length_delimited)) {
        problem = "its entry holds no values";
        return;
      }
      protozero::pbf_reader slice = slices.get_message();
      std::string_view data;
      while (slice.next(3, protozero::pbf_wire_type::length_delimited)) data = View(slice.get_view());
      if (!DecodeValueList(data, tensors_[tensor].dtype, piece.slice.elements, &out.numbers, &out.strings)) {
        problem = fmt::format("{} values are expected, and stored are more or fewer", piece.slice.elements);
      }
    } catch (const protozero::exception& e) {
      problem = fmt::format("its values are damaged: {}", ProblemOf(e));
    }
  };
  const TableFile& table = *tables_[piece.file];
  const Result<bool> found = table.Find(SliceKey(tensors_[tensor].name, piece.extents), decode);
  if (!found) return About(tensor, found.error().message);
  if (!*found) problem = "a slice is missing";
  if (!problem.empty()) return About(tensor, fmt::format("{}: {}", table.path(), problem));
  return out;
}

Result<TensorValues> V1Checkpoint::Read(size_t tensor, std::span<const ValueRange> keep) const {
  if (Status s = Check(tensor); !s) return s.error();
  const CheckpointTensor& info = tensors_[tensor];
  const std::vector<Piece>& pieces = pieces_[tensor];
  std::vector<Contents> contents;
  std::vector<TensorSlice> slices;
  for (const Piece& piece : pieces) {
    Result<Contents> read = ReadPiece(tensor, piece);
    if (!read) return read.error();
    contents.push_back(std::move(*read));
    slices.push_back(piece.slice);
  }
  TensorCollector collector(info.dtype, keep);
  const size_t size = DataTypeBytes(info.dtype);
  std::vector<size_t> next(pieces.size());
  Status walked = ForEachRun(slices, info.shape, [&](size_t slice, int64_t elements) -> Status {
    size_t& at = next[slice];
    if (info.dtype == kTypeString) {
      for (; elements > 0; --elements) collector.AddString(contents[slice].strings[at++]);
    } else {
      const size_t bytes = static_cast<size_t>(elements) * size;
      collector.Add(std::string_view(contents[slice].numbers).substr(at, bytes));
      at += bytes;
    }
    return {};
  });
  if (!walked) return About(tensor, walked.error().message);
  return collector.Finish();
}

}  // namespace tfprof
