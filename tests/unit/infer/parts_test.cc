// The parts that shape rules share: broadcasting, windows, slices, values, components.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "infer/components.h"
#include "infer/rule.h"
#include "infer/strided_slice.h"
#include "infer/value.h"
#include "infer/window.h"
#include "support/made_graph.h"

namespace tfprof {
namespace {

constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

TEST(Broadcast, AsNumpyDoes) {
  EXPECT_EQ(Broadcast(Shape{4, 1, 3}, Shape{2, 1}), (Shape{4, 2, 3}));
  EXPECT_EQ(Broadcast(Shape::Scalar(), Shape{7}), (Shape{7}));
  EXPECT_EQ(Broadcast(Shape{2}, Shape{3}), Shape()) << "the graph is wrong";
  EXPECT_EQ(Broadcast(Shape(), Shape{3}), Shape());
  EXPECT_EQ(Broadcast(Shape{0}, Shape{1}), (Shape{0}));
}

TEST(Broadcast, AnUnknownDimensionIsDecidedByOneAboveOne) {
  EXPECT_EQ(Broadcast(Shape{-1}, Shape{5}), (Shape{5}));
  EXPECT_EQ(Broadcast(Shape{-1}, Shape{1}), (Shape{-1}));
  EXPECT_EQ(Broadcast(Shape{-1}, Shape{-1}), (Shape{-1}));
  EXPECT_EQ(Broadcast(Shape{-1, 3}, Shape{3}), (Shape{-1, 3}));
}

TEST(Dims, SumsAndProductsThatDoNotFitAreUnknown) {
  EXPECT_EQ(AddDims(3, 4), 7);
  EXPECT_EQ(AddDims(kMost, 1), kUnknownDim);
  EXPECT_EQ(AddDims(-1, 4), kUnknownDim);
  EXPECT_EQ(MulDims(int64_t{1} << 40, int64_t{1} << 40), kUnknownDim);
  EXPECT_EQ(MulDims(-1, 0), 0);
  EXPECT_EQ(Axis(-1, 3), 2u);
  EXPECT_EQ(Axis(3, 3), std::nullopt);
  EXPECT_EQ(Axis(std::numeric_limits<int64_t>::min(), 3), std::nullopt);
}

TEST(Window, SameValidExplicit) {
  EXPECT_EQ(WindowOutput(224, 7, 2, 1, Padding::kSame, 0), 112);
  EXPECT_EQ(WindowOutput(225, 7, 2, 1, Padding::kSame, 0), 113);
  EXPECT_EQ(WindowOutput(10, 3, 1, 1, Padding::kValid, 0), 8);
  EXPECT_EQ(WindowOutput(10, 3, 1, 2, Padding::kValid, 0), 6) << "dilated to 5";
  EXPECT_EQ(WindowOutput(10, 3, 2, 1, Padding::kExplicit, 2), 5);
  EXPECT_EQ(WindowOutput(2, 3, 1, 1, Padding::kValid, 0), 0);
  EXPECT_EQ(WindowOutput(2, 5, 1, 1, Padding::kValid, 0), kUnknownDim) << "no such window";
  EXPECT_EQ(WindowOutput(-1, 3, 1, 1, Padding::kSame, 0), kUnknownDim);
  EXPECT_EQ(WindowOutput(5, 3, 0, 1, Padding::kSame, 0), kUnknownDim);
}

TEST(Window, NothingOverflows) {
  EXPECT_EQ(WindowOutput(kMost, kMost, 1, kMost, Padding::kValid, 0), kUnknownDim);
  EXPECT_EQ(WindowOutput(kMost, 1, 1, 1, Padding::kExplicit, kMost), kUnknownDim);
  EXPECT_EQ(WindowOutput(kMost, 1, 1, 1, Padding::kSame, 0), kMost);
  EXPECT_EQ(WindowOutput(0, 0, 1, 1, Padding::kValid, 0), 1) << "(0 - 1 + 1) + 1";
  EXPECT_EQ(WindowOutput(5, 3, 1, 1, Padding::kExplicit, -3), 0);
  EXPECT_EQ(WindowOutput(5, 0, 1, kMost, Padding::kValid, 0), kUnknownDim) << "a window of nothing, dilated";
  EXPECT_EQ(WindowOutput(0, 1, 1, 1, Padding::kExplicit, -kMost - 1), kUnknownDim);
  EXPECT_EQ(WindowOutput(3, 2, 1, kMost, Padding::kExplicit, -7), kUnknownDim);
}

class Slice {
 public:
  Slice(Shape in, std::vector<int64_t> begin, std::vector<int64_t> end, std::vector<int64_t> strides,
        StridedSliceMasks masks = {})
      : begin_(Value::Integers(begin)),
        end_(Value::Integers(end)),
        strides_(Value::Integers(strides)),
        slice_(in, begin.size(), &begin_, &end_, &strides_, masks) {}
  Shape shape() const { return slice_.valid() ? slice_.shape() : Shape(); }
  const StridedSlice& slice() const { return slice_; }

