#include "import/graph_inputs.h"

#include <algorithm>
#include <limits>

#include "base/parallel.h"

namespace tfprof {
namespace {

constexpr size_t kNodesOfPiece = 4096;   // what a thread does at a time
constexpr size_t kInputsTogether = 256;  // are looked up together
constexpr size_t kAhead = 16;            // so many nodes, texts are asked for

uint32_t EndOfInputs(const Profile& profile, size_t node) {
  return node + 1 < profile.inputs_begin.size() ? profile.inputs_begin[node + 1]
                                                : static_cast<uint32_t>(profile.inputs.size());
}

}  // namespace

bool GraphInputs::Fits(std::string_view definition) {
  return definition.size() < std::numeric_limits<uint32_t>::max();
}

void GraphInputs::Add(std::string_view input, std::string_view definition) {
  builder_.profile().inputs.push_back(
      {static_cast<uint32_t>(input.data() - definition.data()), NodeId(input.size())});
}

std::string_view GraphInputs::TextOf(const Use& use) const {
  const Input& where = builder_.profile().inputs[use.input];
  return builder_.profile().definition[use.node].substr(where.position, where.node.value);
}

// The model knows nodes by their names until all files are read (ProfileBuilder::AddInput).
void GraphInputs::SetSource(const Use& use, StringId name) {
  Profile& profile = builder_.profile();
  profile.inputs[use.input] = {use.input - profile.inputs_begin[use.node.value], NodeId(name.value)};
}

void GraphInputs::Resolve() {
  const size_t nodes = builder_.profile().size() - first_;
  std::vector<std::vector<Use>> missing((nodes + kNodesOfPiece - 1) / kNodesOfPiece);
  ParallelFor(missing.size(), [&](size_t piece) {
    const size_t begin = first_ + piece * kNodesOfPiece;
    ResolveSome(begin, std::min(begin + kNodesOfPiece, first_ + nodes), &missing[piece]);
  });
  // Another graph may define them; texts get their numbers in the order of the file.
  StringPool& strings = builder_.profile().strings;
  for (const std::vector<Use>& of_piece : missing) {
    for (const Use& use : of_piece) SetSource(use, strings.Intern(TextOf(use)));
  }
}

void GraphInputs::ResolveSome(size_t begin, size_t end, std::vector<Use>* missing) {
  Profile& profile = builder_.profile();
  std::vector<Use> inputs;
  std::vector<StringPool::TextBefore> texts;
  std::vector<StringId> names;
  const auto look_up = [&] {
    names.resize(texts.size());
    profile.strings.FindBefore(texts, names);
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (names[i]) {
        SetSource(inputs[i], names[i]);
      } else {
        missing->push_back(inputs[i]);
      }
    }
    texts.clear();
    inputs.clear();
  };
  auto left_out = std::ranges::lower_bound(left_out_, NodeId(begin));
  for (size_t n = begin; n < end; ++n) {
    const NodeId node(n);
    if (n + kAhead < end && profile.inputs_begin[n + kAhead] < profile.inputs.size()) {
      const Input& later = profile.inputs[profile.inputs_begin[n + kAhead]];
      __builtin_prefetch(profile.definition[NodeId(n + kAhead)].data() + later.position);
    }
    if (left_out != left_out_.end() && *left_out == node) {
      ++left_out;
      continue;
    }
    for (uint32_t input = profile.inputs_begin[n]; input < EndOfInputs(profile, n); ++input) {
      inputs.push_back({node, input});
      texts.push_back({TextOf(inputs.back()), profile.name[node]});
    }
    if (texts.size() >= kInputsTogether) look_up();
  }
  look_up();
}

}  // namespace tfprof
