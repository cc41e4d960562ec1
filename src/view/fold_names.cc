#include "view/fold_names.h"

#include <algorithm>
#include <array>
#include <set>

#include "base/variable_roles.h"

namespace tfprof {
namespace {

constexpr std::string_view kNoLayer = "(no layer)";
constexpr uint32_t kNone = PartTable::kNone, kRoot = PartTable::kRoot;
constexpr size_t kMaxLevels = 16;  // scopes of variables that are looked at, one within another

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
constexpr size_t kNamesAhead = 16;
[[gnu::always_inline]] inline void AskFor(std::string_view name) {
  __builtin_prefetch(name.data());
  __builtin_prefetch(name.data() + name.size());
}

}  // namespace

// Whether the machinery put something in front of it.
bool NameFolder::Folds(std::string_view name) {
  const size_t slash = name.find('/');
  const Rule* rule = slash == std::string_view::npos ? nullptr : RuleOf(name.substr(0, slash));
  return rule && rule->meaning != Meaning::kLoop;
}

NameFolder::NameFolder(std::span<const std::string_view> variables, std::span<const std::string_view> state,
                       const StringPool& pool, std::span<const StringId> nodes)
    : pool_(pool), nodes_(nodes), where_(nodes.size(), kAsItIs) {
  for (const std::string_view name : state) state_scopes_.insert(name.substr(0, name.find('/')));
  AddVariables(variables);
  FindPlaces();
  FindMachinery();
  FindModel();
  FindHeads();
  FindLayers(FindNumbered());
}

void NameFolder::AddVariables(std::span<const std::string_view> names) {
  PathInserter scopes(&table_);
  const auto add_scope = [&](uint32_t above, uint32_t scope) {
    if (above == kRoot && !table_.Is(scope, kScope)) {
      ++outermost_;
      outermost_scope_ = scope;
    }
    table_[above].kinds |= kHasScopes;
    table_[scope].kinds |= kScope;
  };
  for (size_t i = 0; i < names.size(); ++i) {
    if (i + kNamesAhead < names.size()) AskFor(names[i + kNamesAhead]);
    const std::string_view name = names[i];
    size_t end = name.npos;  // of the scope, as deep as it is looked at
    for (size_t level = 0; level < kMaxLevels; ++level) {
      const size_t slash = name.find('/', end + 1);  // at first from the beginning on
      if (slash == name.npos) break;
      end = slash;
    }
    uint32_t scope = kRoot;
    if (end != name.npos) {
      scopes.Expect(name.substr(0, end));
      scopes.Insert(add_scope, [&](uint32_t part) { scope = part; });
    }
    const std::string_view leaf = name.substr(name.rfind('/') + 1);
    table_[scope].kinds |= kHasVariables;
    table_[table_.Insert(scope, leaf)].kinds |= kVariable;
    variables_.Intern(name);
    like_variables_.Add(name);
    like_leaves_.Add(leaf);
  }
}

// The scopes that nodes are in, and those above them.
void NameFolder::FindPlaces() {
  constexpr size_t kTogether = 32;  // places are waited for
  places_.Reserve(where_.size() / 2);
  PathInserter scopes(&places_);
  std::array<size_t, kTogether> found;  // names that have a place
  for (size_t n = 0; n < where_.size();) {
    size_t count = 0;
    for (const size_t end = std::min(n + kTogether, where_.size()); n < end; ++n) {
      if (n + kNamesAhead < where_.size()) Ask(n + kNamesAhead);
      const std::string_view name = Name(n);
      const size_t slash = name.rfind('/');
      if (slash == std::string_view::npos) continue;
      if (like_variables_.MayHave(name) && variables_.Find(name)) {
        where_[n] = kOfVariable;
        continue;
      }
      scopes.Expect(name.substr(0, slash));
      where_[n] = like_leaves_.MayHave(name.substr(slash + 1)) ? kMayBeVariable : 0;
      found[count++] = n;
    }
    const size_t* next = found.data();
    scopes.Insert([](uint32_t, uint32_t) {},
                  [&](uint32_t place) {
                    places_[place].kinds |= kHasNodes;
                    where_[*next++] |= place;
                  });
  }
  states_.resize(places_.size());
}

// The part behind the machinery.
bool NameFolder::IsFirst(uint32_t place) const {
  return !places_.Is(place, kMachinery) && places_.Is(Above(place), kMachinery);
}

// What the machinery put in front, and the scope of the whole model behind it, which is no layer: the one
// scope that all variables are in, or that all of their scopes are in.
void NameFolder::FindMachinery() {
  wrapper_has_variables_ =
      outermost_ == 1 && !table_.Is(kRoot, kHasVariables) && table_.Is(outermost_scope_, kHasScopes);
  std::set<std::string_view> wrappers;
  places_[kRoot].kinds |= kMachinery | kNotBegun;
  for (uint32_t place = 1; place < places_.size(); ++place) {
    auto& [part, above, facts] = places_[place];
    const uint32_t facts_above = places_[above].kinds;
    facts |= facts_above & kBackward;
    if (facts_above & kMachinery) {
      const Rule* rule = RuleOf(part);
      if (!rule || rule->meaning == Meaning::kLoop) continue;
      facts |= kMachinery | kNotBegun | kBehind;
      if (rule->meaning == Meaning::kGradient) facts |= kBackward;
    } else if (!wrapper_has_variables_ && IsFirst(above)) {
      const std::string_view first = places_[above].text;
      if (Find(kRoot, part) != kNone && Find(kRoot, first) == kNone) wrappers.insert(WithoutNumber(first));
    }
  }
  if (wrapper_has_variables_) {
    wrapper_ = table_[outermost_scope_].text;
  } else if (wrappers.size() == 1) {
    wrapper_ = *wrappers.begin();
  }
}

// Where the names themselves begin: behind the machinery and the model's own scope.
void NameFolder::FindModel() {
  constexpr uint32_t kInherited = kInModel | kRepeats | kTellsGradient | kBehind | kBackward;
  const auto tells_gradient = [](std::string_view part) -> uint32_t {
    const Rule* rule = RuleOf(part);
    const bool tells = (rule && rule->meaning == Meaning::kGradient) || part.find("_grad") != part.npos;
    return tells ? uint32_t{kTellsGradient} : 0;
  };
  BigVector<uint32_t> firsts(places_.size());  // where each has its first part behind the machinery
  for (uint32_t place = 1; place < places_.size(); ++place) {
    auto& [part, above, facts] = places_[place];
    firsts[place] = IsFirst(place) ? place : firsts[above];
    if (facts & kMachinery) continue;
    const uint32_t facts_above = places_[above].kinds;
    if (facts_above & kMachinery) {
      const bool model = IsModel(part);
      if (model || above != kRoot) facts |= kBehind;
      if (model) facts |= kInModel | kNotBegun | kRepeats | tells_gradient(part);
      continue;
    }
    facts |= facts_above & kInherited;
    if (!(facts & kRepeats)) continue;
    // The body of a loop has the whole name once more, behind that of the loop.
    if (IsModel(part) && part == places_[firsts[place]].text) {
      facts |= kNotBegun;
      if (facts_above & kTellsGradient) facts |= kBackward;
    }
    facts |= tells_gradient(part);
  }
}

// Scopes of nodes all have numbers where the names of the layers themselves are not among them. Level by
// level: below a scope is found by what its own scopes are called.
BigVector<NameFolder::Walk> NameFolder::FindNumbered() {
  constexpr uint8_t kNoLevel = 0xFF;
  BigVector<Walk> walks(places_.size());
  if (!table_.Is(kRoot, kHasScopes)) return walks;
  BigVector<uint8_t> level_of(places_.size(), kNoLevel);
  const auto skips_model = [&](uint32_t place) {
    return !wrapper_has_variables_ && IsFirst(place) && IsModel(places_[place].text);
  };
  // The scope of variables that a place is looked up in on a level; kNowhere: it is not.
  const auto scope_on = [&](uint8_t level, uint32_t place) -> uint32_t {
    const uint32_t above = Above(place);
    if (level == 0) return (IsFirst(place) ? !skips_model(place) : skips_model(above)) ? kRoot : kNowhere;
    const bool goes_on = level_of[above] == level - 1 && table_.Is(walks[above].child, kScope | kHasScopes);
    return goes_on ? walks[above].child : kNowhere;
  };
  const auto each = [&](const BigVector<uint32_t>& places, auto&& visit) {
    for (size_t i = 0; i < places.size(); ++i) {
      if (i + kNamesAhead < places.size()) AskFor(places_[places[i + kNamesAhead]].text);
      visit(places[i], places_[places[i]].text);
    }
  };
  std::vector<uint32_t> numbered;  // layers whose names nodes have with a number
  BigVector<uint32_t> looked_up;
  for (uint8_t level = 0; level < kMaxLevels; ++level) {
    numbered.clear();
    looked_up.clear();
    for (uint32_t place = 1; place < places_.size(); ++place) {
      const uint32_t scope = scope_on(level, place);
      if (scope == kNowhere) continue;
      level_of[place] = level;
      walks[place].scope = scope;
      looked_up.push_back(place);
    }
    if (looked_up.empty()) break;
    each(looked_up, [&](uint32_t place, std::string_view text) {
      const uint32_t scope = walks[place].scope, part = table_.Find(scope, text);
      walks[place].child = part;
      if (part != kNone) table_[part].kinds |= kSeen;
      const std::string_view bare = WithoutNumber(text);
      if (bare == text) return;
      if (const uint32_t layer = FindScope(scope, bare); layer != kNone) numbered.push_back(layer);
    });
    for (const uint32_t layer : numbered) {
      if (!table_.Is(layer, kSeen)) table_[table_[layer].scope].kinds |= kNumbered;
    }
    each(looked_up, [&](uint32_t place, std::string_view text) {
      walks[place].child = Find(walks[place].scope, text, walks[place].child);
    });
  }
  return walks;
}

// Finds the scopes that nodes are called after, of those that are first own parts.
void NameFolder::FindHeads() {
  std::vector<bool> above_head(places_.size()), leads(places_.size());  // the same, and those above them
  for (auto place = static_cast<uint32_t>(places_.size()); place-- > 1;) {
    const uint32_t above = Above(place);
    if (leads[place]) leads[above] = true;
    if (!places_.Is(above, kNotBegun) || places_.Is(place, kNotBegun)) continue;
    above_head[above] = leads[above] = true;
  }
  // Of a name whose place is not known: that of its scope, as far as it leads to a head; else one that is
  // above none.
  const auto find_place = [&](std::string_view name) {
    uint32_t at = kRoot;
    for (size_t begin = 0, slash; (slash = name.find('/', begin)) != name.npos; begin = slash + 1) {
      if (!leads[at]) return at;
      at = places_.Find(at, name.substr(begin, slash - begin));
      if (at == kNone) return kNowhere;
    }
    return at;
  };
  const auto is_asked = [&](uint32_t where) { return !HasPlace(where) || above_head[where & kPlace]; };
  for (size_t n = 0; n < where_.size(); ++n) {
    if (n + kNamesAhead < where_.size() && is_asked(where_[n + kNamesAhead])) Ask(n + kNamesAhead);
    if (!is_asked(where_[n])) continue;
    const uint32_t above = HasPlace(where_[n]) ? where_[n] & kPlace : find_place(Name(n));
    if (above == kNowhere || !above_head[above]) continue;
    const std::string_view name = Name(n);
    const uint32_t place = places_.Find(above, name.substr(name.rfind('/') + 1));
    if (place != kNone) places_[place].kinds |= kIsNode;
  }
}

void NameFolder::FindLayers(const BigVector<Walk>& walks) {
  for (uint32_t place = 0; place < places_.size(); ++place) {
    if (place + kNamesAhead < places_.size()) AskFor(places_[place + kNamesAhead].text);
    FindLayer(place, walks[place]);
    with_gradient_.resize(layers_.size());
    if (places_.Is(place, kHasNodes | kBackward)) with_gradient_[states_[place].layer] = true;
  }
}

void NameFolder::FindLayer(uint32_t place, const Walk& walk) {
  auto& [part, above, facts] = places_[place];
  State& state = states_[place];
  if (facts & kNotBegun) {
    if ((facts & kInModel) && wrapper_has_variables_) state.scope = outermost_scope_;
    return;
  }
  const uint32_t facts_above = places_[above].kinds;
  state = states_[above];
  facts |= facts_above & (kBackward | kLayerEnds);
  if (facts_above & kLayerEnds) {
    facts |= kRest;
    return;
  }
  const auto enter = [&](std::string_view layer) {
    if (state.layer != kNone || !layer.empty()) state.layer = layers_.Insert(state.layer, layer);
  };
  const bool is_first = facts_above & kNotBegun;
  const uint32_t child = walk.scope == state.scope ? walk.child : Find(state.scope, part);
  if (child != kNone) {
    enter(table_[child].text);
    state.scope = child;
    return;
  }
  const Rule* rule = is_first ? nullptr : RuleOf(part);
  if (rule && rule->meaning == Meaning::kLoop) {
    if (rule->part == "while_grad") facts |= kBackward;
    return;
  }
  facts |= kLayerEnds;
  if (IsVariable(state.scope, part)) {
    facts |= kRest;
    return;
  }
  // A layer without variables, or an optimizer; further in it may as well be a part of a layer.
  if (is_first && !IsOp(place)) {
    const bool number = (facts & kInModel)
                            ? table_.Is(state.scope, kNumbered)
                            : !state_scopes_.contains(part) && state_scopes_.contains(WithoutNumber(part));
    enter(number ? WithoutNumber(part) : part);
  } else {
    facts |= kRest;
  }
  state.scope = kNone;
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
  return table_.Is(scope, kHasScopes) ? Find(scope, part, table_.Find(scope, part)) : kNone;
}

// The same, where it is known what has this very name.
uint32_t NameFolder::Find(uint32_t scope, std::string_view part, uint32_t namesake) const {
  const uint32_t same = table_.Is(namesake, kScope) ? namesake : kNone;
  const std::string_view bare = WithoutNumber(part);
  const bool numbered = table_.Is(scope, kNumbered);
  if (bare == part || (same != kNone && !numbered)) return same;
  const uint32_t without = FindScope(scope, bare);
  return without != kNone ? without : same;
}

// Ops that nobody named have their type's name.
bool NameFolder::IsOp(uint32_t place) const {
  const auto& [part, above, facts] = places_[place];
  const bool of_type =
      above != kRoot && !(facts & kInModel) && !part.empty() && part[0] >= 'A' && part[0] <= 'Z';
  return of_type || (facts & kIsNode);
}

uint32_t NameFolder::ScopeOf(size_t n) const {
  const uint32_t where = where_[n];
  if (!HasPlace(where)) return kWhole;
  const uint32_t place = where & kPlace, scope = states_[place].scope;
  if (places_.Is(place, kRest)) return place;
  return HeadOf(place, scope != kNone && (where & kMayBeVariable) && IsVariable(scope, NameOf(n)));
}

// The scope of a place, or what is in front of it: its layer, with what that has in variables, in the forward
// pass or in the gradient.
uint32_t NameFolder::HeadOf(uint32_t place, bool variable) const {
  const uint32_t facts = places_[place].kinds, layer = states_[place].layer;
  uint32_t added = facts & kBackward ? uint32_t{kBackwards} : 0;
  if (layer == kNone) {
    // Beside layers all that is in none is one row.
    if ((facts & kBehind) && !variable && outermost_ > 0) added |= kForward;
  } else if (added == 0 && !variable && with_gradient_[layer]) {
    added = kForward;
  }
  return static_cast<uint32_t>(places_.size()) + kHeads * layer + added;
}

std::string_view NameFolder::NameOf(size_t n) const {
  const std::string_view name = Name(n);
  if (HasPlace(where_[n])) return name.substr(name.rfind('/') + 1);
  // Variables have the names of their layers to the letter.
  const bool wrapped = where_[n] == kOfVariable && wrapper_has_variables_;
  return wrapped ? name.substr(name.find('/') + 1) : name;
}

void NameFolder::Ask(size_t n) const { pool_.Prefetch(nodes_[n]); }

NameFolder::Folded NameFolder::Below(uint32_t scope) const {
  const auto layers = static_cast<uint32_t>(places_.size());
  if (scope < layers) {
    const auto& [part, above, facts] = places_[scope];
    // An empty part may be the whole path, behind which another begins it.
    if (places_.Is(above, kRest)) return places_[above].text.empty() ? Folded() : Folded{above, part};
    const uint32_t head = HeadOfRest(scope);
    return part.empty() && head == layers ? Folded() : Folded{head, part};
  }
  const uint32_t layer = (scope - layers) / kHeads, added = (scope - layers) % kHeads;
  if (added & kBackwards) return {scope - kBackwards, "(backward)"};
  if (added & kForward) return {scope - kForward, layer == kNone ? kNoLayer : "(forward)"};
  if (layer == kNone) return {};
  return {layers + kHeads * layers_[layer].scope, layers_[layer].text};
}

void NameFolder::PartsOf(uint32_t scope, std::vector<std::string_view>* parts) const {
  parts->clear();
  uint32_t above = scope;
  for (; above < places_.size() && places_.Is(above, kRest); above = Above(above))
    parts->push_back(places_[above].text);
  for (uint32_t head = scope < places_.size() ? HeadOfRest(scope) : scope;;) {
    const Folded below = Below(head);
    if (below.scope == kWhole) break;
    parts->push_back(below.name);
    head = below.scope;
  }
  std::ranges::reverse(*parts);
  if (parts->size() == 1 && parts->front().empty()) parts->clear();
}

}  // namespace tfprof
