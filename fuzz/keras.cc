// .keras archives: the zip directory, config.json, the weights' HDF5. The same bytes are also read as weights
// and as a configuration alone, which a fuzzer reaches without making an archive.
#include "import/foreign_formats.h"
#include "import/keras/archive.h"
#include "import/keras/config.h"
#include "import/keras/hdf5.h"
#include "target.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tfprof;
  const std::string_view bytes = Bytes(data, size);
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
  if (const Result<std::vector<Hdf5Object>> objects = ReadHdf5(bytes, "fuzzed")) {
    for (size_t i = 1; i < objects->size(); ++i) Require((*objects)[i].parent < i, "parents come first");
  }
  if (const Result<std::vector<ConfiguredLayer>> layers = ReadKerasConfig(bytes, "fuzzed")) {
    for (size_t i = 1; i < layers->size(); ++i) Require((*layers)[i].model < i, "models come first");
  }
  return 0;
}
