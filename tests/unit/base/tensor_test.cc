#include "tfprof/tensor.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tfprof {
namespace {

double Real(int32_t dtype, std::string_view bytes) { return ElementAt(dtype, bytes, 0).real; }

TEST(Tensor, NamesAndSizes) {
  EXPECT_EQ(DataTypeName(1), "float32");
  EXPECT_EQ(DataTypeName(19), "float16");
  EXPECT_EQ(DataTypeName(33), "float4_e2m1fn");
  EXPECT_EQ(DataTypeName(77), "type 77");
  EXPECT_EQ(DataTypeName(-1), "type -1");
  EXPECT_EQ(DataTypeBytes(18), 16u);
  EXPECT_EQ(DataTypeBytes(7), 0u);
  EXPECT_EQ(DataTypeBytes(1000), 0u);
  EXPECT_EQ(KindOfElements(21), ElementKind::kNone);
}

TEST(Tensor, HalfAndBfloat) {
  EXPECT_EQ(Real(19, std::string_view("\x00\x3C", 2)), 1.0);
  EXPECT_EQ(Real(19, std::string_view("\x01\x00", 2)), std::ldexp(1.0, -24));  // the smallest subnormal
  EXPECT_EQ(Real(19, "\xFF\x7B"), 65504.0);
  EXPECT_EQ(Real(19, std::string_view("\x00\xFC", 2)), -HUGE_VAL);
  EXPECT_TRUE(std::isnan(Real(19, "\x01\x7E")));
  EXPECT_EQ(Real(14, "\x80\x3F"), 1.0);
}

// The values are those of the ml_dtypes package.
TEST(Tensor, EightBitFloats) {
  EXPECT_EQ(Real(24, "\x7B"), 57344.0);
  EXPECT_EQ(Real(24, "\xFC"), -HUGE_VAL);
  EXPECT_TRUE(std::isnan(Real(24, "\x7F")));
  EXPECT_EQ(Real(25, "\x7E"), 448.0);
  EXPECT_TRUE(std::isnan(Real(25, "\xFF")));
  EXPECT_EQ(Real(26, "\x7F"), 240.0);
  EXPECT_TRUE(std::isnan(Real(26, "\x80")));
  EXPECT_EQ(Real(27, "\x7F"), 30.0);
  EXPECT_EQ(Real(28, "\x7F"), 57344.0);
  EXPECT_EQ(Real(25, "\x01"), std::ldexp(1.0, -9));
  EXPECT_EQ(Real(33, "\x0F"), -6.0);
  EXPECT_EQ(Real(33, "\x01"), 0.5);
}

TEST(Tensor, IntegersOfEverySize) {
  EXPECT_EQ(ElementAt(29, "\xF8", 0).integer, -8);  // int4: the bits above are no part of it
  EXPECT_EQ(ElementAt(29, "\x07", 0).integer, 7);
  EXPECT_EQ(ElementAt(30, "\xFF", 0).integer, 15);
  EXPECT_EQ(ElementAt(31, "\x02", 0).integer, -2);
  EXPECT_EQ(ElementAt(32, "\x03", 0).integer, 3);
  EXPECT_EQ(ElementAt(6, "\x01\x80", 1).integer, -128);
  EXPECT_EQ(ElementAt(17, "\xFF\xFF", 0).integer, 65535);
  EXPECT_EQ(ElementAt(23, std::string(8, '\xFF'), 0).integer, -1);  // the bits of 2^64 - 1
  EXPECT_EQ(ElementAt(10, "\x07", 0).integer, 1);
  const Element complex = ElementAt(8, std::string_view("\0\0\x80\x3F\0\0\0\xC0", 8), 0);
  EXPECT_EQ(complex.real, 1.0);
  EXPECT_EQ(complex.imaginary, -2.0);
}

}  // namespace
}  // namespace tfprof
