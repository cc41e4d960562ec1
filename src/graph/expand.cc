// Turns a GraphDef and its function library into one flat OpGraph.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "base/string_pool.h"
#include "graph/function_library.h"
#include "graph/op_graph.h"
#include "proto/field_walker.h"

namespace tfprof {
namespace {

constexpr uint32_t kGraphNode = 1, kGraphLibrary = 2;
constexpr size_t kTogether = 256;  // nodes whose names are looked up together

constexpr uint32_t kMaxDepth = 128;  // of calls; real models nest less than ten

// What functions may expand to: a small file that doubles and doubles again must not fill the memory, and
// real models, whose functions are called a few times each, must never meet this. A node takes some hundred
// bytes of its file, so that these are tens of calls of everything.
size_t MaxNodes(size_t file) { return 100'000 + file / 4; }
size_t MaxText(size_t file) { return (size_t{16} << 20) + 4 * file; }  // bytes of their names

// `name:3` -> {"name", 3}; what has no number after its last colon is output 0.
std::pair<std::string_view, uint32_t> SplitOutput(std::string_view text) {
  const size_t colon = text.rfind(':');
  if (colon == std::string_view::npos || colon + 1 == text.size()) return {text, 0};
  uint32_t output = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data() + colon + 1, end, output);
  if (error != std::errc() || stop != end) return {text, 0};
  return {text.substr(0, colon), output};
}

class Expander {
 public:
  Expander(const GraphSource& source, const std::string& path, size_t max_nodes)
      : source_(source),
        path_(path),
        max_nodes_(max_nodes ? max_nodes : MaxNodes(source.graph_def.size())),
        max_text_(MaxText(source.graph_def.size())) {}

  Result<OpGraph> Run() {
    ReadOpList();
    graph_.regions.emplace_back();
    if (Status s = ReadTopLevel(); !s) return s.error();
    // Calls are appended while they are found, so nested ones come after their callers.
    for (size_t i = 0; i < graph_.size(); ++i) ExpandCall(OpId(i));
    FinishResults();
    return std::move(graph_);
  }

 private:
  struct Instance {
    RegionId region;
    const FunctionBody* body;
    uint32_t first_node;
    std::vector<Source> args;
    std::vector<uint32_t> arg_begin;  // of each argument in args
  };

  void ReadOpList();
  Status ReadTopLevel();
  Status AddNodesRead();
  void KeepFirstOfEachName(std::vector<NodeParts>* nodes);
  OpTypeId TypeOf(std::string_view op);
  OpId AddNode(std::string_view name, std::string_view op, std::string_view definition, RegionId region);
  void AddInput(Source source) { graph_.inputs.push_back(source); }
  void BeginControls() { graph_.controls_begin.push_back(static_cast<uint32_t>(graph_.inputs.size())); }
  void EndNode() { graph_.inputs_begin.push_back(static_cast<uint32_t>(graph_.inputs.size())); }
  void AddTopLevel(std::span<const NodeParts> nodes, std::span<const std::string_view> inputs);
  template <class SourceOf>
  void AddTopLevel(const NodeParts& node, std::span<const std::string_view> inputs, SourceOf source_of);

  void ExpandCall(OpId caller);
  void ExpandPlain(OpId caller, std::string_view function, std::span<const Source> args, RegionKind kind,
                   uint32_t branch = 0);
  void ExpandWhile(OpId caller, const Attributes& attributes);
  std::optional<Instance> Instantiate(OpId caller, std::string_view name_attr_list, std::string_view function,
                                      std::vector<Source> args, RegionKind kind, uint32_t branch);
  bool MayExpand(OpId caller, const FunctionBody& body);
  void FillBody(const Instance& instance);
  Source ResolveInBody(const Instance& instance, std::string_view reference) const;
  std::vector<Source> ResultsOf(const Instance& instance) const;
  void SetResults(OpId caller, std::vector<Source> results) {
    results_of_.emplace_back(caller, std::move(results));
  }
  void FinishResults();
  Error DamagedAfter(std::string_view name) const {
    return Error::Input(fmt::format("{}: a node of the graph is damaged (after '{}')", path_, name));
  }
  void Problem(std::string text) {
    if (problems_.insert(text).second && graph_.problems.size() < 20)
      graph_.problems.push_back(std::move(text));
  }

