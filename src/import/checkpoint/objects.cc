#include "import/checkpoint/objects.h"

#include <algorithm>

#include "import/wire.h"

namespace tfprof {
namespace {

// SerializedTensor: the key of a tensor, and the name of its variable.
void AddFullName(protozero::pbf_reader attribute, std::vector<CheckpointTensor>* tensors) {
  std::string_view full_name, key;
  while (attribute.next()) {
    if (attribute.tag_and_type() == BytesTag(2)) {
      full_name = View(attribute.get_view());
    } else if (attribute.tag_and_type() == BytesTag(3)) {
      key = View(attribute.get_view());
    } else {
      attribute.skip();
    }
  }
  const auto found =
      std::lower_bound(tensors->begin(), tensors->end(), key,
                       [](const CheckpointTensor& t, std::string_view k) { return t.name < k; });
  if (found != tensors->end() && found->name == key) found->full_name = full_name;
}

}  // namespace

bool AddFullNames(std::string_view object_graph, std::vector<CheckpointTensor>* tensors) {
  try {
    protozero::pbf_reader graph = Reader(object_graph);
    while (graph.next(1, protozero::pbf_wire_type::length_delimited)) {
      protozero::pbf_reader node = graph.get_message();
      while (node.next(2, protozero::pbf_wire_type::length_delimited))
        AddFullName(node.get_message(), tensors);
    }
  } catch (const protozero::exception&) {
    return false;
  }
  return true;
}

}  // namespace tfprof
