// Finds nodes that only changed their name: the same op type and shapes, in the same place of the graph.
//
// Nodes with equal names are the anchors. From them the match spreads: what both sides have as the same input
// of two matched nodes, or as their only consumer of that op type and shape, is matched when op type, shapes
// and the last part of the name agree and no input of it speaks against it; with another last part only when
// all its inputs and consumers are matched to each other. Where nothing spreads any further, nodes that are
// the only ones of their op type, shapes and last part are taken, if a neighbour then matches too; at last, a
// scope most of whose nodes went to one other scope takes the rest along. What has two candidates is left
// alone. Linear in nodes and edges.
#pragma once

#include <cstdint>
#include <vector>

#include "tfprof/diff.h"

namespace tfprof {

// partner[n] is the node of the other graph with the same name, or kNoIndex. Fills in what it finds and lists
// it, condensed: one entry for all nodes of unit_1 that are in block_1 now.
std::vector<FoundRename> MatchRenamed(const DiffGraph& from, const DiffGraph& to,
                                      std::vector<uint32_t>* partner_of_from,
                                      std::vector<uint32_t>* partner_of_to);

}  // namespace tfprof
