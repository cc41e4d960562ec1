// The rows of the table of inputs.
#include <algorithm>
#include <array>
#include <functional>

#include "import/checkpoint/import.h"
#include "import/checkpoint/table.h"
#include "import/event_file.h"
#include "import/graph_def.h"
#include "import/input_format.h"
#include "import/keras/archive.h"
#include "import/memory_profile.h"
#include "import/op_log.h"
#include "import/profile_proto.h"
#include "import/run_metadata.h"
#include "import/saved_model.h"
#include "import/xplane/hlo_program.h"
#include "import/xplane/import.h"
#include "import/xplane/planes.h"

namespace tfprof {
namespace {

using import_text::MessageType;

constexpr InputFormat kUnknownFormat{.kind = FileKind::kUnknown, .name = "unknown"};

constexpr InputFormat kFormats[] = {
    {
        .kind = FileKind::kGraphDef,
        .name = "GraphDef",
        .plural = "graphs",
        .in_words = "graphs (GraphDef, text or binary)",
        .role = InputRole::kGraph,
        .flag = "--graph_path",
        .path = &Options::graph_path,
        .sniff = IsGraphDef,
        .sniff_order = 9,
        .text = MessageType::kGraphDef,
        .model_preference = 1,
        .import = [](const ImportInput& i,
                     ProfileBuilder& b) { return ImportGraphDef(i.file, i.file.bytes, b); },
        .without = WithoutGraph,
    },
    {
        .kind = FileKind::kMetaGraph,
        .name = "MetaGraphDef",
        .plural = "graphs",
        .in_words = "meta graphs (.meta)",
        .role = InputRole::kGraph,
        .flag = "--graph_path",
        .sniff = IsMetaGraph,
        .sniff_order = 7,
        .text = MessageType::kMetaGraphDef,
        .model_preference = 2,
        .import = [](const ImportInput& i,
                     ProfileBuilder& b) { return ImportMetaGraph(i.file, i.file.bytes, b); },
    },
    {
        .kind = FileKind::kSavedModel,
        .name = "SavedModel",
        .plural = "graphs",
        .in_words = "SavedModels",
        .role = InputRole::kGraph,
        .flag = "--graph_path",
        .sniff = IsSavedModel,
        .sniff_order = 4,
        .text = MessageType::kSavedModel,
        .model_preference = 3,
        .import = [](const ImportInput& i, ProfileBuilder& b) { return ImportSavedModel(i.file, b); },
    },
    {
        .kind = FileKind::kRunMetadata,
        .name = "RunMetadata",
        .plural = "run metadata",
        .in_words = "run metadata (run_meta_STEP)",
        .role = InputRole::kSteps,
        .flag = "--run_meta_path",
        .steps = &Options::run_meta_path,
        .sniff = IsRunMetadata,
        .sniff_order = 5,
        .text = MessageType::kRunMetadata,
        .one_step = true,
        .import = [](const ImportInput& i,
                     ProfileBuilder& b) { return ImportRunMetadata(i.file, i.step, b); },
        .without = WithoutRunMetadata,
    },
    {
        .kind = FileKind::kOpLog,
        .name = "OpLogProto",
        .plural = "op logs",
        .in_words = "op logs (tfprof_log)",
        .role = InputRole::kAnnotation,
        .flag = "--op_log_path",
        .path = &Options::op_log_path,
        .sniff = IsOpLog,
        .sniff_order = 8,
        .text = MessageType::kOpLogProto,
        .import = [](const ImportInput& i, ProfileBuilder& b) { return ImportOpLog(i.file, b); },
        .without = WithoutOpLog,
    },
    {
        .kind = FileKind::kProfile,
        .name = "ProfileProto",
        .plural = "saved profiles",
        .in_words = "saved profiles (profile_STEP)",
        .role = InputRole::kWhole,
        .flag = "--profile_path",
        .path = &Options::profile_path,
        .sniff = IsProfileProto,
        .sniff_order = 6,
        .text = MessageType::kProfileProto,
        .import = [](const ImportInput& i, ProfileBuilder& b) { return ImportProfileProto(i.file, b); },
    },
    {
        .kind = FileKind::kCheckpointIndex,
        .name = "checkpoint",
        .plural = "checkpoints",
        .in_words = "checkpoints",
        .role = InputRole::kValues,
        .flag = "--checkpoint_path",
        .path = &Options::checkpoint_path,
        .sniff = [](std::string_view bytes) { return bytes.ends_with(kTableMagic); },
        .sniff_order = 0,
        .by_path = true,
        .holds = HoldsCheckpoint,
        .find = FindCheckpointInput,
        .import = [](const ImportInput& i, ProfileBuilder& b) { return ImportCheckpointAt(i.path, b); },
    },
    {
        .kind = FileKind::kXPlane,
        .name = "XPlane",
        .plural = "captures",
        .in_words = "XPlane captures (*.xplane.pb, or a log directory of them)",
        .role = InputRole::kSteps,
        .sniff = xplane::LooksLikeXPlane,
        .sniff_order = 2,
        .holds = xplane::HoldsCaptures,
        .find = xplane::FindCaptures,
        .import_all = xplane::ImportCaptures,
        .without = xplane::WithoutCapture,
    },
    {
        .kind = FileKind::kHlo,
        .name = "HLO program",
        .plural = "compiled programs",
        .in_words = "compiled programs (HLO: *.hlo.pb; tfprof model)",
        .role = InputRole::kProgram,
        .sniff = xplane::LooksLikeHlo,
        .sniff_order = 3,
        .model_preference = 1,
    },
    {
        .kind = FileKind::kEventFile,
        .name = "event file",
        .plural = "event files",
        .in_words = "event files with a graph or run metadata (events.out.tfevents.*, or a log directory)",
        .sniff = IsEventFile,
        .sniff_order = 1,
        .holds = HoldsEventFiles,
        .find = FindEventFiles,
        .split = SplitEventFile,
    },
    {
        .kind = FileKind::kKerasArchive,
        .name = "Keras archive",
        .plural = "Keras archives",
        .in_words = "Keras archives (.keras; `tfprof model` alone)",
        .role = InputRole::kModel,
        .sniff = IsKerasArchive,
        .sniff_order = 10,
        .model_preference = 1,
    },
    {
        .kind = FileKind::kMemoryProfile,
        .name = "memory profile",
        .plural = "memory profiles",
        .in_words = "memory profiles (pprof, as JAX's save_device_memory_profile writes them)",
        .role = InputRole::kSnapshot,
        .sniff = IsPprof,
        .sniff_order = 11,
        .import = [](const ImportInput& i, ProfileBuilder& b) { return ImportMemoryProfile(i.file, b); },
    },
};

constexpr auto kBySniffOrder = [] {
  std::array<const InputFormat*, std::size(kFormats)> out{};
  for (size_t i = 0; i < out.size(); ++i) out[i] = &kFormats[i];
  std::ranges::sort(out, {}, &InputFormat::sniff_order);
  return out;
}();

}  // namespace

std::span<const InputFormat> InputFormats() { return kFormats; }

const InputFormat& FormatOf(FileKind kind) {
  const auto* found = std::ranges::find(kFormats, kind, &InputFormat::kind);
  return found == std::end(kFormats) ? kUnknownFormat : *found;
}

FileKind KindOfText(MessageType type) {
  const auto* found = std::ranges::find(kFormats, type, &InputFormat::text);
  return type == MessageType::kCount || found == std::end(kFormats) ? FileKind::kUnknown : found->kind;
}

FileKind SniffWire(std::string_view bytes) {
  for (const InputFormat* format : kBySniffOrder) {
    if (format->sniff && format->sniff(bytes)) return format->kind;
  }
  return FileKind::kUnknown;
}

std::string InputsInWords() {
  std::string out;
  for (const InputFormat& format : kFormats) {
    out += (out.empty() ? "" : ", ") + std::string(format.in_words);
  }
  return out;
}

}  // namespace tfprof
