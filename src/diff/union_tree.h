// The union of several reports' trees: every row of every input, found again by its name (graph, op) or its
// path (scope, code), with the own and total figures of each input.
//
// Entries are numbered in order of first appearance, parents before children; entry 0 is the root. Totals are
// sums over the union, so that children add up to their parent whatever was renamed or moved; only scope
// files bring totals of their own. Cost: linear. Where inputs list the same rows in the same order, as two
// runs of one model do, a row is found by one comparison with the entry behind the last one; a hash table is
// made when that first fails.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "tfprof/diff.h"

namespace tfprof {

// New names of one input's rows, by row; "" keeps the name. Empty: no row is renamed.
using RowNames = std::vector<std::string_view>;

class UnionTree {
 public:
  UnionTree(ViewKind view, std::vector<ColumnId> figures, size_t inputs);

  // In the scope view a renamed node brings the scopes of its new name; scopes without a node of their own
  // follow their nodes.
  void Add(size_t input, const DiffInput& side, const RowNames& names);
  // After the last Add().
  void SumTotals();

  size_t size() const { return name.size(); }
  ComparedCell& Cell(size_t entry, size_t figure, size_t input) {
    return cells[(entry * figures_.size() + figure) * inputs_ + input];
  }
  const ComparedCell& Cell(size_t entry, size_t figure, size_t input) const {
    return cells[(entry * figures_.size() + figure) * inputs_ + input];
  }
  bool Present(size_t entry, size_t input) const { return present[entry * inputs_ + input] != 0; }

  std::vector<std::string_view> name;
  std::vector<uint32_t> parent, first_child, next_sibling;
  std::vector<ComparedCell> cells;
  std::vector<uint8_t> present;                     // entry * inputs + input
  std::vector<std::vector<uint32_t>> entry_of_row;  // by input; kNoIndex: a scope whose nodes were renamed
  std::vector<bool> totals_given;                   // by input
  bool saturated = false;

 private:
  bool ByPath() const { return view_ == ViewKind::kScope || view_ == ViewKind::kCode; }
  uint32_t Find(std::string_view key, uint32_t parent_entry);
  uint32_t Create(std::string_view entry_name, std::string_view key, uint32_t parent_entry);
  uint32_t FindOrCreatePath(std::string_view path, size_t input, bool mark);
  bool Is(uint32_t entry, std::string_view key, uint32_t parent_entry) const;
  uint64_t Hash(std::string_view key, uint32_t parent_entry) const;
  void Insert(uint32_t entry);
  void MakeTable();
  void TakeFigures(uint32_t entry, size_t input, const Report& report, const Row& row);

  ViewKind view_;
  std::vector<ColumnId> figures_;
  size_t inputs_;
  uint64_t seed_;
  std::vector<std::string_view> key_;  // the last part of a scope's name, elsewhere the name
  std::vector<uint32_t> last_child_;
  std::vector<uint32_t> path_;  // entries of the last path that was asked for, outermost first
  struct Slot {
    uint32_t tag = 0;  // the hash's upper half: most mismatches are seen without touching a name
    uint32_t entry = kNoIndex;
  };
  std::vector<Slot> slots_;  // empty until a guess fails
  size_t expected_ = 0;      // entries, when all rows of the input at hand are there
  uint32_t last_found_ = 0;
};

}  // namespace tfprof
