#include "diff/limits.h"

#include <gtest/gtest.h>

#include "base/atomic_file.h"

namespace tfprof {
namespace {

TEST(Limits, HaveFigureAmountAndRows) {
  const Result<Limit> limit = ParseLimit(" micros > +1.5ms@gradients/.* ");
  ASSERT_TRUE(limit.ok());
  EXPECT_EQ(limit->figure, ColumnId::kMicros);
  EXPECT_EQ(limit->amount, 1500);
  EXPECT_TRUE(limit->of_growth && !limit->is_percent);
  ASSERT_TRUE(limit->row);
  EXPECT_EQ(limit->row->pattern(), "gradients/.*");
  EXPECT_EQ(limit->text, "micros > +1.5ms@gradients/.*");
}

TEST(Limits, ArePercentagesOfGrowthGrowthOrTheFigureItself) {
  const Result<Limit> percent = ParseLimit("bytes>+2.5%");
  ASSERT_TRUE(percent.ok());
  EXPECT_FALSE(percent->Breaks(1000, 1025));
  EXPECT_TRUE(percent->Breaks(1000, 1026));
  EXPECT_TRUE(percent->Breaks(0, 1));
  EXPECT_FALSE(percent->Breaks(0, 0));
  EXPECT_FALSE(percent->Breaks(1000, 10));
  const Result<Limit> growth = ParseLimit("bytes>+1KB");
  EXPECT_FALSE(growth->Breaks(5, 1005));
  EXPECT_TRUE(growth->Breaks(5, 1006));
  const Result<Limit> figure = ParseLimit("bytes>1KB");
  EXPECT_FALSE(figure->Breaks(5000, 1000));
  EXPECT_TRUE(figure->Breaks(5000, 1001));
  EXPECT_TRUE(ParseLimit("params>+0")->Breaks(7, 8));
  EXPECT_FALSE(ParseLimit("params>+0")->Breaks(8, 8));
}

TEST(Limits, NameADevice) {
  const Result<Limit> limit = ParseLimit("peak_bytes:GPU:0>+100MB");
  ASSERT_TRUE(limit.ok());
  EXPECT_EQ(limit->device, "GPU:0");
  EXPECT_EQ(limit->amount, 1e8);
  EXPECT_TRUE(IsDevice("/job:a/task:0/device:gpu:0", "GPU:0"));
  EXPECT_TRUE(IsDevice("/gpu:0", "gpu:0"));
  EXPECT_FALSE(IsDevice("/job:a/device:xgpu:0", "GPU:0"));
  EXPECT_FALSE(IsDevice("/job:a/device:gpu:10", "GPU:0"));
}

TEST(Limits, AFileHasCommentsAndItsMistakesHaveLines) {
  const std::string path = testing::TempDir() + "/limits.txt";
  ASSERT_TRUE(WriteFile(path, "# all\r\nbytes>+5%\r\n\nmicros>+1ms@a#b   # last\n").ok());
  Options options;
  options.fail_if = {"params>+0"};
  options.limits = path;
  const Result<std::vector<Limit>> limits = ReadLimits(options);
  ASSERT_TRUE(limits.ok());
  ASSERT_EQ(limits->size(), 3u);
  EXPECT_EQ((*limits)[0].text, "params>+0");
  EXPECT_EQ((*limits)[2].text, "micros>+1ms@a#b");
  ASSERT_TRUE(WriteFile(path, "\nbytes>+5%\nbytes>>+5%").ok());
  const Result<std::vector<Limit>> bad = ReadLimits(options);
  ASSERT_FALSE(bad.ok());
  EXPECT_NE(bad.error().message.find("line 3"), std::string::npos) << bad.error().message;
}

}  // namespace
}  // namespace tfprof