 private:
  Value begin_, end_, strides_;
  StridedSlice slice_;
};

TEST(StridedSlice, RangesSteppedBothWays) {
  EXPECT_EQ(Slice(Shape{10}, {2}, {8}, {1}).shape(), (Shape{6}));
  EXPECT_EQ(Slice(Shape{10}, {2}, {8}, {4}).shape(), (Shape{2}));
  EXPECT_EQ(Slice(Shape{10}, {-3}, {100}, {1}).shape(), (Shape{3}));
  EXPECT_EQ(Slice(Shape{10}, {8}, {2}, {-2}).shape(), (Shape{3}));
  EXPECT_EQ(Slice(Shape{10}, {8}, {2}, {1}).shape(), (Shape{0}));
  EXPECT_EQ(Slice(Shape{10, 4}, {1}, {3}, {1}).shape(), (Shape{2, 4})) << "what is not named stays";
}

TEST(StridedSlice, EveryMask) {
  EXPECT_EQ(Slice(Shape{10}, {7}, {4}, {1}, {.begin = 1}).shape(), (Shape{4})) << "x[:4]";
  EXPECT_EQ(Slice(Shape{10}, {7}, {4}, {1}, {.end = 1}).shape(), (Shape{3})) << "x[7:]";
  EXPECT_EQ(Slice(Shape{10}, {0}, {0}, {-3}, {.begin = 1, .end = 1}).shape(), (Shape{4})) << "x[::-3]";
  EXPECT_EQ(Slice(Shape{2, 3, 4, 5}, {0, 1}, {0, 2}, {1, 1}, {.ellipsis = 1}).shape(), (Shape{2, 3, 4, 1}))
      << "x[..., 1:2]";
  EXPECT_EQ(Slice(Shape{2, 3}, {0, 0}, {0, 0}, {1, 1}, {.end = 2, .new_axis = 1}).shape(), (Shape{1, 2, 3}))
      << "x[newaxis, 0:]";
  EXPECT_EQ(Slice(Shape{2, 3}, {1, 0}, {2, 0}, {1, 1}, {.end = 2, .shrink_axis = 1}).shape(), (Shape{3}))
      << "x[1, :]";
  EXPECT_EQ(Slice(Shape{2, 3, 4}, {0, 0, 1, 0}, {0, 0, 2, 0}, {1, 1, 1, 1},
                  {.ellipsis = 1, .new_axis = 2, .shrink_axis = 4})
                .shape(),
            (Shape{2, 1, 0}))
      << "x[..., newaxis, 1, 0:0]: 2, new, 3 shrunk, 4 cut to none";
}

TEST(StridedSlice, WhatIsNotKnownStaysOpen) {
  EXPECT_EQ(Slice(Shape{-1, 4}, {0}, {2}, {1}).shape(), (Shape{-1, 4}));
  EXPECT_EQ(Slice(Shape{-1}, {0}, {0}, {1}, {.begin = 1, .end = 1}).shape(), (Shape{-1}));
  EXPECT_EQ(Slice(Shape{9}, {Value::kUnknown}, {5}, {1}).shape(), (Shape{-1}));
  EXPECT_EQ(Slice(Shape{9}, {0}, {5}, {0}).shape(), (Shape{-1})) << "a step of 0 is damage";
  EXPECT_EQ(Slice(Shape(), {0}, {5}, {1}).shape(), Shape());
  EXPECT_EQ(Slice(Shape{9}, {0, 0}, {1, 1}, {1, 1}).shape(), Shape()) << "more entries than dimensions";
  EXPECT_EQ(Slice(Shape{9}, {0, 0}, {1, 1}, {1, 1}, {.ellipsis = 3}).shape(), Shape()) << "two ellipses";
}

TEST(StridedSlice, ElementsOfAVector) {
  const Value dims = Value::Integers({8, 16, Value::kUnknown, 3});
  EXPECT_EQ(Slice(Shape{4}, {1}, {4}, {2}).slice().Of(dims), Value::Integers({16, 3}));
  EXPECT_EQ(Slice(Shape{4}, {-1}, {0}, {1}, {.shrink_axis = 1}).slice().Of(dims), Value::Integers({3}));
  EXPECT_EQ(Slice(Shape{4}, {0}, {0}, {-1}, {.begin = 1, .end = 1}).slice().Of(dims),
            Value::Integers({3, Value::kUnknown, 16, 8}));
  EXPECT_EQ(Slice(Shape{4}, {9}, {0}, {1}, {.shrink_axis = 1}).slice().Of(dims), std::nullopt);
}

TEST(StridedSlice, ExtremeBoundsDoNotOverflow) {
  const int64_t least = std::numeric_limits<int64_t>::min() + 1;
  EXPECT_EQ(Slice(Shape{kMost}, {least}, {kMost}, {1}).shape(), (Shape{kMost}));
  EXPECT_EQ(Slice(Shape{kMost}, {kMost}, {least}, {least}).shape(), (Shape{1}));
  EXPECT_EQ(Slice(Shape{5}, {kMost}, {kMost}, {kMost}).shape(), (Shape{0}));
}

std::string Proto(int32_t type, const std::vector<int64_t>& dims, const std::string& rest) {
  return VarintField(1, type) + BytesField(2, ShapeProto(dims)) + rest;
}

TEST(Values, OfEveryPlaceInATensor) {
  EXPECT_EQ(ParseTensor(Proto(3, {2}, VarintField(7, 4) + VarintField(7, -2))).value,
            Value::Integers({4, -2}));
  EXPECT_EQ(ParseTensor(Proto(9, {2}, BytesField(10, Varint(5) + Varint(6)))).value, Value::Integers({5, 6}));
  EXPECT_EQ(ParseTensor(Proto(3, {3}, VarintField(7, 4))).value, Value::Integers({4, 4, 4}))
      << "the last repeats";
  EXPECT_EQ(ParseTensor(Proto(3, {2}, "")).value, Value::Integers({0, 0}));
  EXPECT_EQ(ParseTensor(Proto(3, {1}, VarintField(7, 4) + VarintField(7, 5))).value, Value::Integers({4}));
  EXPECT_EQ(ParseTensor(Proto(3, {2}, BytesField(4, std::string("\1\0\0\0\xff\xff\xff\xff", 8)))).value,
            Value::Integers({1, -1}));
  EXPECT_EQ(ParseTensor(Proto(3, {2}, BytesField(4, "123"))).value, std::nullopt) << "bytes that do not fit";
  const Constant real = ParseTensor(Proto(1, {}, BytesField(5, std::string("\0\0\x20\x40", 4))));
  ASSERT_TRUE(real.value && real.value->floating());
  EXPECT_EQ(real.value->Float(0), 2.5);
  EXPECT_EQ(real.value->Int(0), 2);
  EXPECT_EQ(ParseTensor(Proto(7, {1}, BytesField(8, "text"))).value, std::nullopt);
}

TEST(Values, LargeTensorsAreShapesOnly) {
  const Constant huge = ParseTensor(Proto(1, {1 << 30, 1 << 30}, ""));
  EXPECT_EQ(huge.shape, (Shape{1 << 30, 1 << 30}));
  EXPECT_EQ(huge.value, std::nullopt);
  EXPECT_EQ(ParseTensor(Proto(3, {5000}, VarintField(7, 1))).value, std::nullopt);
}

TEST(Values, FloatsStayInRange) {
  Value value(true);
  value.AddFloat(1e300);
  value.AddFloat(std::nan(""));
  value.AddFloat(-0.0);
  EXPECT_GT(value.Int(0), int64_t{1} << 62);
  EXPECT_EQ(value.Int(1), 0);
  EXPECT_TRUE(value.Known(2));
}

TEST(Values, JoinKeepsWhatAgrees) {
  EXPECT_EQ(Join(Value::Integers({1, 2}), Value::Integers({1, 3})), Value::Integers({1, Value::kUnknown}));
  EXPECT_EQ(Join(Value::Integers({1}), Value::Integers({2})), std::nullopt);
  EXPECT_EQ(Join(Value::Integers({1}), Value::Integers({1, 2})), std::nullopt);
  EXPECT_EQ(ShapeOfValue(Value::Integers({2, -1, Value::kUnknown})), (Shape{2, -1, -1}));
  EXPECT_EQ(ShapeOfValue(Value::Integers(std::vector<int64_t>(300, 1))), Shape())
      << "no tensor has that rank";
}

DependencyLists Edges(size_t nodes, const std::vector<std::pair<uint32_t, uint32_t>>& edges) {
  DependencyLists out;
  out.begin.push_back(0);
  for (uint32_t i = 0; i < nodes; ++i) {
    for (const auto& edge : edges) {
      if (edge.first == i) out.nodes.push_back(OpId(edge.second));
    }
    out.begin.push_back(static_cast<uint32_t>(out.nodes.size()));
  }
  return out;
}

std::vector<std::vector<uint32_t>> Components(size_t nodes,
                                              const std::vector<std::pair<uint32_t, uint32_t>>& edges) {
  std::vector<OpId> order;
  for (size_t i = 0; i < nodes; ++i) order.push_back(OpId(i));
  std::vector<std::vector<uint32_t>> out;
  for (const auto& component : StronglyConnected(Edges(nodes, edges), order)) {
    out.emplace_back();
    for (const OpId id : component) out.back().push_back(id.value);
  }
  return out;
}

TEST(Components, WhatIsNeededComesFirst) {
  using Lists = std::vector<std::vector<uint32_t>>;
  EXPECT_EQ(Components(3, {{0, 1}, {1, 2}}), (Lists{{2}, {1}, {0}}));
  EXPECT_EQ(Components(4, {{0, 1}, {1, 2}, {2, 1}, {2, 3}}), (Lists{{3}, {1, 2}, {0}}));
  EXPECT_EQ(Components(2, {{0, 0}, {1, 0}}), (Lists{{0}, {1}}));
  EXPECT_EQ(Components(4, {{0, 1}, {1, 0}, {2, 3}, {3, 2}, {2, 0}}), (Lists{{0, 1}, {2, 3}}));
}

TEST(Components, ALongChainNeedsNoStack) {
  std::vector<std::pair<uint32_t, uint32_t>> none;
  DependencyLists chain;
  std::vector<OpId> order;
  constexpr uint32_t kNodes = 500'000;
  for (uint32_t i = 0; i < kNodes; ++i) {
    chain.begin.push_back(i);
    chain.nodes.push_back(OpId((i + 1) % kNodes));
    order.push_back(OpId(i));
  }
  chain.begin.push_back(kNodes);
  const auto found = StronglyConnected(chain, order);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].size(), size_t{kNodes});
}

}  // namespace
}  // namespace tfprof
