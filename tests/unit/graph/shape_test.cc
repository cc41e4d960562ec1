#include "graph/shape.h"

#include <gtest/gtest.h>

namespace tfprof {
namespace {

constexpr int64_t kHuge = int64_t{1} << 62;

TEST(Shape, DimsCountFromBothEnds) {
  const Shape shape{2, -1, 5};
  EXPECT_EQ(shape.Dim(0), 2);
  EXPECT_EQ(shape.Dim(-1), 5);
  EXPECT_EQ(shape.Dim(1), kUnknownDim);
  EXPECT_EQ(shape.Dim(3), kUnknownDim);
  EXPECT_EQ(shape.Dim(-4), kUnknownDim);
  EXPECT_EQ(Shape().Dim(0), kUnknownDim);
}

TEST(Shape, ElementsAreExactOrNone) {
  EXPECT_EQ((Shape{2, 3, 4}).Elements(), 24);
  EXPECT_EQ(Shape::Scalar().Elements(), 1);
  EXPECT_EQ((Shape{2, -1}).Elements(), std::nullopt);
  EXPECT_EQ(Shape().Elements(), std::nullopt);
  EXPECT_EQ((Shape{kHuge, 1}).Elements(), kHuge);
  EXPECT_EQ((Shape{kHuge, 2}).Elements(), std::nullopt);
  EXPECT_EQ((Shape{kHuge, kHuge, 0}).Elements(), std::nullopt) << "the product before the 0 does not fit";
  EXPECT_EQ((Shape{0, 7}).Elements(), 0);
}

TEST(Shape, JoinKeepsWhatBothHave) {
  EXPECT_EQ(Join(Shape{2, 3}, Shape{2, 4}), (Shape{2, -1}));
  EXPECT_EQ(Join(Shape{2, 3}, Shape{2}), Shape());
  EXPECT_EQ(Join(Shape{2}, Shape()), Shape());
  EXPECT_EQ(Join(Shape::Scalar(), Shape::Scalar()), Shape::Scalar());
}

TEST(Shape, RefineTakesWhatEitherKnows) {
  EXPECT_EQ(Refine(Shape{2, -1}, Shape{-1, 4}), (Shape{2, 4}));
  EXPECT_EQ(Refine(Shape(), Shape{3}), (Shape{3}));
  EXPECT_EQ(Refine(Shape{3}, Shape()), (Shape{3}));
  EXPECT_EQ(Refine(Shape{3, 5}, Shape{4, 5}), (Shape{3, 5})) << "the first is right";
  EXPECT_EQ(Refine(Shape{3}, Shape{3, 4}), (Shape{3}));
}

}  // namespace
}  // namespace tfprof
