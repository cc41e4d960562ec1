#include "import/saved_model.h"

#include "import/graph_def.h"
#include "import/sniff.h"

namespace tfprof {

bool IsMetaGraph(std::string_view bytes) {
  bool graph = false;
  const bool known = AllFields(bytes, [&](const Field& f) {
    if (f.number == 2) graph |= f.is_bytes() && IsGraphDef(f.bytes);
    return f.is_bytes() && f.number <= 7;
  });
  return known && graph;
}

bool IsSavedModel(std::string_view bytes) {
  return AllFields(bytes, [](const Field& f) {
    return f.number == 1 ? f.is_varint() : f.number == 2 && f.is_bytes() && IsMetaGraph(f.bytes);
  });
}

Status ImportMetaGraph(const WireFile& file, std::string_view meta_graph, ProfileBuilder& builder) {
  return ForEachField(file, meta_graph, builder, "meta graph", [&](const Field& field) -> Status {
    return field.number == 2 && field.is_bytes() ? ImportGraphDef(file, field.bytes, builder) : Status();
  });
}

Status ImportSavedModel(const WireFile& file, ProfileBuilder& builder) {
  int64_t meta_graphs = 0;
  Status status = ForEachField(file, file.bytes, builder, "saved model", [&](const Field& field) -> Status {
    if (field.number != 2 || !field.is_bytes() || ++meta_graphs > 1) return {};
    return ImportMetaGraph(file, field.bytes, builder);
  });
  if (meta_graphs > 1) {
    builder.Warn(fmt::format("{}: has {} meta graphs; this report is of the first", file.path, meta_graphs));
  }
  return status;
}

}  // namespace tfprof
