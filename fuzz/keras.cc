// .keras archives: the zip directory, and what is in the archive read together (each of it by itself:
// hdf5.cc, keras_config.cc).
#include "import/foreign_formats.h"
#include "import/keras/archive.h"
#include "target.h"

namespace tfprof {

void FuzzKeras(std::string_view bytes) {
  IsKerasArchive(bytes);
  FindForeign(bytes);
  const Result<KerasModel> model = ReadKerasArchive(bytes, "fuzzed");
  Require(model.ok() || !model.error().message.empty(), "an error says something");
  if (model) {
    for (const KerasVariable& variable : model->variables) {
      Require(variable.role != VariableRole::kParameter || variable.layer < model->layers.size(),
              "a parameter belongs to a layer");
    }
  }
}

}  // namespace tfprof
