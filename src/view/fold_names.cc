#include "view/fold_names.h"

#include <algorithm>
#include <set>

#include "base/common_prefix.h"
#include "base/variable_roles.h"

namespace tfprof {
namespace {

constexpr std::string_view kNoLayer = "(no layer)";
constexpr uint32_t kNone = PartTable::kNone;
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

// The path from a part on.
std::string_view Behind(Parts parts, size_t first) {
  const char* const begin = parts[first].data();
  return {begin, static_cast<size_t>(parts.back().data() + parts.back().size() - begin)};
}

void Append(std::string_view part, std::string* path) {
  if (!path->empty()) *path += '/';
  *path += part;
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
  const StringPool scopes = FindPlaces(nodes);
  BeginAll(scopes);
  FindHeads(scopes);
  for (size_t i = 0; i < places_.size(); ++i) {
    if (i + kAhead < places_.size()) Ask(scopes[StringId(i + kAhead)]);
    TakeApart(Apart(scopes[StringId(i)]), &places_[i]);
  }
}

// Finds the heads that are nodes. Such a node is in the place of all but the head's last part.
void NameFolder::FindHeads(const StringPool& scopes) {
  std::vector<bool> above(places_.size());
  for (size_t h = 0; h < heads_.size(); ++h) {
    const std::string_view head = heads_[StringId(h)];
    const size_t slash = head.rfind('/');
    if (slash == std::string_view::npos) continue;
    if (const StringId place = scopes.Find(head.substr(0, slash))) above[place.value] = true;
  }
  head_is_node_.resize(heads_.size());
  for (size_t n = 0; n < place_of_.size(); ++n) {
    if (place_of_[n] < above.size() && !above[place_of_[n]]) continue;
    if (const StringId head = heads_.Find(names_(n))) head_is_node_[head.value] = true;
  }
}

// The scopes of nodes: a place each.
StringPool NameFolder::FindPlaces(size_t nodes) {
  StringPool scopes;
  std::string_view last;
  StringId place;
  for (size_t n = 0; n < nodes; ++n) {
    if (n + kAhead < nodes) Ask(names_(n + kAhead));
    const std::string_view name = names_(n);
    const size_t slash = name.rfind('/');
    if (slash == std::string_view::npos) continue;
    if (like_variables_.MayHave(name) && variables_.Find(name)) {
      place_of_[n] = kOfVariable;
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
  return scopes;
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
  kept_ = kept;
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
  uint32_t at = PartTable::kRoot;
  for (size_t i = 0; i + 1 < parts.size() && i < kMaxLevels; ++i) {
    const uint32_t child = table_.Insert(at, parts[i]);
    if (at == PartTable::kRoot && !table_.Is(child, kScope)) {
      ++outermost_;
      outermost_scope_ = child;
    }
    table_[at].kinds |= kHasScopes;
    table_[child].kinds |= kScope;
    at = child;
  }
  table_[at].kinds |= kHasVariables;
  const uint32_t variable = table_.Insert(at, parts.back());
  table_[variable].kinds |= kVariable;
  variables_.Intern(name);
  like_variables_.Add(name);
  like_leaves_.Add(parts.back());
}

// Finds the scope of the whole model, and where the names themselves begin behind it.
void NameFolder::BeginAll(const StringPool& scopes) {
  const auto each = [&](auto&& visit) {
    for (size_t i = 0; i < places_.size(); ++i) {
      if (i + kAhead < places_.size()) Ask(scopes[StringId(i + kAhead)]);
      visit(Apart(scopes[StringId(i)]), &places_[i]);
    }
  };
  // The whole model is no layer: the one scope that all variables are in, or that all of their scopes are in.
  wrapper_has_variables_ = outermost_ == 1 && !table_.Is(PartTable::kRoot, kHasVariables) &&
                           table_.Is(outermost_scope_, kHasScopes);
  std::set<std::string_view> wrappers;
  std::string_view first, second;  // of the one before: those that follow one another mostly begin alike
  each([&](Parts parts, Place* place) {
    place->begin = static_cast<uint32_t>(Machinery(parts, &place->backward));
    if (wrapper_has_variables_ || parts.size() < place->begin + size_t{2}) return;
    parts = parts.subspan(place->begin);
    if (parts[0] == first && parts[1] == second) return;
    first = parts[0], second = parts[1];
    if (Find(PartTable::kRoot, first) != kNone) return;
    if (Find(PartTable::kRoot, second) != kNone) wrappers.insert(WithoutNumber(first));
  });
  if (wrapper_has_variables_) {
    wrapper_ = table_[outermost_scope_].text;
  } else if (wrappers.size() == 1) {
    wrapper_ = *wrappers.begin();
  }

  BigVector<Walk> walks;
  StringId head;
  each([&](Parts parts, Place* place) {
    const size_t own = place->begin < parts.size() && !wrapper_has_variables_ && IsModel(parts[place->begin])
                           ? place->begin + 1
                           : place->begin;
    if (own < parts.size()) walks.push_back({Behind(parts, own), PartTable::kRoot, kNone});
    Begin(parts, place);
    if (place->begin >= parts.size()) return;
    const std::string_view path = Joined(parts, place->begin);
    if (!head || heads_[head] != path) head = heads_.Intern(path);
  });
  if (table_.Is(PartTable::kRoot, kHasScopes)) FindNumbered(std::move(walks));
}

// Scopes of nodes all have numbers where the names of the layers themselves are not among them. Level by
// level: below a scope is found by what its own scopes are called.
void NameFolder::FindNumbered(BigVector<Walk> walks) {
  std::vector<uint32_t> seen;
  for (size_t level = 0; level < kMaxLevels && !walks.empty(); ++level) {
    seen.clear();
    uint32_t last = kNone;
    for (size_t w = 0; w < walks.size(); ++w) {
      if (w + kAhead < walks.size()) __builtin_prefetch(walks[w + kAhead].rest.data());
      Walk& walk = walks[w];
      const size_t slash = walk.rest.find('/');
      const std::string_view part = walk.rest.substr(0, slash);
      // Scopes that follow one another mostly begin alike: those are looked up once.
      if (last == kNone || table_[last].scope != walk.scope || table_[last].text != part) {
        last = table_.Insert(walk.scope, part);
        if (!table_.Is(last, kSeen)) seen.push_back(last);
        table_[last].kinds |= kSeen;
      }
      walk.part = last;
      walk.rest = slash == std::string_view::npos ? std::string_view() : walk.rest.substr(slash + 1);
    }
    for (const uint32_t part : seen) {
      const auto [text, scope, kinds] = table_[part];
      const std::string_view bare = WithoutNumber(text);
      if (bare == text) continue;
      const uint32_t layer = FindScope(scope, bare);
      if (layer != kNone && !table_.Is(layer, kSeen)) table_[scope].kinds |= kNumbered;
    }
    last = kNone;
    uint32_t child = kNone;
    size_t stay = 0;
    for (const Walk walk : walks) {
      if (walk.part != last) child = Find(walk.scope, table_[walk.part].text);
      last = walk.part;
      if (child == kNone || !walk.rest.data() || !table_.Is(child, kHasScopes)) continue;
      walks[stay++] = {walk.rest, child, kNone};
    }
    walks.erase(walks.begin() + static_cast<ptrdiff_t>(stay), walks.end());
  }
}

bool NameFolder::IsModel(std::string_view part) const {
  return !wrapper_.empty() && (part == wrapper_ || WithoutNumber(part) == wrapper_);
}

uint32_t NameFolder::FindScope(uint32_t scope, std::string_view name) const {
  const uint32_t part = table_.Find(scope, name);
  return table_.Is(part, kScope) ? part : kNone;
}

bool NameFolder::IsVariable(uint32_t scope, std::string_view name) const {
  return like_leaves_.MayHave(name) && table_.Is(table_.Find(scope, name), kVariable);
}

// The scope of variables that a scope of nodes is called after, with a number or without.
uint32_t NameFolder::Find(uint32_t scope, std::string_view part) const {
  if (!table_.Is(scope, kHasScopes)) return kNone;
  const std::string_view bare = WithoutNumber(part);
  const bool numbered = table_.Is(scope, kNumbered);
  const uint32_t found = FindScope(scope, numbered ? bare : part);
  return found != kNone || bare == part ? found : FindScope(scope, numbered ? part : bare);
}

// Ops that nobody named have their type's name.
bool NameFolder::IsOp(Parts parts, size_t at, bool in_model) const {
  const bool of_type =
      at > 0 && !in_model && !parts[at].empty() && parts[at][0] >= 'A' && parts[at][0] <= 'Z';
  return of_type || head_is_node_[heads_.Find(Joined(parts, at)).value];
}

// Where the name itself begins, behind what the machinery put in front and the model's own scope.
void NameFolder::Begin(Parts parts, Place* place) const {
  size_t begin = place->begin;  // behind the machinery
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
  const size_t begin = place.begin;
  // What the place before began with alike is known.
  const bool alike = begin == in_layer_begin_ && place.in_model == in_layer_in_model_ && kept_ > begin;
  in_layer_.resize(alike ? std::min(in_layer_.size(), kept_ - begin) : 0);
  in_layer_begin_ = place.begin;
  in_layer_in_model_ = place.in_model;
  InLayer in;
  if (!in_layer_.empty()) {
    in = in_layer_.back();
  } else if (place.in_model && wrapper_has_variables_) {
    in.scope = outermost_scope_;
  }
  layer_.resize(in.layer_size);
  size_t i = begin + in_layer_.size();
  for (; i < parts.size(); ++i) {
    const uint32_t child = Find(in.scope, parts[i]);
    const Rule* rule = child == kNone && i > begin ? RuleOf(parts[i]) : nullptr;
    if (child != kNone) {
      Append(table_[child].text, &layer_);
      in.scope = child;
      in.layer_size = static_cast<uint32_t>(layer_.size());
    } else if (rule && rule->meaning == Meaning::kLoop) {
      in.backward |= rule->part == "while_grad";
    } else {
      break;
    }
    in_layer_.push_back(in);
  }
  place.scope = in.scope;
  place.backward |= in.backward;
  if (i < parts.size() && !IsVariable(in.scope, parts[i])) {
    // A layer without variables, or an optimizer; further in it may as well be a part of a layer.
    if (i == begin && !IsOp(parts, i, place.in_model)) {
      const bool number = place.in_model ? table_.Is(in.scope, kNumbered)
                                         : !state_scopes_.contains(parts[i]) &&
                                               state_scopes_.contains(WithoutNumber(parts[i]));
      Append(number ? WithoutNumber(parts[i]) : parts[i], &layer_);
      ++i;
    }
    place.scope = 0;
  }
  if (layer_.empty()) {
    layer_id_ = StringId();
  } else if (!layer_id_ || layers_[layer_id_] != layer_) {
    layer_id_ = layers_.InternCopy(layer_);
  }
  place.layer = layer_id_;
  with_gradient_.resize(layers_.size());
  if (place.backward && place.layer) with_gradient_[place.layer.value] = true;
  if (i < parts.size()) {
    place.rest = Behind(parts, i);
    place.has_rest = true;
  }
}

NameFolder::Folded NameFolder::operator[](size_t n) {
  if (n + kAhead < place_of_.size()) Ask(names_(n + kAhead));
  const std::string_view name = names_(n);
  const uint32_t index = place_of_[n];
  if (index == kAsItIs || index == kOfVariable) {
    // Variables have the names of their layers to the letter.
    const bool wrapped = index == kOfVariable && wrapper_has_variables_;
    return {kWhole, wrapped ? name.substr(name.find('/') + 1) : name};
  }
  const Place& place = places_[index];
  if (asked_ != index) {
    asked_ = index;
    leaf_tells_ = place.scope != 0 && !place.has_rest;
    variable_ = place.scope != 0 && place.has_rest &&
                IsVariable(place.scope, place.rest.substr(0, place.rest.find('/')));
  }
  const std::string_view leaf = name.substr(name.rfind('/') + 1);
  return {2 * index + (leaf_tells_ ? IsVariable(place.scope, leaf) : variable_), leaf};
}

std::string NameFolder::Scope(uint32_t scope) const {
  const Place& place = places_[scope / 2];
  const bool variable = scope % 2 == 1;
  std::string out(place.layer ? layers_[place.layer] : std::string_view());
  // Beside layers all that is in none is one row.
  if (out.empty() && place.begin > 0 && !variable && outermost_ > 0) out = kNoLayer;
  if (place.backward) {
    Append("(backward)", &out);
  } else if (!variable && place.layer && with_gradient_[place.layer.value]) {
    Append("(forward)", &out);
  }
  if (place.has_rest) Append(place.rest, &out);
  return out;
}

}  // namespace tfprof