  const GraphSource source_;
  const std::string& path_;
  const size_t max_nodes_, max_text_;
  FunctionLibrary library_;
  OpGraph graph_;
  std::unordered_map<std::string_view, OpTypeId> types_;
  std::unordered_map<std::string_view, OpFacts*> own_facts_;
  StringPool names_;      // of the graph's own nodes, numbered as these are
  size_t top_level_ = 0;  // how many these are
  std::vector<std::pair<OpId, std::vector<Source>>> results_of_;
  size_t text_ = 0;  // bytes in graph_.texts
  std::set<std::string> problems_;
};

void Expander::ReadOpList() {
  FieldWalker walker(source_.op_list);
  Field field;
  while (walker.Next(&field)) {
    if (field.number != 1 || !field.is_bytes()) continue;
    FieldWalker op(field.bytes);
    Field part;
    if (!op.Next(&part) || part.number != 1 || FindOpFacts(part.bytes)) continue;
    graph_.own_facts.push_back(ParseOutputs(field.bytes));
    own_facts_.emplace(part.bytes, &graph_.own_facts.back());
  }
}

// All of the file's functions are known before the first node is added.
OpTypeId Expander::TypeOf(std::string_view op) {
  const auto [entry, fresh] = types_.try_emplace(op, graph_.types.size());
  if (!fresh) return entry->second;
  const OpFacts* facts = FindOpFacts(op);
  const FunctionBody* function = library_.Find(op);
  if (!facts) {
    if (const auto own = own_facts_.find(op); own != own_facts_.end()) {
      facts = own->second;
    } else if (function) {
      facts = &graph_.own_facts.emplace_back(function->facts);
    }
  }
  graph_.types.push_back({op, facts, KindOf(op), function != nullptr});
  return entry->second;
}

OpId Expander::AddNode(std::string_view name, std::string_view op, std::string_view definition,
                       RegionId region) {
  const OpId id = graph_.name.push_back(name);
  graph_.type.push_back(TypeOf(op));
  graph_.definition.push_back(definition);
  graph_.region.push_back(region);
  return id;
}

Status Expander::ReadTopLevel() {
  std::vector<NodeParts> nodes;
  std::vector<std::string_view> inputs;
  FieldWalker walker(source_.graph_def);
  Field field;
  while (walker.Next(&field)) {
    if (!field.is_bytes()) continue;
    if (field.number == kGraphLibrary) library_.Add(field.bytes);
    if (field.number != kGraphNode || source_.nodes) continue;
    Prefetch(field, source_.graph_def, 4096);
    NodeParts node;
    if (!ParseNode(field.bytes, &node, &inputs) || walker.damaged()) {
      return DamagedAfter(nodes.empty() ? "" : nodes.back().name);
    }
    if (!node.name.empty()) nodes.push_back(node);
  }
  if (walker.damaged()) {
    return Error::Input(fmt::format("{}: {}; the graph is damaged or cut short", path_, walker.problem()));
  }
  if (source_.nodes) return AddNodesRead();
  KeepFirstOfEachName(&nodes);
  top_level_ = nodes.size();
  graph_.Reserve(nodes.size(), inputs.size());
  for (size_t begin = 0; begin < nodes.size(); begin += kTogether)
    AddTopLevel(std::span(nodes).subspan(begin, std::min(kTogether, nodes.size() - begin)), inputs);
  return {};
}

// `source_of(i)`: what input i is.
template <class SourceOf>
void Expander::AddTopLevel(const NodeParts& node, std::span<const std::string_view> inputs,
                           SourceOf source_of) {
  AddNode(node.name, node.op, node.definition, RegionId(0));
  bool controls = false;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].starts_with('^') && !controls) {
      controls = true;
      BeginControls();
    }
    AddInput(source_of(i));
  }
  if (!controls) BeginControls();
  EndNode();
}

