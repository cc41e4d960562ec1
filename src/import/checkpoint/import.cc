#include "import/checkpoint/import.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/paths.h"
#include "import/checkpoint/paths.h"

namespace tfprof {
namespace {

Status AddTensorNodes(const Checkpoint& checkpoint, ProfileBuilder& builder) {
  static constexpr int64_t kScalar[] = {1};
  for (const CheckpointTensor& tensor : checkpoint.tensors()) {
    if (tensor.name == kObjectGraphKey || tensor.name.empty()) continue;
    Result<NodeId> node = builder.AddNode(tensor.name, kCheckpointType);
    if (!node) return node.error();
    if (!*node) continue;  // two names that print alike
    const bool known =
        tensor.elements > 0 || std::find(tensor.shape.begin(), tensor.shape.end(), 0) != tensor.shape.end();
    if (!known) continue;  // an impossible shape
    builder.profile().shape[*node] =
        tensor.shape.empty() ? builder.Shape(kScalar) : builder.Shape(tensor.shape);
  }
  builder.Warn(
      "there is no graph: the rows are the tensors of the checkpoint, with whatever an optimizer keeps");
  return {};
}

}  // namespace

Status ImportCheckpoint(std::shared_ptr<const Checkpoint> checkpoint, ProfileBuilder& builder) {
  Profile& profile = builder.profile();
  for (const std::string& problem : checkpoint->problems()) {
    if (Status s = builder.Damaged("missing file of the checkpoint", problem); !s) return s;
  }
  const bool alone = profile.size() == 0;
  if (alone) {
    if (Status s = AddTensorNodes(*checkpoint, builder); !s) return s;
  }
  profile.tensor.resize(profile.size(), NodeId::kNone);
  const StringId type = profile.strings.Intern(kCheckpointType);
  const auto& tensors = checkpoint->tensors();
  for (size_t t = 0; t < tensors.size(); ++t) {
    NodeId node = builder.FindNode(tensors[t].name);
    if (!node && !tensors[t].full_name.empty()) node = builder.FindNode(tensors[t].full_name);
    if (!node || profile.tensor[node] != NodeId::kNone) continue;
    profile.tensor[node] = static_cast<uint32_t>(t);
    if (!alone) builder.AddType(node, type);
  }
  profile.checkpoint = std::move(checkpoint);
  return {};
}

Status ImportCheckpointAt(const std::string& path, ProfileBuilder& builder) {
  Result<std::shared_ptr<const Checkpoint>> checkpoint = Checkpoint::Open(path);
  if (!checkpoint) return builder.Damaged("unreadable checkpoint", checkpoint.error().message);
  return ImportCheckpoint(std::move(*checkpoint), builder);
}

bool HoldsCheckpoint(const std::string& path) {
  return IsCheckpointPrefix(IsDirectory(path) ? path + "/variables/variables" : path);
}

Result<std::vector<FoundInput>> FindCheckpointInput(const std::string& path, const Options&) {
  Result<CheckpointPlace> place = FindCheckpoint(path);
  if (!place) return place.error();
  // A directory is named by what was chosen in it, all else as the user did.
  return std::vector<FoundInput>{{IsDirectory(path) ? place->prefix : path, place->notes}};
}

}  // namespace tfprof
