// The engine that scope, graph and code share: a tree goes in, the rows of a Report come out (account, start,
// show, recount, sort). Each view only builds its tree.
//
// Entries lie in preorder: entry 0 is the root, a parent stands before its children, and the subtree of e is
// [e, end[e]). So sums are one pass backwards and filters one pass forwards; nothing recurses, whatever the
// depth.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "base/name_matcher.h"
#include "model/profile.h"
#include "tfprof/report.h"
#include "tfprof/result.h"

namespace tfprof {

inline constexpr std::string_view kRootName = "_TFProfRoot";
inline constexpr std::string_view kScopeParentType = "_kTFScopeParent";
inline constexpr std::string_view kGraphParentType = "_TFGraphParent";

// The options' regexes, compiled once per report.
struct Matchers {
  NameMatcher account, start, trim, show, hide, device;
  static Result<Matchers> Compile(const Options& options);
};

struct ViewTree {
  BigVector<std::string_view> name;
  BigVector<uint32_t> parent, end;
  BigVector<uint32_t> own;  // index of Report::figures: a node's is the node's number
  std::vector<bool> accounted;
  // Nodes deeper than rows can be, whose figures only count towards the total of the entry above them: by
  // node that entry, or kNoIndex. Empty: there are none.
  BigVector<uint32_t> entry_above;
  std::vector<bool> has_deeper;  // by entry; empty: there are none
  // Per entry, where an entry stands for several nodes.
  const std::vector<std::vector<NodeId>>* nodes = nullptr;

  uint32_t size() const { return static_cast<uint32_t>(name.size()); }
  void Reserve(size_t entries);
  // `end` is filled by Close(), once all entries are there.
  uint32_t Add(std::string_view entry_name, uint32_t entry_parent, uint32_t own_figures, bool is_accounted);
  void Close();
};

// Rows of Report::figures behind those of the nodes, where a tree has them: of a scope that is no node, and
// of the root.
inline uint32_t FiguresOfScope(const Profile& profile) { return static_cast<uint32_t>(profile.size()); }
inline uint32_t FiguresOfRoot(const Profile& profile) { return static_cast<uint32_t>(profile.size()) + 1; }

// The node that figures are of; none: of a scope without a node, a frame, the root.
inline NodeId NodeOfFigures(const Profile& profile, uint32_t own) {
  return own < profile.size() ? NodeId(own) : NodeId();
}

// Which nodes count: one of their types matches an account regex.
std::vector<bool> AccountedNodes(const Profile& profile, bool classic, const NameMatcher& account);
bool TypeMatches(const Profile& profile, NodeId node, bool classic, std::vector<int8_t>* cache,
                 const NameMatcher& account);

// -device_regexes: a node without a device matches nothing.
bool RanOn(const Profile& profile, NodeId node, const NameMatcher& device);

// Turns the tree into rows, or into the root's and Report::shown_nodes: report->figures must hold the own
// figures; totals are appended. What a row says besides figures is left to row_details.h.
enum class Rows { kAll, kRoot };
void MakeRows(const Profile& profile, ViewTree tree, const Matchers& matchers, Rows rows, Report* report);
// How deep rows can be, the root's depth being 1: nobody needs the totals of what is deeper, one by one.
int64_t DeepestTotal(const Options& options, const Matchers& matchers);
// How many totals of a view of nodes that will append.
size_t CountTotals(const Profile& profile, const ViewTree& tree, const Matchers& matchers,
                   const Options& options);

// True when no figure of the row is below the minima (views count parameters, float ops and occurrence
// differently).
bool ReachesMinima(const Options& options, ViewKind view, const Figures& own, const Figures& total);

}  // namespace tfprof
