// The objects of HDF5 files, as weights are.
#include "import/keras/hdf5.h"

#include "target.h"

namespace tfprof {

void FuzzHdf5(std::string_view bytes) {
  (void)IsHdf5(bytes);
  const Result<std::vector<Hdf5Object>> objects = ReadHdf5(bytes, "fuzzed");
  Require(objects.ok() || !objects.error().message.empty(), "an error says something");
  if (!objects) return;
  for (size_t i = 1; i < objects->size(); ++i) Require((*objects)[i].parent < i, "parents come first");
}

}  // namespace tfprof
