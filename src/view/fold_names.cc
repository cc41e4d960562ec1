#include "view/fold_names.h"

#include <algorithm>
#include <optional>

#include "base/common_prefix.h"
#include "base/variable_roles.h"

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

// A large graph has each name in another place: they are asked for so many ahead.
constexpr size_t kAhead = 16;
[[gnu::always_inline]] inline void Ask(std::string_view name) {
  __builtin_prefetch(name.data());
  __builtin_prefetch(name.data() + name.size());
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

size_t LengthAndEnd(std::string_view name) {
  return (name.size() & 0xFF) << 8 | (name.empty() ? 0 : static_cast<unsigned char>(name.back()));
}

}  // namespace

// Whether the machinery put something in front of it.
bool NameFolder::Folds(std::string_view name) {
  const size_t slash = name.find('/');
  const Rule* rule = slash == std::string_view::npos ? nullptr : RuleOf(name.substr(0, slash));
  return rule && rule->meaning != Meaning::kLoop;
}

NameFolder::NameFolder(std::span<const std::string_view> variables, std::span<const std::string_view> state,
                       size_t nodes, Names names)
    : names_(std::move(names)), place_of_(nodes, kAsItIs) {
  for (const std::string_view name : state) state_scopes_.insert(name.substr(0, name.find('/')));
  for (const std::string_view name : variables) AddVariable(name);

  StringPool scopes;  // of nodes: a place each
  std::string_view last;
  StringId place;
  for (size_t n = 0; n < nodes; ++n) {
    if (n + kAhead < nodes) Ask(names_(n + kAhead));
    const std::string_view name = names_(n);
    const size_t slash = name.rfind('/');
    if (slash == std::string_view::npos) continue;
    if (IsVariable(name)) {
      place_of_[n] = kVariable;
      continue;
    }
    const std::string_view scope = name.substr(0, slash);
    if (scope != last || !place) {
      last = scope;
      place = scopes.Intern(scope);
    }
    place_of_[n] = place.value;
  }

  places_.resize(scopes.size());
  const auto each = [&](auto&& visit) {
    for (size_t i = 0; i < places_.size(); ++i) visit(Apart(scopes[StringId(i)]), &places_[i]);
  };
  each([](Parts parts, Place* p) { p->begin = static_cast<uint32_t>(Machinery(parts, &p->backward)); });
  FindWrapper(scopes);
  FindNumbered(scopes);
  // Of nodes only those matter that have the name of a scope's first part.
  size_t longest = 0;
  each([&](Parts parts, Place* p) {
    Begin(parts, p->begin, p);
    if (p->begin < parts.size()) longest = std::max(longest, Joined(parts, p->begin).size());
  });
  for (size_t n = 0; n < nodes; ++n) {
    if (const std::string_view name = names_(n); name.size() <= longest) nodes_.Intern(name);
  }
  each([&](Parts parts, Place* p) { TakeApart(parts, p); });
}

NameFolder::Parts NameFolder::Apart(std::string_view path) {
  // Paths that follow one another mostly begin alike: those parts are where they were in the one before.
  const size_t common = CommonPrefix(path, apart_);
  size_t kept = 0, next = 0;
  for (; kept < parts_.size(); ++kept) {
    const size_t size = parts_[kept].size();
    if (next + size >= common) break;
    parts_[kept] = path.substr(next, size);
    next += size + 1;
  }
  parts_.resize(kept);
  while (next <= path.size()) {
    const size_t end = std::min(path.find('/', next), path.size());
    parts_.push_back(path.substr(next, end - next));
    next = end + 1;
  }
  apart_ = path;
  return parts_;
}

void NameFolder::AddVariable(std::string_view name) {
  const Parts parts = Apart(name);
  uint32_t at = 0;
  for (size_t i = 0; i + 1 < parts.size() && i < kMaxLevels; ++i) {
    const auto [child, fresh] =
        scopes_[at].scopes.try_emplace(parts[i], static_cast<uint32_t>(scopes_.size()));
    at = child->second;
    if (fresh) scopes_.emplace_back(parts[i], &memory_);
  }
  scopes_[at].variables.emplace(parts.back());
  variables_.Intern(name);
  like_variables_.set(LengthAndEnd(name));
}

bool NameFolder::IsVariable(std::string_view name) const {
  return like_variables_[LengthAndEnd(name)] && variables_.Find(name);
}

