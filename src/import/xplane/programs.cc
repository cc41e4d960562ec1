#include "import/xplane/programs.h"

#include <charconv>

namespace tfprof::xplane {
namespace {

// The number in parentheses at the end of `jit_f(7)`.
std::optional<uint64_t> IdInName(std::string_view name) {
  const size_t open = name.rfind('(');
  if (open == std::string_view::npos || !name.ends_with(')')) return std::nullopt;
  uint64_t id = 0;
  const char* end = name.data() + name.size() - 1;
  const auto [stopped, error] = std::from_chars(name.data() + open + 1, end, id);
  if (error != std::errc() || stopped != end) return std::nullopt;
  return id;
}

}  // namespace

void Programs::Add(uint64_t id, std::string_view name, std::string_view hlo_proto) {
  const auto [known, fresh] = by_id_.try_emplace(id, static_cast<uint32_t>(programs_.size()));
  if (!fresh) return;
  Program program;
  program.id = id;
  program.name = ModuleName(hlo_proto);
  if (program.name.empty()) program.name = name.substr(0, name.rfind('('));
  program.proto = hlo_proto;
  programs_.push_back(std::move(program));
}

void Programs::ReadPlane(Space& space, const Plane& plane) {
  EventReader reader(space, plane);
  for (uint32_t row = 0; row < plane.event_metadata.size(); ++row) {
    const StatSet stats = reader.StatsOfMetadata(row);
    const StatValue* proto = stats.Find(Stat::kHloProto);
    if (proto == nullptr || proto->kind != StatValue::Kind::kText) continue;
    const EventMetadata& metadata = plane.event_metadata[row];
    std::optional<uint64_t> id = stats.Integer(Stat::kProgramId);
    if (!id) id = IdInName(metadata.name);
    Add(id.value_or(metadata.key), metadata.name, proto->text);
  }
}

HloModule& Programs::Module(uint32_t row) {
  Program& program = programs_[row];
  if (!program.module) program.module = std::make_unique<HloModule>(program.proto, strings_, shapes_);
  return *program.module;
}

HloFloatOps& Programs::FloatOps(uint32_t row) {
  Program& program = programs_[row];
  if (!program.float_ops) program.float_ops = std::make_unique<HloFloatOps>(Module(row), shapes_);
  return *program.float_ops;
}

FrameIndex& Programs::Frames(uint32_t row) {
  Program& program = programs_[row];
  if (!program.frames) program.frames = std::make_unique<FrameIndex>(Module(row).frame_index());
  return *program.frames;
}

void Programs::MarkSharedNames() {
  std::map<std::string_view, uint32_t> ran;
  for (const Program& program : programs_) {
    if (program.ran) ++ran[program.name];
  }
  for (Program& program : programs_) program.shares_name = program.ran && ran[program.name] > 1;
}

}  // namespace tfprof::xplane
