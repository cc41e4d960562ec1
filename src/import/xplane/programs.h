// The XLA programs of a capture, by id. All are listed; one is decoded when something that ran asks for it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "base/string_pool.h"
#include "import/xplane/events.h"
#include "import/xplane/hlo.h"
#include "import/xplane/hlo_float_ops.h"
#include "import/xplane/stacks.h"

namespace tfprof::xplane {

struct Program {
  uint64_t id = 0;
  std::string_view name;  // of the module
  std::string_view proto;
  bool ran = false;
  bool shares_name = false;  // another program that ran has the same name

  // Decoded when first asked for.
  std::unique_ptr<HloModule> module;
  std::unique_ptr<HloFloatOps> float_ops;
  std::unique_ptr<FrameIndex> frames;
};

class Programs {
 public:
  static constexpr uint32_t kNone = 0xFFFFFFFF;

  explicit Programs(StringPool& strings) : strings_(strings) {}

  void Add(uint64_t id, std::string_view name, std::string_view hlo_proto);
  void ReadPlane(Space& space, const Plane& metadata_plane);

  uint32_t Find(uint64_t id) const {
    const auto found = by_id_.find(id);
    return found == by_id_.end() ? kNone : found->second;
  }
  size_t size() const { return programs_.size(); }
  Program& operator[](uint32_t row) { return programs_[row]; }
  const Program& operator[](uint32_t row) const { return programs_[row]; }

  HloModule& Module(uint32_t row);
  HloFloatOps& FloatOps(uint32_t row);
  FrameIndex& Frames(uint32_t row);
  ShapePool& shapes() { return shapes_; }
  const ShapePool& shapes() const { return shapes_; }

  void MarkSharedNames();  // once all that ran are marked

 private:
  StringPool& strings_;
  ShapePool shapes_;
  std::vector<Program> programs_;
  std::map<uint64_t, uint32_t> by_id_;
};

}  // namespace tfprof::xplane
