#include "model/input_texts.h"

#include <algorithm>
#include <limits>
#include <span>

#include "base/parallel.h"
#include "model/profile.h"

namespace tfprof {
namespace {

// What a thread does at a time; a whole number of words of a vector<bool>.
constexpr size_t kNodesOfPiece = 4096;
constexpr size_t kInputsTogether = 256;  // are looked up together
constexpr size_t kAhead = 16;            // so many nodes, texts are asked for

std::string_view TextOf(const Profile& profile, NodeId node, const Input& input) {
  return profile.definition[node].substr(input.position, input.node.value);
}

NodeId NodeOf(const Profile& profile, StringId name) {
  return name && name.value < profile.node_of_name.size() ? profile.node_of_name[name] : NodeId();
}

// The text of a node's first input is waited for while something else is done.
void AskFor(const Profile& profile, NodeId node) {
  const uint32_t first = profile.inputs_begin[node.value];
  if (first < profile.inputs_or_texts.size())
    __builtin_prefetch(profile.definition[node].data() + profile.inputs_or_texts[first].position);
}

// Texts that are looked up together, each with a place of its own.
class Waiting {
 public:
  explicit Waiting(const Profile& profile) : profile_(profile) {}

  void Add(NodeId node, const Input& input, size_t place) {
    texts_.push_back({TextOf(profile_, node, input), profile_.name[node]});
    places_.push_back(place);
  }
  bool full() const { return texts_.size() >= kInputsTogether; }
  // Calls found(place, name) for each; no name: there is no such text.
  template <class Found>
  void LookUp(Found found) {
    names_.resize(texts_.size());
    profile_.strings.FindBefore(texts_, names_);
    for (size_t i = 0; i < names_.size(); ++i) found(places_[i], names_[i]);
    texts_.clear();
    places_.clear();
  }

 private:
  const Profile& profile_;
  std::vector<StringPool::TextBefore> texts_;
  std::vector<size_t> places_;
  std::vector<StringId> names_;
};

}  // namespace

bool InputTexts::Fits(std::string_view definition) {
  return definition.size() < std::numeric_limits<uint32_t>::max();
}

Input InputTexts::Text(std::string_view input, std::string_view definition) {
  return {static_cast<uint32_t>(input.data() - definition.data()), NodeId(input.size())};
}

void InputTexts::Add(NodeId node) {
  if (!any())
    any_.store(true, std::memory_order_release);  // not for each: that waits for all that was written before
  if (has_texts_.size() <= node.value)
    has_texts_.resize(std::max(size_t{node.value} + 1, has_texts_.size() * 2));
  has_texts_[node.value] = true;
}

std::vector<NodeId> InputTexts::LookUp(const Profile& profile, std::span<const InputPlace> places) const {
  std::unique_lock lock(mutex_, std::defer_lock);
  if (any()) lock.lock();
  std::vector<NodeId> out(places.size());
  Waiting waiting(profile);
  const auto look_up = [&] {
    waiting.LookUp([&](size_t place, StringId name) { out[place] = NodeOf(profile, name); });
  };
  for (size_t p = 0; p < places.size(); ++p) {
    if (p + kAhead < places.size()) AskFor(profile, NodeId(places[p + kAhead].node));
    const NodeId node(places[p].node);
    const std::span<const Input> inputs(
        profile.inputs_or_texts.begin() + profile.inputs_begin[node.value],
        profile.inputs_or_texts.begin() + profile.inputs_begin[node.value + 1]);
    if (!Has(node)) {
      const auto found = std::ranges::find(inputs, places[p].position, &Input::position);
      if (found != inputs.end()) out[p] = found->node;
    } else if (places[p].position < inputs.size()) {
      waiting.Add(node, inputs[places[p].position], p);
      if (waiting.full()) look_up();
    }
  }
  look_up();
  return out;
}

void InputTexts::LookUpAll(const Profile& profile) const {
  const std::lock_guard lock(mutex_);
  if (!any()) return;
  const size_t nodes = std::min(has_texts_.size(), profile.size());
  ParallelFor((nodes + kNodesOfPiece - 1) / kNodesOfPiece, [&](size_t piece) {
    const size_t begin = piece * kNodesOfPiece;
    LookUpPiece(profile, begin, std::min(begin + kNodesOfPiece, nodes));
  });
  has_texts_ = {};
  any_.store(false, std::memory_order_release);
}

// Nothing is changed before all is found.
void InputTexts::LookUpPiece(const Profile& profile, size_t begin, size_t end) const {
  const uint32_t first = profile.inputs_begin[begin];
  std::vector<StringId> found(profile.inputs_begin[end] - first);
  Waiting waiting(profile);
  const auto look_up = [&] { waiting.LookUp([&](size_t place, StringId name) { found[place] = name; }); };
  for (size_t n = begin; n < end; ++n) {
    if (n + kAhead < end) AskFor(profile, NodeId(n + kAhead));
    if (!has_texts_[n]) continue;
    for (uint32_t input = profile.inputs_begin[n]; input < profile.inputs_begin[n + 1]; ++input)
      waiting.Add(NodeId(n), profile.inputs_or_texts[input], input - first);
    if (waiting.full()) look_up();
  }
  look_up();
  for (size_t n = begin; n < end; ++n) {
    if (!has_texts_[n]) continue;
    const uint32_t of_node = profile.inputs_begin[n];
    for (uint32_t input = of_node; input < profile.inputs_begin[n + 1]; ++input)
      profile.inputs_or_texts[input] = {input - of_node, NodeOf(profile, found[input - first])};
    has_texts_[n] = false;
  }
}

}  // namespace tfprof
