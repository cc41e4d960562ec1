#include "tfprof/nodes.h"

#include <gtest/gtest.h>

#include "support/made_profile.h"

namespace tfprof {
namespace {

std::shared_ptr<const Profile> Two() {
  return MadeProfile()
      .Graph(R"(node { name: "w" op: "VariableV2" attr { key: "shape" value { shape { dim { size: 2 }
                       dim { size: 3 } } } } }
                node { name: "sum" op: "Add" input: "w" input: "gone" input: "^w" })")
      .RunOn(7, "/device:CPU:0", R"(node_stats { node_name: "sum" all_start_micros: 10 op_end_rel_micros: 5 }
                                    node_stats { node_name: "late" all_start_micros: 20 op_end_rel_micros: 1
                                    })")
      .Build();
}

TEST(Nodes, AreReadOneByOne) {
  const auto profile = Two();
  ASSERT_EQ(NodeCount(*profile), 3u);
  const NodeView w = NodeAt(*profile, 0), sum = NodeAt(*profile, 1), late = NodeAt(*profile, 2);
  EXPECT_EQ(w.name, "w");
  EXPECT_EQ(w.op, "VariableV2");
  EXPECT_EQ(w.device, "");
  EXPECT_EQ(std::vector<int64_t>(w.shape.begin(), w.shape.end()), (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(sum.device, "/device:cpu:0");
  EXPECT_TRUE(sum.shape.empty());
  EXPECT_TRUE(sum.in_graph);
  EXPECT_FALSE(late.in_graph);
  EXPECT_EQ(InputsOf(*profile, 1), (std::vector<size_t>{0, 0}));
  EXPECT_EQ(StepNumbers(*profile), std::vector<int64_t>{7});
  EXPECT_EQ(FindNode(*profile, "sum"), 1u);
  EXPECT_FALSE(FindNode(*profile, "Add"));
  EXPECT_FALSE(FindNode(*profile, "nowhere"));
}

TEST(Nodes, FiguresSayWhatWasNotRecorded) {
  const auto profile = Two();
  const Result<std::vector<Figures>> figures = FiguresOfNodes(*profile);
  ASSERT_TRUE(figures);
  EXPECT_EQ((*figures)[0][ColumnId::kParams], 6);
  EXPECT_FALSE((*figures)[0].Knows(ColumnId::kMicros));
  EXPECT_EQ((*figures)[1][ColumnId::kMicros], 5);
  EXPECT_FALSE(FiguresOfNodes(*profile, 3));
}

}  // namespace
}  // namespace tfprof