// The whole model is no layer: the one scope that all variables are in, or that all of their scopes are in.
void NameFolder::FindWrapper(const StringPool& scopes) {
  const VariableScope& root = scopes_[0];
  if (root.scopes.size() == 1 && root.variables.empty() &&
      !scopes_[root.scopes.begin()->second].scopes.empty()) {
    wrapper_ = root.scopes.begin()->first;
    wrapper_has_variables_ = true;
    return;
  }
  std::set<std::string_view> found;
  std::string_view first, second;  // of the one before: those that follow one another mostly begin alike
  for (size_t i = 0; i < places_.size(); ++i) {
    const Parts parts = Apart(scopes[StringId(i)]).subspan(places_[i].begin);
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
void NameFolder::FindNumbered(const StringPool& scopes) {
  if (scopes_[0].scopes.empty()) return;
  struct Walk {
    std::string_view rest;
    uint32_t at, part_size;

    Walk(std::string_view path, uint32_t scope)
        : rest(path), at(scope), part_size(static_cast<uint32_t>(std::min(path.find('/'), path.size()))) {}
    std::string_view part() const { return rest.substr(0, part_size); }
    bool ends() const { return part_size == rest.size(); }
  };
  BigVector<Walk> walks;
  for (size_t i = 0; i < places_.size(); ++i) {
    const std::string_view path = scopes[StringId(i)];
    const Parts parts = Apart(path).subspan(places_[i].begin);
    const size_t first = !parts.empty() && !wrapper_has_variables_ && IsModel(parts[0]) ? 1 : 0;
    if (first < parts.size())
      walks.emplace_back(path.substr(static_cast<size_t>(parts[first].data() - path.data())), 0);
  }
  std::vector<uint32_t> touched;
  for (size_t level = 0; level < kMaxLevels && !walks.empty(); ++level) {
    // Scopes that follow one another mostly begin alike: those are looked up once.
    std::optional<Walk> last;
    const auto is_new = [&](const Walk& walk) {
      const bool out = !last || last->at != walk.at || last->part() != walk.part();
      last = walk;
      return out;
    };
    touched.clear();
    for (const Walk& walk : walks) {
      if (!is_new(walk)) continue;
      if (scopes_[walk.at].seen.empty()) touched.push_back(walk.at);
      scopes_[walk.at].seen.insert(walk.part());
    }
    NumberScopes(touched);
    last.reset();
    uint32_t child = kNone;
    size_t stay = 0;
    for (const Walk walk : walks) {
      if (is_new(walk)) child = Find(scopes_[walk.at], walk.part());
      if (child == kNone || walk.ends() || scopes_[child].scopes.empty()) continue;
      walks[stay++] = Walk(walk.rest.substr(walk.part_size + 1), child);
    }
    walks.erase(walks.begin() + static_cast<ptrdiff_t>(stay), walks.end());
  }
}

void NameFolder::NumberScopes(const std::vector<uint32_t>& scopes) {
  for (const uint32_t s : scopes) {
    VariableScope& scope = scopes_[s];
    for (const std::string_view seen : scope.seen) {
      const std::string_view bare = WithoutNumber(seen);
      scope.numbered |= bare != seen && scope.scopes.contains(bare) && !scope.seen.contains(bare);
    }
  }
}

bool NameFolder::IsModel(std::string_view part) const {
  return !wrapper_.empty() && (part == wrapper_ || WithoutNumber(part) == wrapper_);
}

uint32_t NameFolder::Find(const VariableScope& scope, std::string_view part) const {
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
    const VariableScope& scope = scopes_[place.scope];
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

NameFolder::Folded NameFolder::operator[](size_t n) {
  if (n + kAhead < place_of_.size()) Ask(names_(n + kAhead));
  const std::string_view name = names_(n);
  const uint32_t index = place_of_[n];
  if (index == kAsItIs || index == kVariable) {
    // Variables have the names of their layers to the letter.
    const bool wrapped = index == kVariable && wrapper_has_variables_;
    return {kWhole, wrapped ? name.substr(name.find('/') + 1) : name};
  }
  const Place& place = places_[index];
  const auto& variables = scopes_[place.scope].variables;
  if (asked_ != index) {
    asked_ = index;
    leaf_tells_ = place.scope != 0 && !place.has_rest;
    variable_ =
        place.scope != 0 && place.has_rest && variables.contains(place.rest.substr(0, place.rest.find('/')));
  }
  const std::string_view leaf = name.substr(name.rfind('/') + 1);
  return {2 * index + (leaf_tells_ ? variables.contains(leaf) : variable_), leaf};
}

std::string NameFolder::Scope(uint32_t scope) const {
  const Place& place = places_[scope / 2];
  const bool variable = scope % 2 == 1;
  std::string out(place.layer ? layers_[place.layer] : std::string_view());
  // Beside layers all that is in none is one row.
  if (out.empty() && place.begin > 0 && !variable && scopes_.size() > 1) out = kNoLayer;
  if (place.backward) {
    Append("(backward)", &out);
  } else if (!variable && place.layer && with_gradient_[place.layer.value]) {
    Append("(forward)", &out);
  }
  if (place.has_rest) Append(place.rest, &out);
  return out;
}

}  // namespace tfprof
