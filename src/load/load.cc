#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "base/parallel.h"
#include "load/find_inputs.h"
#include "load/model_input.h"
#include "load/native_figures.h"
#include "tfprof/profile.h"

namespace tfprof {
namespace {

constexpr Detail kDetails[] = {Detail::kMeans, Detail::kStepTimes, Detail::kFigures,
                               Detail::kExecutions};  // by LoadDetail

// Imports the inputs of one Load().
class Loader {
 public:
  Loader(const Options& options, LoadDetail detail, const Progress& progress)
      : options_(options),
        progress_(progress),
        builder_(kDetails[static_cast<size_t>(detail)], options.keep_going) {}

  Result<Loaded> Run() {
    Result<FoundInputs> found = FindInputs(options_);
    if (!found) return found.error();
    inputs_ = std::move(found->inputs);
    for (Buffer& container : found->containers) builder_.profile().buffers.push_back(std::move(container));
    if (Status s = Import(); !s) return s.error();
    builder_.EndNodes();
    if (Status s = CountNatively(); !s) return s.error();
    if (const auto torn = std::ranges::find_if(inputs_, WasRewritten); torn != inputs_.end()) {
      return Error::Input(fmt::format(
          "{}: was written to while it was being read; try again when it is complete", torn->path));
    }
    Loaded out;
    out.notes = std::move(found->notes);
    auto& buffers = builder_.profile().buffers;
    for (OpenInput& input : inputs_) {
      out.notes.insert(out.notes.end(), input.notes.begin(), input.notes.end());
      buffers.push_back(std::move(input.buffer));
    }
    out.profile = builder_.Finish();
    out.notes.insert(out.notes.end(), out.profile->notes.begin(), out.profile->notes.end());
    return out;
  }

 private:
  Status Import();
  Status ImportOne(const OpenInput& input);
  Status ImportAll(std::span<const OpenInput> inputs);
  Status CountNatively();

  // With keep_going what a model's graph cannot be read for is told, and the reports go on without it.
  bool Stops(const Status& status) const {
    return !status && (status.error().kind == ErrorKind::kUsage || !options_.keep_going);
  }

  const Options& options_;
  const Progress& progress_;
  ProfileBuilder builder_;
  std::vector<OpenInput> inputs_;
  Beside gives_back_;  // pages of inputs
};

Status Loader::ImportOne(const OpenInput& input) {
  const WireFile file{input.path_of_bytes(), input.bytes()};
  if (input.kind == FileKind::kSavedModel) {
    // Shown as what its signature computes; one that is damaged as far as it can be read.
    if (const Status whole = CheckWhole(input); !whole) {
      if (Status s = builder_.Damaged("cut SavedModel", whole.error().message); !s) return s;
    }
    Result<ModelDef> def = ReadModel(input, options_);
    if (!def) return def.error();
    Status status = ImportSignature(*def, file.path, options_, builder_);
    if (status || Stops(status)) return status;
  }
  return input.format().import({file, input.path, input.step.value_or(0)}, builder_);
}

Status Loader::ImportAll(std::span<const OpenInput> inputs) {
  std::vector<WireFile> files;
  for (const OpenInput& input : inputs) files.push_back({input.path_of_bytes(), input.bytes()});
  std::vector<ImportInput> all;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const Buffer* mapped = inputs[i].part ? nullptr : &inputs[i].buffer;
    all.push_back({files[i], inputs[i].path, 0, options_.names, mapped});
  }
  return inputs[0].format().import_all(all, builder_);
}

Status Loader::Import() {
  size_t all = 0, done = 0;
  for (const OpenInput& input : inputs_) all += input.bytes().size();
  for (size_t i = 0; i < inputs_.size(); ++i) {
    const OpenInput& input = inputs_[i];
    builder_.profile().files.push_back({input.path, std::string(input.format().name)});
    if (progress_) {
      builder_.SetProgress([&](size_t bytes) {
        progress_(input.path,
                  static_cast<double>(done + bytes) / static_cast<double>(std::max<size_t>(all, 1)));
      });
    }
    builder_.SetInput(input.path_of_bytes(), input.bytes());
    for (const auto& [kind, message] : input.damage) {
      if (Status s = builder_.Damaged(kind, message); !s) return s;
    }
    if (!input.format().import_all) {
      if (Status s = ImportOne(input); !s) return s;
      // Of a step only names stay that no graph knows, of an op log its types and a few call stacks; these
      // are mostly the largest inputs.
      if (input.kind == FileKind::kRunMetadata || input.kind == FileKind::kOpLog)
        gives_back_.Run([pages = input.buffer.pages()] { pages.GiveBack(); });
    } else if (i + 1 == inputs_.size() || inputs_[i + 1].kind != input.kind) {
      // The last of those that are one: all are open and told now.
      size_t first = i;
      while (first > 0 && inputs_[first - 1].kind == input.kind) --first;
      if (Status s = ImportAll(std::span(inputs_).subspan(first, i + 1 - first)); !s) return s;
    }
    done += input.bytes().size();
  }
  return {};
}

Status Loader::CountNatively() {
  const Profile& profile = builder_.profile();
  if (options_.flops == FlopsSource::kRecorded || profile.native_float_ops) return {};
  const bool wanted = options_.flops == FlopsSource::kNative;
  const auto recorded = [](int64_t float_ops) { return float_ops != kNotRecorded; };
  if (!wanted && (!WantsFloatOps(options_) ||
                  std::any_of(profile.float_ops.begin(), profile.float_ops.end(), recorded))) {
    return {};
  }
  for (const OpenInput& input : inputs_) {
    if (input.format().role != InputRole::kGraph || input.kind == FileKind::kSavedModel) continue;
    Result<ModelDef> def = ReadModel(input, options_);
    if (!def) return def.error();
    for (int64_t& float_ops : builder_.profile().float_ops) float_ops = kNotRecorded;
    const Status status = CountFloatOps(std::move(*def), input.path_of_bytes(), options_, builder_);
    return Stops(status) ? status : Status();
  }
  if (wanted)
    return Error::Usage("-flops native: float ops are counted from a graph; give it with --graph_path");
  return {};
}

}  // namespace

Result<Loaded> Load(const Options& options, LoadDetail detail, const Progress& progress) {
  return Loader(options, detail, progress).Run();
}

}  // namespace tfprof
