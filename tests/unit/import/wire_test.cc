#include "import/wire.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tfprof {
namespace {

TEST(ForEachField, OneBadFieldCostsOneField) {
  ProfileBuilder builder(Detail::kFigures, true);
  const std::string bytes =
      "\x0a\x01"
      "a"
      "\x0a\x01"
      "b"
      "\x0a\x01"
      "c";
  const WireFile file{"f", bytes};
  std::string seen;
  const Status status = ForEachField(file, file.bytes, builder, "thing", [&](const Field& field) -> Status {
    if (field.bytes == "b") throw protozero::end_of_buffer_exception();
    seen += field.bytes;
    return {};
  });
  EXPECT_TRUE(status.ok());
  EXPECT_EQ(seen, "ac");
  const auto profile = builder.Finish();
  EXPECT_EQ(profile->damage.at("damaged thing"), 1);
  EXPECT_EQ(profile->warnings.at(0), "f: damaged thing at byte 3: a field in it is longer than the record");
}

TEST(ForEachField, WithoutKeepGoingTheFirstDamageEndsIt) {
  ProfileBuilder builder(Detail::kFigures, false);
  const std::string bytes =
      "\x0a\x01"
      "a"
      "\x0a\x09"
      "b";
  const WireFile file{"f", bytes};
  int calls = 0;
  const Status status = ForEachField(file, file.bytes, builder, "thing", [&](const Field&) -> Status {
    ++calls;
    return {};
  });
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(calls, 1);
  EXPECT_NE(status.error().message.find("at byte 3 of 6"), std::string::npos) << status.error().message;
}

TEST(ForEachField, ACutAtTheEndOfTheFileIsSaidOnceAtHoweverManyLevels) {
  ProfileBuilder builder(Detail::kFigures, true);
  const std::string bytes =
      "\x0a\x09\x0a\x08\x0a\x07"
      "cut";
  const WireFile file{"f", bytes};
  const auto ignore = [](const Field&) -> Status { return {}; };
  const auto inner = [&](const Field& f) { return ForEachField(file, f.bytes, builder, "inner", ignore); };
  const auto middle = [&](const Field& f) { return ForEachField(file, f.bytes, builder, "middle", inner); };
  ASSERT_TRUE(ForEachField(file, file.bytes, builder, "outer", middle).ok());
  EXPECT_EQ(builder.Finish()->warnings.size(), 1u);
}

TEST(ForEachField, AnErrorOfTheHandlerEndsTheWalk) {
  ProfileBuilder builder(Detail::kFigures, true);
  const std::string bytes =
      "\x0a\x01"
      "a"
      "\x0a\x01"
      "b";
  const WireFile file{"f", bytes};
  int calls = 0;
  const Status status = ForEachField(file, file.bytes, builder, "thing", [&](const Field&) -> Status {
    ++calls;
    return Error::Usage("no");
  });
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace tfprof
