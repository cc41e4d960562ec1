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

using Parts = std::vector<std::string_view>;

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
  for (const Rule& rule : kRules) {
    if (part == rule.part || (rule.numbered && WithoutNumber(part) == rule.part)) return &rule;
  }
  return nullptr;
}

Parts Split(std::string_view path) {
  Parts parts;
  for (size_t begin = 0; begin <= path.size();) {
    const size_t end = std::min(path.find('/', begin), path.size());
    parts.push_back(path.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

// The number of parts that the machinery put in front.
size_t Machinery(const Parts& parts, bool* backward) {
  size_t i = 0;
  for (; i < parts.size(); ++i) {
    const Rule* rule = RuleOf(parts[i]);
    if (!rule || rule->meaning == Meaning::kLoop) break;
    *backward |= rule->meaning == Meaning::kGradient;
  }
  return i;
}

// The path up to a part: all are of one text.
std::string_view Joined(const Parts& parts, size_t last) {
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

}  // namespace

NameFolder::NameFolder(std::span<const std::string_view> variables, std::span<const std::string_view> state,
                       std::span<const std::string_view> names) {
  folds_ = std::any_of(names.begin(), names.end(), [](std::string_view name) {
    const size_t slash = name.find('/');
    const Rule* rule = slash == std::string_view::npos ? nullptr : RuleOf(name.substr(0, slash));
    return rule && rule->meaning != Meaning::kLoop;
  });
  if (!folds_) return;
  for (const std::string_view name : state) state_scopes_.insert(name.substr(0, name.find('/')));
  for (const std::string_view name : variables) AddVariable(name);
  variables_.insert(variables.begin(), variables.end());
  std::vector<Parts> all;
  bool ignored = false;
  std::string_view last;
  for (const std::string_view name : names) {
    const size_t slash = name.rfind('/');
    if (slash == std::string_view::npos) continue;
    const std::string_view scope = name.substr(0, slash);
    if (scope == last || variables_.contains(name)) continue;
    last = scope;
    const size_t known = distinct_.size();
    if (distinct_.Intern(scope).value < known) continue;
    Parts parts = Split(scope);
    const size_t first = Machinery(parts, &ignored);
    parts.erase(parts.begin(), parts.begin() + static_cast<ptrdiff_t>(first));
    if (!parts.empty()) all.push_back(std::move(parts));
  }
  nodes_.Reserve(names.size());
  std::vector<HashedText> hashed;
  hashed.reserve(names.size());
  for (const std::string_view name : names) hashed.push_back(nodes_.Hashed(name));
  std::vector<StringId> unused(names.size());
  nodes_.InternAll(hashed, unused);
  FindWrapper(all);
  FindNumbered(all);
  for (size_t i = 0; i < distinct_.size(); ++i) {
    places_.push_back(PlaceOf(Split(distinct_[StringId(i)])));
    const Place& place = places_.back();
    if (place.backward && !place.layer.empty()) with_gradient_.insert(place.layer);
  }
}

void NameFolder::AddVariable(std::string_view name) {
  const Parts parts = Split(name);
  uint32_t at = 0;
  for (size_t i = 0; i + 1 < parts.size() && i < kMaxLevels; ++i) {
    const auto [child, fresh] =
        scopes_[at].scopes.try_emplace(std::string(parts[i]), static_cast<uint32_t>(scopes_.size()));
    at = child->second;
    if (fresh) scopes_.emplace_back();
  }
  scopes_[at].variables.emplace(parts.back());
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
  for (const Parts& parts : all) {
    if (parts.size() < 2 || Find(root, parts[0]) != kNone) continue;
    if (root.scopes.contains(parts[1]) || root.scopes.contains(WithoutNumber(parts[1])))
      found.insert(WithoutNumber(parts[0]));
  }
  if (found.size() == 1) wrapper_ = *found.begin();
}

// Scopes of nodes all have numbers where the names of the layers themselves are not among them.
void NameFolder::FindNumbered(const std::vector<Parts>& all) {
  for (size_t level = 0; level < kMaxLevels; ++level) {
    bool deeper = false;
    for (const Parts& parts : all) {
      const bool in_wrapper = !wrapper_has_variables_ && IsModel(parts[0]);
      uint32_t at = 0;
      size_t i = in_wrapper ? 1 : 0;
      for (size_t walked = 0; walked < level && i < parts.size(); ++walked, ++i) {
        at = Find(scopes_[at], parts[i]);
        if (at == kNone) break;
      }
      if ((level > 0 && at == kNone) || i >= parts.size() || scopes_[at].scopes.empty()) continue;
      scopes_[at].seen.emplace(parts[i]);
      deeper = true;
    }
    if (!deeper) break;
    for (Scope& scope : scopes_) {
      if (scope.numbered) continue;
      for (const std::string& seen : scope.seen) {
        const std::string_view bare = WithoutNumber(seen);
        scope.numbered |= bare != seen && scope.scopes.contains(bare) && !scope.seen.contains(bare);
      }
    }
  }
}

bool NameFolder::IsModel(std::string_view part) const {
  return !wrapper_.empty() && (part == wrapper_ || WithoutNumber(part) == wrapper_);
}

uint32_t NameFolder::Find(const Scope& scope, std::string_view part) const {
  const std::string_view bare = WithoutNumber(part);
  for (const std::string_view name : {scope.numbered ? bare : part, scope.numbered ? part : bare}) {
    if (const auto found = scope.scopes.find(name); found != scope.scopes.end()) return found->second;
  }
  return kNone;
}

// Ops that nobody named have their type's name.
bool NameFolder::IsOp(const Parts& parts, size_t at, bool in_model) const {
  const bool of_type =
      at > 0 && !in_model && !parts[at].empty() && parts[at][0] >= 'A' && parts[at][0] <= 'Z';
  return of_type || nodes_.Find(Joined(parts, at));
}

NameFolder::Place NameFolder::PlaceOf(const Parts& parts) const {
  Place place;
  size_t begin = Machinery(parts, &place.backward);
  // The body of a loop has the whole name once more, behind that of the loop.
  for (size_t i = parts.size(); i-- > begin + 1;) {
    if (!IsModel(parts[i]) || parts[i] != parts[begin]) continue;
    for (size_t k = begin; k < i; ++k) {
      const Rule* rule = RuleOf(parts[k]);
      place.backward |=
          (rule && rule->meaning == Meaning::kGradient) || parts[k].find("_grad") != parts[k].npos;
    }
    begin = i;
    break;
  }
  const bool in_model = begin < parts.size() && IsModel(parts[begin]);
  if (in_model) {
    if (wrapper_has_variables_) place.scope = scopes_[0].scopes.begin()->second;
    ++begin;
  }
  size_t i = begin;
  for (; i < parts.size(); ++i) {
    const Scope& scope = scopes_[place.scope];
    const uint32_t child = Find(scope, parts[i]);
    if (child != kNone) {
      const auto name = std::find_if(scope.scopes.begin(), scope.scopes.end(),
                                     [&](const auto& entry) { return entry.second == child; });
      Append(name->first, &place.layer);
      place.scope = child;
      continue;
    }
    if (const Rule* rule = RuleOf(parts[i]); rule && rule->meaning == Meaning::kLoop && i > begin) {
      place.backward |= rule->part == "while_grad";
      continue;
    }
    if (scope.variables.contains(parts[i])) break;
    // A layer without variables, or an optimizer; further in it may as well be a part of a layer.
    if (i == begin && !IsOp(parts, i, in_model)) {
      const bool number =
          in_model ? scope.numbered
                   : !state_scopes_.contains(parts[i]) && state_scopes_.contains(WithoutNumber(parts[i]));
      Append(number ? WithoutNumber(parts[i]) : parts[i], &place.layer);
      ++i;
    }
    place.scope = 0;
    break;
  }
  place.in_call = begin > 0;
  place.rest.assign(parts.begin() + static_cast<ptrdiff_t>(i), parts.end());
  return place;
}

const NameFolder::Place& NameFolder::PlaceOfScope(std::string_view scope) {
  if (last_ && distinct_[last_] == scope) return places_[last_.value];
  last_ = distinct_.Intern(scope);
  if (last_.value == places_.size()) places_.push_back(PlaceOf(Split(scope)));
  return places_[last_.value];
}

std::string NameFolder::Fold(std::string_view name) {
  const size_t slash = name.rfind('/');
  if (!folds_ || slash == std::string_view::npos) return std::string(name);
  // Variables have the names of their layers to the letter.
  if (variables_.contains(name))
    return std::string(wrapper_has_variables_ ? name.substr(name.find('/') + 1) : name);
  const Place& place = PlaceOfScope(name.substr(0, slash));
  const std::string_view leaf = name.substr(slash + 1);
  const std::string_view below = place.rest.empty() ? leaf : place.rest[0];
  const bool variable = place.scope != 0 && scopes_[place.scope].variables.contains(below);
  std::string out = place.layer;
  // Beside layers all that is in none is one row.
  if (out.empty() && place.in_call && !variable && scopes_.size() > 1) out = kNoLayer;
  if (place.backward) {
    Append("(backward)", &out);
  } else if (!place.layer.empty() && !variable && with_gradient_.contains(place.layer)) {
    Append("(forward)", &out);
  }
  for (const std::string_view part : place.rest) Append(part, &out);
  Append(leaf, &out);
  return out;
}

std::vector<std::string_view> FoldedNames(const Profile& profile, std::deque<std::string>* texts) {
  std::vector<std::string_view> names, variables, state;
  for (size_t n = 0; n < profile.size(); ++n) {
    const NodeId node(n);
    names.push_back(profile.Name(node));
    if (!IsVariableOp(profile.Op(node))) continue;
    const VariableRole role = RecordedRole(AttrString(profile, node, kRoleAttr).value_or(""));
    (role == VariableRole::kOptimizer || role == VariableRole::kOther ? state : variables)
        .push_back(names.back());
  }
  NameFolder folder(variables, state, names);
  if (!folder.folds()) return {};
  StringPool taken;
  taken.Reserve(names.size());
  std::vector<uint32_t> number;  // of those taken: the last one put behind it
  number.reserve(names.size());
  for (std::string_view& name : names) {
    std::string folded = folder.Fold(name);
    if (const StringId known = taken.Find(folded)) {
      // Numbers go up, so that many nodes of one name take no longer each.
      std::string other;
      do {
        other = folded + "_" + std::to_string(++number[known.value]);
      } while (taken.Find(other));
      folded = std::move(other);
    }
    name = folded == name ? name : Kept(folded, texts);
    taken.Intern(name);
    number.push_back(0);
  }
  return names;
}

}  // namespace tfprof
