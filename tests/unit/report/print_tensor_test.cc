#include "report/print_tensor.h"

#include <gtest/gtest.h>

namespace tfprof {
namespace {

CheckpointTensor TensorOf(std::vector<int64_t> shape) {
  CheckpointTensor out;
  out.shape = std::move(shape);
  return out;  // of no elements: the shape is impossible, or one of its sizes is 0
}

TEST(PrintTensor, ShapesWithoutElementsMayHaveSizesOfAnyProduct) {
  constexpr int64_t kHuge = int64_t{1} << 40;
  for (const auto& shape : {std::vector{kHuge, kHuge}, std::vector{kHuge, kHuge, int64_t{0}},
                            std::vector{kHuge, kHuge, kHuge, kHuge}}) {
    for (const int64_t most : {int64_t{-1}, int64_t{0}, int64_t{1000}}) {
      EXPECT_EQ(PrintTensor(TensorOf(shape), TensorValues(), most), "[]");
      EXPECT_EQ(RangesToPrint(TensorOf(shape), most).size(), 1u);
    }
  }
}

}  // namespace
}  // namespace tfprof
