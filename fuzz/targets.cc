#include "targets.h"

#include <algorithm>

namespace tfprof {
namespace {

constexpr FuzzTarget kTargets[] = {
    {"checkpoint", FuzzCheckpoint, Structure::kEntries},
    {"command", FuzzCommand, Structure::kText},
    {"event_file", FuzzEventFile, Structure::kRecords},
    {"flops_rules", FuzzFlopsRules, Structure::kText},
    {"graph_def", FuzzGraphDef, Structure::kWire},
    {"hdf5", FuzzHdf5, Structure::kText},
    {"hlo", FuzzHlo, Structure::kWire},
    {"http_request", FuzzHttpRequest, Structure::kText},
    {"keras", FuzzKeras, Structure::kArchive},
    {"keras_config", FuzzKerasConfig, Structure::kText},
    {"limits", FuzzLimits, Structure::kText},
    {"load", FuzzLoad, Structure::kPacked},
    {"memory_profile", FuzzMemoryProfile, Structure::kWire},
    {"model", FuzzModel, Structure::kPacked},
    {"oom_dump", FuzzOomDump, Structure::kWire},
    {"oom_log", FuzzOomLog, Structure::kText},
    {"op_log", FuzzOpLog, Structure::kWire},
    {"option_value", FuzzOptionValue, Structure::kText},
    {"patterns", FuzzPatterns, Structure::kText},
    {"profile_proto", FuzzProfileProto, Structure::kWire},
    {"prompt_line", FuzzPromptLine, Structure::kText},
    {"query", FuzzQuery, Structure::kText},
    {"run_identity", FuzzRunIdentity, Structure::kText},
    {"run_metadata", FuzzRunMetadata, Structure::kWire},
    {"scope_file", FuzzScopeFile, Structure::kText},
    {"site", FuzzSite, Structure::kText},
    {"sniff", FuzzSniff, Structure::kWire},
    {"text_proto", FuzzTextProto, Structure::kText},
    {"xplane", FuzzXPlane, Structure::kWire},
};

}  // namespace

std::span<const FuzzTarget> FuzzTargets() { return kTargets; }

const FuzzTarget* FindFuzzTarget(std::string_view name) {
  const auto found = std::ranges::find(kTargets, name, &FuzzTarget::name);
  return found == std::end(kTargets) ? nullptr : found;
}

}  // namespace tfprof
