// What `tfprof model` does with the bytes of one file: a SavedModel, a .meta file or a graph.
#include "tfprof/model.h"

#include "memory_file.h"
#include "target.h"

namespace tfprof {
namespace {

// What holds for every model, whatever the file says.
void CheckModel(const ModelReport& model) {
  Require(model.params.total >= 0 && model.params.bytes >= 0, "parameters are not negative");
  Require(model.float_ops.uncounted <= model.float_ops.nodes, "what is not counted is part of what runs");
  for (const ModelNode& node : model.nodes) {
    Require(node.float_ops.has_value() || !node.why.empty(), "a node has a number or a reason");
    Require(node.float_ops.value_or(0) >= 0 && node.times >= 0, "counts are not negative");
    for (const ModelShape& shape : node.output_shapes) {
      for (size_t i = 0; shape && i < shape->size(); ++i)
        Require((*shape)[i] >= -1, "a dimension is a size, or not known");
    }
  }
}

}  // namespace
void FuzzModel(std::string_view bytes) {
  const FileInMemory file(bytes);
  Options options;
  options.inputs = {file.path()};
  options.flops_rules = bytes.size() % 3 == 0 ? FlopsRules::kTensorFlow : FlopsRules::kFull;
  options.batch = bytes.size() % 2 == 0 ? 2 : -1;
  const Result<ModelReport> model = AnalyzeModel(options);
  Require(model.ok() || !model.error().message.empty(), "an error says something");
  if (model) {
    CheckModel(*model);
    const Result<MadeReport> made = FindReportKind("model")->make({nullptr, options});
    Require(made.ok(), "what was analyzed once is analyzed again");
    Print(*made->document, bytes.size());
  }
}

}  // namespace tfprof
