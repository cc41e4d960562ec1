#include "view/fold_names.h"

#include <algorithm>
#include <unordered_set>

#include "base/op_kinds.h"
#include "base/variable_roles.h"
#include "model/node_attr.h"

namespace tfprof {
namespace {

constexpr std::string_view kNoLayer = "(no layer)";
constexpr uint32_t kNone = 0;      // the root is nobody's child
constexpr size_t kMaxLevels = 16;  // scopes of variables that are looked at, one within another

using Parts = std::span<const std::string_view>;

// What the machinery puts into names, and what it means.
enum class Meaning : uint8_t { kCall, kGradient, kOptimizer, kLoop };
struct Rule {
  std::string_view part;
  Meaning meaning;
  bool numbered;  // also with a number behind it
};
constexpr Rule kRules[] = {
    {"StatefulPartitionedCall", Meaning::kCall, true},
    {"PartitionedCall", Meaning::kCall, true},
    {"gradient_tape", Meaning::kGradient, true},
    {"gradients", Meaning::kGradient, true},
    {"ConstantFolding", Meaning::kOptimizer, false},
    {"while", Meaning::kLoop, true},
    {"while_grad", Meaning::kLoop, true},
    {"body", Meaning::kLoop, false},
    {"cond", Meaning::kLoop, true},
    {"then", Meaning::kLoop, false},
    {"else", Meaning::kLoop, false},
    {"", Meaning::kLoop, true},
};

const Rule* RuleOf(std::string_view part) {
  constexpr std::string_view kFirst = "SPgCwbcte_";  // of all rules; most parts begin otherwise
  if (!part.empty() && kFirst.find(part[0]) == std::string_view::npos) return nullptr;
  const std::string_view bare = WithoutNumber(part);
  for (const Rule& rule : kRules) {
    if (part == rule.part || (rule.numbered && bare == rule.part)) return &rule;
  }
  return nullptr;
}

void Split(std::string_view path, std::vector<std::string_view>* parts) {
  for (size_t begin = 0; begin <= path.size();) {
    const size_t end = std::min(path.find('/', begin), path.size());
    parts->push_back(path.substr(begin, end - begin));
    begin = end + 1;
  }
}

std::vector<std::string_view> Split(std::string_view path) {
  std::vector<std::string_view> parts;
  Split(path, &parts);
  return parts;
}

// Whether the machinery put something in front of the name: where it did so nowhere, names stay as they are.
bool IsCalled(std::string_view name) {
  const size_t slash = name.find('/');
  const Rule* rule = slash == std::string_view::npos ? nullptr : RuleOf(name.substr(0, slash));
  return rule && rule->meaning != Meaning::kLoop;
}

// A large graph has each name in another place: they are asked for so many ahead.
constexpr size_t kAhead = 16;
[[gnu::always_inline]] inline void Ask(std::string_view name) {
  __builtin_prefetch(name.data());
  __builtin_prefetch(name.data() + name.size());
}

// The same of any node.
bool AnyIsCalled(const Profile& profile) {
  for (size_t n = 0; n < profile.size(); ++n) {
    if (n + kAhead < profile.size()) profile.strings.Prefetch(profile.name[NodeId(n + kAhead)]);
    if (IsCalled(profile.Name(NodeId(n)))) return true;
  }
  return false;
}

// The number of parts that the machinery put in front.
size_t Machinery(Parts parts, bool* backward) {
  size_t i = 0;
  for (; i < parts.size(); ++i) {
    const Rule* rule = RuleOf(parts[i]);
    if (!rule || rule->meaning == Meaning::kLoop) break;
    *backward |= rule->meaning == Meaning::kGradient;
  }
  return i;
}

// The path up to a part: all are of one text.
std::string_view Joined(Parts parts, size_t last) {
  const char* const begin = parts[0].data();
  return {begin, static_cast<size_t>(parts[last].data() + parts[last].size() - begin)};
}

void Append(std::string_view part, std::string* path) {
  if (!path->empty()) *path += '/';
  *path += part;
}

// The same text where it stays: many in one string, which is never moved.
std::string_view Kept(std::string_view text, std::deque<std::string>* texts) {
  constexpr size_t kChunk = 1 << 18;
  if (texts->empty() || texts->back().capacity() - texts->back().size() < text.size())
    texts->emplace_back().reserve(std::max(kChunk, text.size()));
  std::string& chunk = texts->back();
  chunk += text;
  return std::string_view(chunk).substr(chunk.size() - text.size());
}

size_t LengthAndEnd(std::string_view name) {
  return (name.size() & 0xFF) << 8 | (name.empty() ? 0 : static_cast<unsigned char>(name.back()));
}

}  // namespace

NameFolder::NameFolder(std::span<const std::string_view> variables, std::span<const std::string_view> state,
                       std::span<const std::string_view> names)
    : names_(names),
      place_of_(names.size(), kAsItIs),
      folds_(std::any_of(names.begin(), names.end(), IsCalled)) {
  if (!folds_) return;
  for (const std::string_view name : state) state_scopes_.insert(name.substr(0, name.find('/')));
  for (const std::string_view name : variables) AddVariable(name);

  StringPool distinct;                  // scopes of nodes: a place each
  std::vector<std::string_view> texts;  // their parts
  std::vector<size_t> begins;
  std::string_view last;
  StringId place;
  for (size_t n = 0; n < names.size(); ++n) {
    if (n + kAhead < names.size()) Ask(names[n + kAhead]);
    const std::string_view name = names[n];
    const size_t slash = name.rfind('/');
    if (slash == std::string_view::npos) continue;
    if (IsVariable(name)) {
      place_of_[n] = kVariable;
      continue;
    }
    const std::string_view scope = name.substr(0, slash);
    if (scope != last || !place) {
      last = scope;
      const size_t known = distinct.size();
      place = distinct.Intern(scope);
      if (place.value == known) {
        begins.push_back(texts.size());
        Split(scope, &texts);
      }
    }
    place_of_[n] = place.value;
  }
  begins.push_back(texts.size());
  const auto scope = [&](size_t i) { return Parts(texts).subspan(begins[i], begins[i + 1] - begins[i]); };

  places_.resize(distinct.size());
  std::vector<Parts> all;  // without what the machinery put in front
  for (size_t i = 0; i < places_.size(); ++i) {
    places_[i].begin = static_cast<uint32_t>(Machinery(scope(i), &places_[i].backward));
    const Parts parts = scope(i).subspan(places_[i].begin);
    if (!parts.empty()) all.push_back(parts);
  }
  FindWrapper(all);
  FindNumbered(all);
  // Of nodes only those matter that have the name of a scope's first part.
  size_t longest = 0;
  for (size_t i = 0; i < places_.size(); ++i) {
    Begin(scope(i), places_[i].begin, &places_[i]);
    const size_t begin = places_[i].begin;
    if (begin < scope(i).size()) longest = std::max(longest, Joined(scope(i), begin).size());
  }
  for (const std::string_view name : names) {
    if (name.size() <= longest) nodes_.Intern(name);
  }
  for (size_t i = 0; i < places_.size(); ++i) TakeApart(scope(i), &places_[i]);
}

void NameFolder::AddVariable(std::string_view name) {
  const std::vector<std::string_view> parts = Split(name);
  uint32_t at = 0;
  for (size_t i = 0; i + 1 < parts.size() && i < kMaxLevels; ++i) {
    const auto [child, fresh] =
        scopes_[at].scopes.try_emplace(std::string(parts[i]), static_cast<uint32_t>(scopes_.size()));
    at = child->second;
    if (fresh) scopes_.emplace_back().name = parts[i];
  }
  scopes_[at].variables.emplace(parts.back());
  variables_.Intern(name);
  like_variables_.set(LengthAndEnd(name));
}

bool NameFolder::IsVariable(std::string_view name) const {
  return like_variables_[LengthAndEnd(name)] && variables_.Find(name);
}

// The whole model is no layer: the one scope that all variables are in, or that all of their scopes are in.
void NameFolder::FindWrapper(const std::vector<Parts>& all) {
  const Scope& root = scopes_[0];
  if (root.scopes.size() == 1 && root.variables.empty() &&
      !scopes_[root.scopes.begin()->second].scopes.empty()) {
    wrapper_ = root.scopes.begin()->first;
    wrapper_has_variables_ = true;
    return;
  }
  std::set<std::string_view> found;
  std::string_view first, second;  // of the one before: those that follow one another mostly begin alike
  for (const Parts parts : all) {
    if (parts.size() < 2 || (parts[0] == first && parts[1] == second)) continue;
    first = parts[0], second = parts[1];
    if (Find(root, first) != kNone) continue;
    if (root.scopes.contains(parts[1]) || root.scopes.contains(WithoutNumber(parts[1])))
      found.insert(WithoutNumber(parts[0]));
  }
  if (found.size() == 1) wrapper_ = *found.begin();
}

// Scopes of nodes all have numbers where the names of the layers themselves are not among them. Level by
// level: below a scope is found by what its own scopes are called.
void NameFolder::FindNumbered(const std::vector<Parts>& all) {
  struct Walk {
    Parts rest;
    uint32_t at;
  };
  std::vector<Walk> walks;
  for (const Parts parts : all)
    walks.push_back({parts.subspan(!wrapper_has_variables_ && IsModel(parts[0]) ? 1 : 0), 0});
  std::vector<uint32_t> touched;
  for (size_t level = 0; level < kMaxLevels && !walks.empty(); ++level) {
    std::erase_if(walks,
                  [&](const Walk& walk) { return walk.rest.empty() || scopes_[walk.at].scopes.empty(); });
    // Scopes that follow one another mostly begin alike: those are looked up once.
    struct Alike {
      uint32_t at;
      std::string_view part;
      size_t walks;
    };
    std::vector<Alike> steps;
    for (const Walk& walk : walks) {
      const std::string_view part = walk.rest[0];
      if (steps.empty() || steps.back().at != walk.at || steps.back().part != part)
        steps.push_back({walk.at, part, 0});
      ++steps.back().walks;
    }
    touched.clear();
    for (const Alike& step : steps) {
      if (scopes_[step.at].seen.empty()) touched.push_back(step.at);
      scopes_[step.at].seen.insert(step.part);
    }
    NumberScopes(touched);
    auto walk = walks.begin();
    for (const Alike& step : steps) {
      const uint32_t at = Find(scopes_[step.at], step.part);
      for (const auto end = walk + static_cast<ptrdiff_t>(step.walks); walk != end; ++walk)
        *walk = {walk->rest.subspan(1), at};
    }
    std::erase_if(walks, [](const Walk& w) { return w.at == kNone; });
  }
}

void NameFolder::NumberScopes(const std::vector<uint32_t>& scopes) {
  for (const uint32_t s : scopes) {
    Scope& scope = scopes_[s];
    for (const std::string_view seen : scope.seen) {
      const std::string_view bare = WithoutNumber(seen);
      scope.numbered |= bare != seen && scope.scopes.contains(bare) && !scope.seen.contains(bare);
    }
  }
}

bool NameFolder::IsModel(std::string_view part) const {
  return !wrapper_.empty() && (part == wrapper_ || WithoutNumber(part) == wrapper_);
}

uint32_t NameFolder::Find(const Scope& scope, std::string_view part) const {
  if (scope.scopes.empty()) return kNone;
  const std::string_view bare = WithoutNumber(part);
  for (const std::string_view name : {scope.numbered ? bare : part, scope.numbered ? part : bare}) {
    if (const auto found = scope.scopes.find(name); found != scope.scopes.end()) return found->second;
  }
  return kNone;
}

// Ops that nobody named have their type's name.
bool NameFolder::IsOp(Parts parts, size_t at, bool in_model) const {
  const bool of_type =
      at > 0 && !in_model && !parts[at].empty() && parts[at][0] >= 'A' && parts[at][0] <= 'Z';
  return of_type || nodes_.Find(Joined(parts, at));
}

// Where the name itself begins, behind what the machinery put in front and the model's own scope.
void NameFolder::Begin(Parts parts, size_t machinery, Place* place) const {
  size_t begin = machinery;
  // The body of a loop has the whole name once more, behind that of the loop.
  for (size_t i = parts.size(); i-- > begin + 1;) {
    if (parts[i] != parts[begin] || !IsModel(parts[i])) continue;
    for (size_t k = begin; k < i; ++k) {
      const Rule* rule = RuleOf(parts[k]);
      place->backward |=
          (rule && rule->meaning == Meaning::kGradient) || parts[k].find("_grad") != parts[k].npos;
    }
    begin = i;
    break;
  }
  place->in_model = begin < parts.size() && IsModel(parts[begin]);
  place->begin = static_cast<uint32_t>(place->in_model ? begin + 1 : begin);
}

void NameFolder::TakeApart(Parts parts, Place* out) {
  Place& place = *out;
  std::string layer;
  const size_t begin = place.begin;
  if (place.in_model && wrapper_has_variables_) place.scope = scopes_[0].scopes.begin()->second;
  size_t i = begin;
  for (; i < parts.size(); ++i) {
    const Scope& scope = scopes_[place.scope];
    const uint32_t child = Find(scope, parts[i]);
    if (child != kNone) {
      Append(scopes_[child].name, &layer);
      place.scope = child;
      continue;
    }
    if (const Rule* rule = RuleOf(parts[i]); rule && rule->meaning == Meaning::kLoop && i > begin) {
      place.backward |= rule->part == "while_grad";
      continue;
    }
    if (scope.variables.contains(parts[i])) break;
    // A layer without variables, or an optimizer; further in it may as well be a part of a layer.
    if (i == begin && !IsOp(parts, i, place.in_model)) {
      const bool number = place.in_model ? scope.numbered
                                         : !state_scopes_.contains(parts[i]) &&
                                               state_scopes_.contains(WithoutNumber(parts[i]));
      Append(number ? WithoutNumber(parts[i]) : parts[i], &layer);
      ++i;
    }
    place.scope = 0;
    break;
  }
  if (!layer.empty()) place.layer = layers_.InternCopy(layer);
  with_gradient_.resize(layers_.size());
  if (place.backward && place.layer) with_gradient_[place.layer.value] = true;
  if (i < parts.size()) {
    const std::string_view whole = Joined(parts, parts.size() - 1);
    place.rest = whole.substr(static_cast<size_t>(parts[i].data() - whole.data()));
    place.has_rest = true;
  }
}

void NameFolder::Prepare(uint32_t index) {
  const Place& place = places_[index];
  const auto& variables = scopes_[place.scope].variables;
  before_.place = index;
  before_.leaf_tells = place.scope != 0 && !place.has_rest;
  before_.variable =
      place.scope != 0 && place.has_rest && variables.contains(place.rest.substr(0, place.rest.find('/')));
  const bool with_gradient = place.layer && with_gradient_[place.layer.value];
  for (const bool variable : {false, true}) {
    std::string& out = variable ? before_.of_variable : before_.of_other;
    out = place.layer ? layers_[place.layer] : std::string_view();
    // Beside layers all that is in none is one row.
    if (out.empty() && place.begin > 0 && !variable && scopes_.size() > 1) out = kNoLayer;
    if (place.backward) {
      Append("(backward)", &out);
    } else if (with_gradient && !variable) {
      Append("(forward)", &out);
    }
    if (place.has_rest) Append(place.rest, &out);
  }
}

void NameFolder::Fold(size_t n, std::string* out) {
  const std::string_view name = names_[n];
  const uint32_t place = place_of_[n];
  if (place == kAsItIs || place == kVariable) {
    // Variables have the names of their layers to the letter.
    const bool wrapped = place == kVariable && wrapper_has_variables_;
    *out = wrapped ? name.substr(name.find('/') + 1) : name;
    return;
  }
  if (before_.place != place) Prepare(place);
  const std::string_view leaf = name.substr(name.rfind('/') + 1);
  const bool variable =
      before_.leaf_tells ? scopes_[places_[place].scope].variables.contains(leaf) : before_.variable;
  *out = variable ? before_.of_variable : before_.of_other;
  Append(leaf, out);
}

std::vector<std::string_view> FoldedNames(const Profile& profile, std::deque<std::string>* texts) {
  if (!AnyIsCalled(profile)) return {};
  std::vector<std::string_view> names, variables, state;
  names.reserve(profile.size());
  for (size_t n = 0; n < profile.size(); ++n) {
    const NodeId node(n);
    names.push_back(profile.Name(node));
    if (!IsVariableOp(profile.Op(node))) continue;
    const VariableRole role = RecordedRole(AttrString(profile, node, kRoleAttr).value_or(""));
    (role == VariableRole::kOptimizer || role == VariableRole::kOther ? state : variables)
        .push_back(names.back());
  }
  NameFolder folder(variables, state, names);
  StringPool taken;
  taken.Reserve(names.size());
  std::vector<uint32_t> number;  // of those taken: the last one put behind it
  number.reserve(names.size());
  std::string folded;
  for (size_t n = 0; n < names.size(); ++n) {
    if (n + kAhead < names.size()) Ask(names[n + kAhead]);
    folder.Fold(n, &folded);
    names[n] = folded == names[n] ? names[n] : Kept(folded, texts);
    const StringId known = taken.Intern(names[n]);
    if (known.value < number.size()) {
      // Numbers go up, so that many nodes of one name take no longer each.
      std::string other;
      do {
        other = folded + "_" + std::to_string(++number[known.value]);
      } while (taken.Find(other));
      names[n] = Kept(other, texts);
      taken.Intern(names[n]);
    }
    number.push_back(0);
  }
  return names;
}

}  // namespace tfprof
