#include "diff/union_tree.h"

#include <algorithm>
#include <utility>

#include "base/checked.h"
#include "base/hash.h"
#include "model/add_figures.h"

namespace tfprof {

UnionTree::UnionTree(ViewKind view, std::vector<ColumnId> figures, size_t inputs)
    : entry_of_row(inputs),
      totals_given(inputs),
      view_(view),
      figures_(std::move(figures)),
      inputs_(inputs),
      seed_(RandomSeed()) {
  Create({}, {}, kNoIndex);  // the root, whose name no other entry can have: it has no parent
}

bool UnionTree::Is(uint32_t entry, std::string_view key, uint32_t parent_entry) const {
  return entry != 0 && key_[entry] == key && (!ByPath() || parent[entry] == parent_entry);
}

uint64_t UnionTree::Hash(std::string_view key, uint32_t parent_entry) const {
  return HashText(key, ByPath() ? seed_ + parent_entry : seed_);
}

void UnionTree::Insert(uint32_t entry) {
  if (entry == 0) return;
  const uint64_t hash = Hash(key_[entry], parent[entry]);
  size_t slot = hash & (slots_.size() - 1);
  while (slots_[slot].entry != kNoIndex) slot = (slot + 1) & (slots_.size() - 1);
  slots_[slot] = {static_cast<uint32_t>(hash >> 32), entry};
}

void UnionTree::MakeTable() {
  size_t slots = 1024;
  while (slots < 2 * std::max(expected_, name.size())) slots *= 2;
  slots_.assign(slots, Slot());
  for (uint32_t e = 0; e < name.size(); ++e) Insert(e);
}

uint32_t UnionTree::Find(std::string_view key, uint32_t parent_entry) {
  const uint32_t guess = last_found_ + 1;
  if (guess < name.size() && Is(guess, key, parent_entry)) return last_found_ = guess;
  if (slots_.empty()) MakeTable();
  const uint64_t hash = Hash(key, parent_entry);
  const auto tag = static_cast<uint32_t>(hash >> 32);
  for (size_t slot = hash & (slots_.size() - 1); slots_[slot].entry != kNoIndex;
       slot = (slot + 1) & (slots_.size() - 1)) {
    if (slots_[slot].tag == tag && Is(slots_[slot].entry, key, parent_entry))
      return last_found_ = slots_[slot].entry;
  }
  return kNoIndex;
}

uint32_t UnionTree::Create(std::string_view entry_name, std::string_view key, uint32_t parent_entry) {
  const auto entry = static_cast<uint32_t>(name.size());
  name.push_back(entry_name);
  key_.push_back(key);
  parent.push_back(parent_entry);
  first_child.push_back(kNoIndex);
  next_sibling.push_back(kNoIndex);
  last_child_.push_back(kNoIndex);
  cells.resize(cells.size() + figures_.size() * inputs_);
  present.resize(present.size() + inputs_);
  if (parent_entry != kNoIndex) {
    uint32_t& last = last_child_[parent_entry];
    (last == kNoIndex ? first_child[parent_entry] : next_sibling[last]) = entry;
    last = entry;
  }
  if (!slots_.empty()) {
    Insert(entry);
    if (2 * name.size() > slots_.size()) {
      expected_ = 2 * name.size();
      MakeTable();
    }
  }
  last_found_ = entry;
  return entry;
}

// The entry of a name in the scope view; the scopes above it are made too, outermost first, so that parents
// stand before children. Names that follow one another mostly share their scopes: the walk begins where the
// last path still holds.
uint32_t UnionTree::FindOrCreatePath(std::string_view path, size_t input, bool mark) {
  if (!path_.empty()) {
    const std::string_view last = name[path_.back()];
    const auto common = static_cast<size_t>(
        std::mismatch(path.begin(), path.end(), last.begin(), last.end()).first - path.begin());
    const auto holds = [&](uint32_t entry) {
      const size_t length = name[entry].size();
      return length < common ? path[length] == '/'
                             : length == common && (length == path.size() || path[length] == '/');
    };
    while (!path_.empty() && !holds(path_.back())) path_.pop_back();
  }
  size_t begin = path_.empty() ? 0 : name[path_.back()].size() + 1;
  while (path_.empty() || begin <= path.size()) {
    const size_t end = std::min(path.find('/', begin), path.size());
    const std::string_view key = path.substr(begin, end - begin);
    const uint32_t above = path_.empty() ? 0 : path_.back();
    const uint32_t found = Find(key, above);
    path_.push_back(found == kNoIndex ? Create(path.substr(0, end), key, above) : found);
    begin = end + 1;
  }
  // Whoever was marked before has its scopes marked too.
  for (size_t i = path_.size() - 1; mark && i-- > 0 && !Present(path_[i], input);) {
    present[path_[i] * inputs_ + input] = 1;
  }
  return path_.back();
}

void UnionTree::TakeFigures(uint32_t entry, size_t input, const Report& report, const Row& row) {
  present[entry * inputs_ + input] = 1;
  const bool given = totals_given[input];
  for (size_t f = 0; f < figures_.size(); ++f) {
    ComparedCell& cell = Cell(entry, f, input);
    const ColumnId figure = figures_[f];
    if (given) {
      cell.own = report.Own(row)[figure];
      cell.total = report.Total(row)[figure];
      cell.known = report.Total(row).Knows(figure);
    } else {
      const Figures& own = report.Own(row);
      cell.own = SaturatingAdd(cell.own, own[figure], &saturated);
      if (IsTime(figure)) AddRest(own.Rest(figure), &cell.rest_picos, &cell.own, &saturated);
      cell.known |= own.Knows(figure);
    }
  }
}

void UnionTree::Add(size_t input, const DiffInput& side, const RowNames& names) {
  const Report& report = *side.report;
  const bool scope = view_ == ViewKind::kScope;
  const bool rebuilt = scope && (side.is_scope_file || !names.empty());  // parents come from names
  // A report names each scope, node or op type once, so the first one needs no looking up.
  const bool fresh = name.size() == 1 && names.empty() && !side.is_scope_file && view_ != ViewKind::kCode;
  totals_given[input] = side.is_scope_file;
  std::vector<uint32_t>& entries = entry_of_row[input];
  entries.assign(report.rows.size(), kNoIndex);
  if (fresh) {
    name.reserve(report.rows.size());
    cells.reserve(report.rows.size() * figures_.size() * inputs_);
  }
  last_found_ = 0;
  path_.clear();
  expected_ = name.size() + report.rows.size();
  if (report.rows.empty()) return;
  entries[0] = 0;
  present[input] = 1;
  if (side.is_scope_file) TakeFigures(0, input, report, report.rows[0]);
  for (size_t r = 1; r < report.rows.size(); ++r) {
    const Row& row = report.rows[r];
    const bool renamed = !names.empty() && !names[r].empty();
    const std::string_view key = renamed ? names[r] : row.name;
    if (rebuilt && !side.is_scope_file && row.node == kNoIndex) continue;
    uint32_t entry = kNoIndex;
    if (rebuilt) {
      entry = FindOrCreatePath(key, input, !side.is_scope_file);
    } else {
      const uint32_t above = entries[row.parent];
      const size_t parts = scope && above != 0 ? std::min(name[above].size() + 1, key.size()) : 0;
      if (!fresh) entry = Find(key.substr(parts), above);
      if (entry == kNoIndex) entry = Create(key, key.substr(parts), above);
    }
    entries[r] = entry;
    TakeFigures(entry, input, report, row);
  }
}

void UnionTree::SumTotals() {
  for (size_t input = 0; input < inputs_; ++input) {
    if (totals_given[input]) continue;
    for (size_t f = 0; f < figures_.size(); ++f) {
      for (size_t e = size(); e-- > 0;) {
        ComparedCell& cell = Cell(e, f, input);
        cell.total = SaturatingAdd(cell.total, cell.own, &saturated);
        if (e == 0) continue;
        ComparedCell& above = Cell(parent[e], f, input);
        above.total = SaturatingAdd(above.total, cell.total, &saturated);
        AddRest(cell.rest_picos, &above.rest_picos, &above.total, &saturated);
        above.known |= cell.known;
      }
    }
  }
}

}  // namespace tfprof
