#include "load/model_analysis.h"

#include <fmt/ranges.h>

#include <charconv>
#include <set>
#include <unordered_map>
#include <utility>

#include "base/buffer.h"
#include "base/text.h"

namespace tfprof {
namespace {

// The rules of --flops_file, if one is given.
Status ReadFlopsFile(const Options& options, FloatOpCounter* counter) {
  if (options.flops_file.empty()) return {};
  Result<Buffer> text = Buffer::Open(options.flops_file);
  if (!text) return text.error();
  return counter->AddRules(text->bytes(), options.flops_file);
}

// "INPUT:AXIS=N" of --dim, and --batch. Inputs may be named as the signature names them.
Result<InputDims> ParseDims(const Options& options, const ModelDef& def) {
  InputDims out;
  out.batch = options.batch;
  for (const std::string& text : options.dims) {
    const size_t equals = text.rfind('='), colon = text.rfind(':', equals);
    InputDims::Dim dim{{}, 0, -1};
    const auto number = [](std::string_view digits, int64_t* value) {
      const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), *value);
      return error == std::errc() && end == digits.data() + digits.size() && !digits.empty();
    };
    if (equals == std::string::npos || colon == std::string::npos || colon == 0 ||
        !number(std::string_view(text).substr(colon + 1, equals - colon - 1), &dim.axis) ||
        !number(std::string_view(text).substr(equals + 1), &dim.size) || dim.size < 0) {
      return Error::Usage(fmt::format("-dim: '{}' is not INPUT:AXIS=N, for example images:1=224", text));
    }
    dim.input = text.substr(0, colon);
    for (const SignatureDef& signature : def.signatures) {
      for (const SignatureTensor& input : signature.inputs) {
        if (input.key != dim.input) continue;
        InputDims::Dim same = dim;
        same.input = std::string(input.tensor.substr(0, input.tensor.rfind(':')));
        out.dims.push_back(same);
      }
    }
    out.dims.push_back(std::move(dim));
  }
  return out;
}

// An error names an input of -dim that the graph does not have, and those that it has.
Status CheckDims(const InputDims& dims, const ModelDef& def, const OpGraph& graph) {
  if (dims.dims.empty()) return {};
  std::set<std::string_view> inputs, known;
  for (size_t i = 0; i < graph.size(); ++i) {
    if (graph.Op(OpId(i)).starts_with("Placeholder") && graph.region[OpId(i)].value == 0)
      inputs.insert(graph.name[OpId(i)]);
  }
  known = inputs;
  for (const SignatureDef& signature : def.signatures) {
    for (const SignatureTensor& input : signature.inputs) known.insert(input.key);
  }
  for (const InputDims::Dim& dim : dims.dims) {
    if (known.contains(dim.input)) continue;
    std::string names;
    for (const std::string_view input : inputs) {
      if (names.size() > 200) break;
      names += fmt::format("{}{}", names.empty() ? "" : ", ", input);
    }
    return Error::Usage(fmt::format("-dim: there is no input {}; there {}", dim.input,
                                    names.empty() ? "are none" : fmt::format("are {}", names)));
  }
  return {};
}

}  // namespace

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

Status AnalyzeGraph(const ModelDef& def, const std::string& path, const Options& options,
                    const SignatureDef* signature, ModelAnalysis* out) {
  FloatOpCounter counter(options.flops_rules);
  if (Status s = ReadFlopsFile(options, &counter); !s) return s;
  Result<InputDims> dims = ParseDims(options, def);
  if (!dims) return dims.error();
  Result<OpGraph> graph = ExpandGraph(def.graph, path);
  if (!graph) return graph.error();
  if (Status s = CheckDims(*dims, def, *graph); !s) return s;
  out->graph = std::move(*graph);
  out->dims = std::move(*dims);
  out->inference.emplace(out->graph, out->dims);
  out->loops.emplace(*out->inference);
  out->estimate = EstimateFloatOps(*out->inference, *out->loops, counter, OutputsOf(signature, out->graph));
  return {};
}

}  // namespace tfprof