Status Expander::AddNodesRead() {
  const NodesRead& nodes = *source_.nodes;
  constexpr size_t kAhead = 8;
  top_level_ = nodes.size();
  graph_.Reserve(nodes.size(), 2 * nodes.size());
  std::vector<std::string_view> inputs;
  for (size_t n = 0; n < nodes.size(); ++n) {
    if (n + kAhead < nodes.size()) __builtin_prefetch(nodes.Definition(n + kAhead).data());
    NodeParts node;
    inputs.clear();
    if (!ParseNode(nodes.Definition(n), &node, &inputs))
      return DamagedAfter(n == 0 ? "" : graph_.name[OpId(n - 1)]);
    AddTopLevel(node, inputs, [&](size_t i) {
      const OpId source = nodes.SourceOf(n, i);
      return source ? Source{source, SplitOutput(inputs[i]).second} : Source();
    });
  }
  return {};
}

void Expander::KeepFirstOfEachName(std::vector<NodeParts>* nodes) {
  names_.Reserve(nodes->size());
  std::vector<HashedText> names;
  std::vector<StringId> ids;
  size_t kept = 0;
  for (size_t begin = 0; begin < nodes->size(); begin += kTogether) {
    const size_t end = std::min(begin + kTogether, nodes->size());
    names.clear();
    for (size_t n = begin; n < end; ++n) names.push_back(names_.Hashed((*nodes)[n].name));
    ids.resize(names.size());
    names_.InternAll(names, ids);
    for (size_t n = begin; n < end; ++n) {
      if (ids[n - begin].value == kept) (*nodes)[kept++] = (*nodes)[n];
    }
  }
  nodes->resize(kept);
}

void Expander::AddTopLevel(std::span<const NodeParts> nodes, std::span<const std::string_view> inputs) {
  // `name`, `name:K` or `^name`.
  std::vector<StringPool::TextBefore> names;
  std::vector<uint32_t> outputs;
  for (const NodeParts& node : nodes) {
    const StringId own(graph_.size() + static_cast<size_t>(&node - nodes.data()));
    for (uint32_t i = node.inputs_begin; i < node.inputs_end; ++i) {
      const auto [name, output] = SplitOutput(inputs[i].substr(inputs[i].starts_with('^')));
      names.push_back({name, own});
      outputs.push_back(output);
    }
  }
  std::vector<StringId> found(names.size());
  names_.FindBefore(names, found);
  size_t next = 0;
  for (const NodeParts& node : nodes) {
    AddTopLevel(node, inputs.subspan(node.inputs_begin, node.inputs_end - node.inputs_begin), [&](size_t i) {
      return found[next + i] ? Source{OpId(found[next + i].value), outputs[next + i]} : Source();
    });
    next += node.inputs_end - node.inputs_begin;
  }
}

void Expander::ExpandCall(OpId caller) {
  const OpType type = graph_.types[graph_.type[caller]];  // a copy: bodies may bring further types
  if (type.kind == OpKind::kOther && !type.is_function) return;
  const Attributes attributes = graph_.Attrs(caller);
  const auto inputs = graph_.Inputs(caller);
  const std::vector<Source> args(inputs.begin(), inputs.end());  // Inputs() does not survive new nodes
  const auto without_first = [&] { return std::span(args).subspan(args.empty() ? 0 : 1); };
  switch (type.kind) {
    case OpKind::kCall:
      return ExpandPlain(caller, attributes.Function("f"), args, RegionKind::kCall);
    case OpKind::kRemoteCall:  // the target device comes first
      return ExpandPlain(caller, attributes.Function("f"), without_first(), RegionKind::kCall);
    case OpKind::kWhile:
      return ExpandWhile(caller, attributes);
    case OpKind::kIf:
      if (args.empty()) return;
      ExpandPlain(caller, attributes.Function("then_branch"), without_first(), RegionKind::kBranch, 0);
      ExpandPlain(caller, attributes.Function("else_branch"), without_first(), RegionKind::kBranch, 1);
      return;
    case OpKind::kCase: {
      if (args.empty()) return;
      uint32_t branch = 0;
      for (const std::string_view function : attributes.Functions("branches"))
        ExpandPlain(caller, function, without_first(), RegionKind::kBranch, branch++);
      return;
    }
    default:
      if (!type.is_function) return;
      if (auto made = Instantiate(caller, {}, type.name, args, RegionKind::kCall, 0))
        SetResults(caller, ResultsOf(*made));
  }
}

