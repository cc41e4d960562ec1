#include "load/model_signature.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "base/buffer.h"
#include "base/text.h"

namespace tfprof {

Result<const SignatureDef*> ChooseSignature(const ModelDef& def, std::string_view name,
                                            const std::string& path) {
  const auto named = [&](std::string_view wanted) -> const SignatureDef* {
    for (const SignatureDef& signature : def.signatures) {
      if (signature.name == wanted) return &signature;
    }
    return nullptr;
  };
  if (name.empty()) {
    const SignatureDef* serving = named("serving_default");
    return serving || def.signatures.size() != 1 ? serving : &def.signatures[0];
  }
  if (const SignatureDef* found = named(name)) return found;
  std::vector<std::string_view> names;
  for (const SignatureDef& signature : def.signatures) names.push_back(signature.name);
  return Error::Usage(
      fmt::format("{}: has no signature '{}'{}; there {}", path, Printable(name), DidYouMean(name, names),
                  names.empty() ? std::string("is none") : fmt::format("are {}", fmt::join(names, ", "))));
}

std::vector<OpId> OutputsOf(const SignatureDef* signature, const OpGraph& graph) {
  std::vector<OpId> out;
  if (!signature) return out;
  std::unordered_map<std::string_view, OpId> nodes;
  for (size_t i = 0; i < graph.size() && graph.region[OpId(i)].value == 0; ++i)
    nodes.emplace(graph.name[OpId(i)], OpId(i));
  for (const SignatureTensor& output : signature->outputs) {
    const std::string_view name = output.tensor.substr(0, output.tensor.rfind(':'));
    if (const auto found = nodes.find(name); found != nodes.end()) out.push_back(found->second);
  }
  return out;
}

Status ReadFlopsFile(const Options& options, FloatOpCounter* counter) {
  if (options.flops_file.empty()) return {};
  Result<Buffer> text = Buffer::Open(options.flops_file);
  if (!text) return text.error();
  return counter->AddRules(text->bytes(), options.flops_file);
}

}  // namespace tfprof
