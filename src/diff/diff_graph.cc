#include "diff/diff_graph.h"

#include <utility>

#include "base/hash.h"
#include "model/profile.h"

namespace tfprof {
namespace {

class ProfileGraph : public DiffGraph {
 public:
  explicit ProfileGraph(std::shared_ptr<const Profile> profile) : profile_(std::move(profile)) {}

  size_t size() const override { return profile_->size(); }
  std::string_view Name(uint32_t node) const override { return profile_->Name(NodeId(node)); }
  std::string_view Op(uint32_t node) const override { return profile_->Op(NodeId(node)); }

  uint64_t ShapeHash(uint32_t node) const override {
    const NodeId n(node);
    uint64_t hash = Mix(profile_->shape[n], 1);
    for (ShapeId shape : profile_->OutputShapes(n)) hash = Mix(shape, hash);
    return hash;
  }

  void Inputs(uint32_t node, std::vector<uint32_t>* out) const override {
    out->clear();
    for (const Input& input : profile_->Inputs(NodeId(node))) {
      if (input.node) out->push_back(input.node.value);
    }
  }

 private:
  // By dimensions, not by id: the other profile has ids of its own.
  uint64_t Mix(ShapeId shape, uint64_t seed) const {
    if (!shape) return seed * 31 + 7;
    const auto dims = profile_->shapes[shape];
    return HashBytes(dims.data(), dims.size_bytes(), seed * 31 + 11);
  }

  std::shared_ptr<const Profile> profile_;
};

}  // namespace

std::shared_ptr<const DiffGraph> MakeDiffGraph(std::shared_ptr<const Profile> profile) {
  return std::make_shared<ProfileGraph>(std::move(profile));
}

}  // namespace tfprof