void Expander::ExpandPlain(OpId caller, std::string_view function, std::span<const Source> args,
                           RegionKind kind, uint32_t branch) {
  std::optional<Instance> made = Instantiate(caller, function, NameOfFunction(function),
                                             std::vector<Source>(args.begin(), args.end()), kind, branch);
  if (made) SetResults(caller, ResultsOf(*made));
}

void Expander::ExpandWhile(OpId caller, const Attributes& attributes) {
  const std::string_view condition = attributes.Function("cond"), body = attributes.Function("body");
  const FunctionBody* known = library_.Find(NameOfFunction(body));
  if (!known || !library_.Find(NameOfFunction(condition)) || !MayExpand(caller, *known)) {
    if (!known) Problem(fmt::format("{}: the loop's body is not in the file", graph_.name[caller]));
    return;
  }
  const auto inputs = graph_.Inputs(caller);
  const std::vector<Source> outside(inputs.begin(), inputs.end());
  std::vector<Source> carried;
  const RegionId region = graph_.region[caller];
  for (size_t i = 0; i < outside.size(); ++i) {
    const std::string_view arg = i < known->args.size() ? known->args[i].name : std::string_view("value");
    graph_.texts.push_back(fmt::format("{}/{}", graph_.name[caller], arg));
    const OpId value = AddNode(graph_.texts.back(), kLoopValueOp, {}, region);
    AddInput(outside[i]);
    AddInput(Source());  // what the body gives back; known below
    BeginControls();
    EndNode();
    carried.push_back({value, 0});
  }
  const auto cond =
      Instantiate(caller, condition, NameOfFunction(condition), carried, RegionKind::kLoopCondition, 0);
  const auto made = Instantiate(caller, body, NameOfFunction(body), carried, RegionKind::kLoopBody, 0);
  std::vector<Source> results = cond ? ResultsOf(*cond) : std::vector<Source>();
  results.resize(1);  // the condition first
  if (made) {
    const std::vector<Source> back = ResultsOf(*made);
    for (size_t i = 0; i < carried.size() && i < back.size(); ++i) {
      graph_.inputs[graph_.inputs_begin[carried[i].node.value] + 1] = back[i];
    }
  }
  results.insert(results.end(), carried.begin(), carried.end());
  SetResults(caller, std::move(results));
}

bool Expander::MayExpand(OpId caller, const FunctionBody& body) {
  const Region* at = &graph_.regions[graph_.region[caller].value];
  if (at->depth >= kMaxDepth) {
    Problem(fmt::format("{}: calls nest deeper than {}; not expanded", body.name, kMaxDepth));
    return false;
  }
  if (graph_.size() - top_level_ + body.nodes.size() + body.args.size() > max_nodes_) {
    Problem(fmt::format("the functions expand to more than {} nodes; calls beyond that are not expanded",
                        max_nodes_));
    return false;
  }
  // Names grow with the depth of the calls, and each node has its own.
  text_ += (body.nodes.size() + body.args.size() + 1) * graph_.name[caller].size() + body.text;
  if (text_ > max_text_) {
    Problem("the names of expanded functions are too long; calls beyond that are not expanded");
    return false;
  }
  for (; at->kind != RegionKind::kGraph; at = &graph_.regions[at->parent.value]) {
    if (at->function != body.name) continue;
    Problem(fmt::format("{}: the function calls itself; its calls of itself are not expanded", body.name));
    return false;
  }
  return true;
}

