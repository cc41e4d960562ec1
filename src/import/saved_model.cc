#include "import/saved_model.h"

#include "import/graph_def.h"

namespace tfprof {

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
