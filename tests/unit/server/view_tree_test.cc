#include "server/view_tree.h"

#include <gtest/gtest.h>

namespace tfprof::server {
namespace {

// a(b(c, d), e) and f, below a root.
Report Made() {
  Report report;
  const auto add = [&](std::string_view name, uint32_t depth, uint32_t parent) {
    Row row;
    row.name = name;
    row.depth = depth;
    row.parent = parent;
    report.rows.push_back(row);
  };
  add("root", 0, kNoIndex);
  add("a", 1, 0);
  add("a/b", 2, 1);
  add("a/b/c", 3, 2);
  add("a/bd", 3, 2);
  add("a/e", 2, 1);
  add("f", 1, 0);
  return report;
}

TEST(ViewTree, KnowsWhereRowsEnd) {
  const ViewTree tree(Made());
  std::vector<uint32_t> ends, children;
  for (uint32_t r = 0; r < tree.size(); ++r) {
    ends.push_back(tree.end(r));
    children.push_back(tree.children(r));
  }
  EXPECT_EQ(ends, (std::vector<uint32_t>{7, 6, 5, 4, 5, 6, 7}));
  EXPECT_EQ(children, (std::vector<uint32_t>{2, 2, 2, 0, 0, 0, 0}));
}

TEST(ViewTree, LabelsAreWhatTheParentDoesNotSay) {
  const ViewTree tree(Made());
  EXPECT_EQ(tree.Label(2), "b");
  EXPECT_EQ(tree.Label(3), "c");
  EXPECT_EQ(tree.Label(4), "a/bd");  // does not continue a/b
  EXPECT_EQ(tree.Label(6), "f");
  EXPECT_EQ(tree.Above(3), (std::vector<uint32_t>{0, 1, 2}));
  EXPECT_TRUE(tree.Above(0).empty());
}

TEST(ViewTree, AChainOfAMillionRows) {
  Report report;
  for (uint32_t r = 0; r < 1'000'000; ++r) {
    Row row;
    row.name = "x";
    row.depth = r;
    row.parent = r == 0 ? kNoIndex : r - 1;
    report.rows.push_back(row);
  }
  const ViewTree tree(std::move(report));
  EXPECT_EQ(tree.end(0), 1'000'000u);
  EXPECT_EQ(tree.Above(999'999).size(), 999'999u);
}

}  // namespace
}  // namespace tfprof::server