std::optional<Expander::Instance> Expander::Instantiate(OpId caller, std::string_view name_attr_list,
                                                        std::string_view function, std::vector<Source> args,
                                                        RegionKind kind, uint32_t branch) {
  const FunctionBody* body = library_.Find(function);
  if (!body) {
    Problem(
        fmt::format("{}: calls the function '{}', which is not in the file", graph_.name[caller], function));
    return std::nullopt;
  }
  if (!MayExpand(caller, *body)) return std::nullopt;
  const RegionId parent = graph_.region[caller];
  Region region;
  region.kind = kind;
  region.parent = parent;
  region.caller = caller;
  region.function = body->name;
  region.branch = branch;
  region.depth = graph_.regions[parent.value].depth + 1;
  region.scope = std::string(graph_.name[caller]) + '/';
  region.binding = {name_attr_list, graph_.definition[caller], &graph_.regions[parent.value].binding};
  graph_.regions.push_back(std::move(region));
  Instance out{
      RegionId(graph_.regions.size() - 1), body, static_cast<uint32_t>(graph_.size()), std::move(args), {}};
  const Attributes bound(graph_.definition[caller], nullptr, nullptr);
  uint32_t begin = 0;
  for (const FunctionArg& arg : body->args) {
    out.arg_begin.push_back(begin);
    if (!arg.type_list_attr.empty()) {
      begin += static_cast<uint32_t>(bound.ListSize(arg.type_list_attr));
    } else if (!arg.number_attr.empty()) {
      begin += static_cast<uint32_t>(std::clamp<int64_t>(bound.Int(arg.number_attr, 1), 0, 1 << 16));
    } else {
      ++begin;
    }
  }
  FillBody(out);
  for (const std::string_view control : body->controls) {
    const auto node = body->node_of_name.find(control);
    if (node != body->node_of_name.end())
      graph_.body_controls.emplace_back(caller, OpId(out.first_node + node->second));
  }
  return out;
}

void Expander::FillBody(const Instance& instance) {
  const std::string& scope = graph_.regions[instance.region.value].scope;
  for (const NodeParts& node : instance.body->nodes) {
    graph_.texts.push_back(scope + std::string(node.name));
    AddNode(graph_.texts.back(), node.op, node.definition, instance.region);
  }
  for (const NodeParts& node : instance.body->nodes) {
    bool controls = false;
    for (uint32_t i = node.inputs_begin; i < node.inputs_end; ++i) {
      std::string_view input = instance.body->inputs[i];
      if (input.starts_with('^')) {
        if (!controls) BeginControls();
        controls = true;
        input.remove_prefix(1);
      }
      AddInput(ResolveInBody(instance, input));
    }
    if (!controls) BeginControls();
    EndNode();
  }
}

// `arg`, `arg:K`, `node:out:K`, `node:out`, or the name of a node (control inputs).
Source Expander::ResolveInBody(const Instance& instance, std::string_view reference) const {
  const FunctionBody& body = *instance.body;
  auto [name, index] = SplitOutput(reference);
  if (const auto arg = body.arg_of_name.find(name); arg != body.arg_of_name.end()) {
    const size_t at = instance.arg_begin[arg->second] + index;
    return at < instance.args.size() ? instance.args[at] : Source();
  }
  std::string_view output;
  if (const size_t colon = name.find(':'); colon != std::string_view::npos) {
    output = name.substr(colon + 1);
    name = name.substr(0, colon);
  }
  const auto found = body.node_of_name.find(name);
  if (found == body.node_of_name.end()) return {};
  const OpId node(instance.first_node + found->second);
  const OpFacts* facts = graph_.Facts(node);
  if (!facts || facts->outputs.size() < 2 || output.empty()) return {node, index};
  const std::vector<uint32_t> counts = OutputCounts(facts, graph_.Attrs(node));
  uint32_t first = 0;
  for (size_t i = 0; i < counts.size(); ++i) {
    if (facts->outputs[i].name == output) return {node, first + index};
    first += counts[i];
  }
  return {};
}

std::vector<Source> Expander::ResultsOf(const Instance& instance) const {
  std::vector<Source> out;
  for (const std::string_view reference : instance.body->results) {
    out.push_back(reference.empty() ? Source() : ResolveInBody(instance, reference));
  }
  return out;
}

void Expander::FinishResults() {
  std::stable_sort(graph_.body_controls.begin(), graph_.body_controls.end());
  std::stable_sort(results_of_.begin(), results_of_.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  graph_.results_begin.assign(graph_.size() + 1, 0);
  size_t next = 0;
  for (size_t i = 0; i < graph_.size(); ++i) {
    for (; next < results_of_.size() && results_of_[next].first.value == i; ++next) {
      const auto& more = results_of_[next].second;
      graph_.results.insert(graph_.results.end(), more.begin(), more.end());
    }
    graph_.results_begin[i + 1] = static_cast<uint32_t>(graph_.results.size());
  }
}

}  // namespace

Result<OpGraph> ExpandGraph(const GraphSource& source, const std::string& path, size_t max_nodes) {
  return Expander(source, path, max_nodes).Run();
}

}  // namespace tfprof
