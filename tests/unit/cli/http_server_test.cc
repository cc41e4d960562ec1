#include "cli/http_server.h"

#include <gtest/gtest.h>

namespace tfprof::cli {
namespace {

class HttpAnswers : public testing::Test {
 protected:
  void SetUp() override {
    SiteOptions options;
    options.options.memory_files = {
        {"graph.pbtxt", std::make_shared<const std::string>("node { name: \"a\" op: \"NoOp\" }")}};
    options.options.inputs = {"graph.pbtxt"};
    Result<std::unique_ptr<Site>> site = Site::Open(std::move(options));
    ASSERT_TRUE(site.ok());
    site_ = std::move(*site);
  }
  int StatusOf(const char* host, std::string_view uri, bool is_get = true,
               const std::string& address = "127.0.0.1") {
    return AnswerTo(*site_, address, "secret", {is_get, host, uri}).status;
  }
  std::unique_ptr<Site> site_;
};

TEST_F(HttpAnswers, TheTokenOpensTheSite) {
  EXPECT_EQ(StatusOf("127.0.0.1:8080", "/secret/"), 200);
  EXPECT_EQ(StatusOf("127.0.0.1:8080", "/secret/?a=b#c"), 200);
  for (const char* uri : {"/", "/secret", "/secreT/", "/secrets/", "/secre/", "//secret/", "/x/secret/"})
    EXPECT_EQ(StatusOf("127.0.0.1:8080", uri), 403) << uri;
  EXPECT_EQ(StatusOf("127.0.0.1:8080", "http://127.0.0.1/secret/"), 400);
  EXPECT_EQ(StatusOf("127.0.0.1:8080", ""), 400);
  EXPECT_EQ(StatusOf("127.0.0.1:8080", "/secret/", false), 405);
}

TEST_F(HttpAnswers, OnlyNamesOfThisMachineAreAnswered) {
  for (const char* host : {"localhost", "localhost:1", "[::1]", "[::1]:80", "127.0.0.1"})
    EXPECT_EQ(StatusOf(host, "/secret/"), 200) << host;
  for (const char* host : {"evil.example", "evil.example:80", "127.0.0.1.evil.example", "", "10.0.0.5"})
    EXPECT_EQ(StatusOf(host, "/secret/"), 403) << host;
  EXPECT_EQ(StatusOf(nullptr, "/secret/"), 403);
  EXPECT_EQ(StatusOf("10.0.0.5:80", "/secret/", true, "10.0.0.5"), 200) << "the address that it listens at";
  EXPECT_EQ(StatusOf("10.0.0.6:80", "/secret/", true, "10.0.0.5"), 403);
}

}  // namespace
}  // namespace tfprof::cli
