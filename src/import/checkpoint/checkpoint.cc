#include "tfprof/checkpoint.h"

#include <algorithm>

#include "import/checkpoint/bundle.h"
#include "import/checkpoint/paths.h"
#include "import/checkpoint/v1.h"

namespace tfprof {

Result<std::shared_ptr<const Checkpoint>> Checkpoint::Open(const std::string& path) {
  Result<CheckpointPlace> place = FindCheckpoint(path);
  if (!place) return place.error();
  std::vector<std::unique_ptr<TableFile>> tables;
  for (const std::string& file : place->tables) {
    Result<std::unique_ptr<TableFile>> table = TableFile::Open(file);
    if (!table) return table.error();
    tables.push_back(std::move(*table));
  }
  if (place->is_bundle) return BundleCheckpoint::Open(*tables[0], place->prefix, std::move(place->notes));
  return V1Checkpoint::Open(std::move(tables), place->missing, place->prefix, std::move(place->notes));
}

std::optional<size_t> Checkpoint::Find(std::string_view name) const {
  const auto found =
      std::lower_bound(tensors_.begin(), tensors_.end(), name,
                       [](const CheckpointTensor& t, std::string_view n) { return t.name < n; });
  if (found == tensors_.end() || found->name != name) return std::nullopt;
  return static_cast<size_t>(found - tensors_.begin());
}

}  // namespace tfprof
