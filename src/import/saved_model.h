// The graphs inside MetaGraphDef (.meta files) and SavedModel (saved_model.pb).
#pragma once

#include "import/wire.h"
#include "model/profile_builder.h"
#include "tfprof/result.h"

namespace tfprof {

bool IsMetaGraph(std::string_view bytes);
bool IsSavedModel(std::string_view bytes);

Status ImportMetaGraph(const WireFile& file, std::string_view meta_graph, ProfileBuilder& builder);

// Of several meta graphs the first is taken, and a warning says so.
Status ImportSavedModel(const WireFile& file, ProfileBuilder& builder);

}  // namespace tfprof
