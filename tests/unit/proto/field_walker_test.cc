#include "proto/field_walker.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tfprof {
namespace {

using namespace std::string_literals;

std::vector<uint32_t> Numbers(std::string_view bytes, std::string* problem = nullptr) {
  FieldWalker walker(bytes);
  Field field;
  std::vector<uint32_t> out;
  while (walker.Next(&field)) out.push_back(field.number);
  if (problem) *problem = walker.damaged() ? walker.problem() : "";
  return out;
}

TEST(FieldWalker, YieldsEveryWireType) {
  const std::string bytes = "\x08\x96\x01"s + "\x11"s + "12345678"s + "\x1a\x03" + "abc" + "\x25" + "1234";
  FieldWalker walker(bytes);
  Field field;
  ASSERT_TRUE(walker.Next(&field));
  EXPECT_TRUE(field.is_varint());
  EXPECT_EQ(field.value, 150u);
  ASSERT_TRUE(walker.Next(&field));
  ASSERT_TRUE(walker.Next(&field));
  EXPECT_TRUE(field.is_bytes());
  EXPECT_EQ(field.bytes, "abc");
  ASSERT_TRUE(walker.Next(&field));
  EXPECT_EQ(field.number, 4u);
  EXPECT_FALSE(walker.Next(&field));
  EXPECT_FALSE(walker.damaged());
}

TEST(FieldWalker, AFieldThatIsCutIsYieldedWithWhatThereIs) {
  FieldWalker walker(
      "\x0a\x05"
      "abc");
  Field field;
  ASSERT_TRUE(walker.Next(&field));
  EXPECT_TRUE(walker.damaged());
  EXPECT_EQ(field.bytes, "abc");
  EXPECT_FALSE(walker.Next(&field));
}

TEST(FieldWalker, NamesEveryKindOfDamage) {
  std::string problem;
  EXPECT_EQ(Numbers("\x08\x01\x80", &problem).size(), 1u);
  EXPECT_EQ(problem, "unreadable field tag");
  Numbers("\x00\x01"s, &problem);
  EXPECT_EQ(problem, "impossible field number");
  Numbers("\x08\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01", &problem);
  EXPECT_EQ(problem, "unreadable number");
  Numbers("\x0b", &problem);
  EXPECT_EQ(problem, "unknown wire type");
  Numbers(
      "\x09"
      "1234",
      &problem);
  EXPECT_EQ(problem, "a number is cut off");
  Numbers("\x0a\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x7F", &problem);
  EXPECT_EQ(problem, "a field is longer than the rest of the message");
  EXPECT_TRUE(Numbers("", &problem).empty());
  EXPECT_EQ(problem, "");
}

}  // namespace
}  // namespace tfprof
