#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/atomic_file.h"
#include "base/buffer.h"

namespace tfprof {
namespace {

namespace fs = std::filesystem;

class FilesTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "tfprof_files_XXXXXX").string();
    folder_ = mkdtemp(name.data());
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string Path(const char* name) const { return (folder_ / name).string(); }
  static std::string Content(const std::string& path) {
    std::ostringstream out;
    out << std::ifstream(path, std::ios::binary).rdbuf();
    return out.str();
  }
  size_t Count() const {
    return static_cast<size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  fs::path folder_;
};

using AtomicFileTest = FilesTest;
using BufferTest = FilesTest;

TEST_F(AtomicFileTest, AppearsWholeAtCommit) {
  Result<AtomicFile> file = AtomicFile::Create(Path("out"));
  ASSERT_TRUE(file.ok());
  file->Write("one ");
  file->Write("two");
  EXPECT_FALSE(fs::exists(Path("out")));
  EXPECT_EQ(file->written(), 7u);
  ASSERT_TRUE(file->Commit().ok());
  EXPECT_EQ(Content(Path("out")), "one two");
  EXPECT_EQ(Count(), 1u);
}

TEST_F(AtomicFileTest, WithoutCommitTheOldFileStaysAndNothingIsLeft) {
  ASSERT_TRUE(WriteFile(Path("out"), "old").ok());
  {
    Result<AtomicFile> file = AtomicFile::Create(Path("out"));
    ASSERT_TRUE(file.ok());
    file->Write("new");
    EXPECT_EQ(Content(Path("out")), "old");
  }
  EXPECT_EQ(Content(Path("out")), "old");
  EXPECT_EQ(Count(), 1u);
}

TEST_F(AtomicFileTest, MovingHandsTheDutyOver) {
  Result<AtomicFile> file = AtomicFile::Create(Path("out"));
  ASSERT_TRUE(file.ok());
  AtomicFile other = std::move(*file);
  other.Write("text");
  ASSERT_TRUE(other.Commit().ok());
  EXPECT_EQ(Content(Path("out")), "text");
}

TEST_F(AtomicFileTest, KeepsTheModeOfTheFileItReplaces) {
  ASSERT_TRUE(WriteFile(Path("out"), "old").ok());
  chmod(Path("out").c_str(), 0640);
  ASSERT_TRUE(WriteFile(Path("out"), "new").ok());
  struct stat st {};
  ASSERT_EQ(stat(Path("out").c_str(), &st), 0);
  EXPECT_EQ(st.st_mode & 0777, 0640u);
}

TEST_F(AtomicFileTest, SaysWhatCannotBeWritten) {
  const Status missing = WriteFile(Path("no/such/folder"), "x");
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().kind, ErrorKind::kInput);
  EXPECT_NE(missing.error().message.find(Path("no/such/folder")), std::string::npos);
  const Status folder = WriteFile(folder_.string(), "x");
  ASSERT_FALSE(folder.ok());
  EXPECT_NE(folder.error().message.find("is a directory"), std::string::npos);
}

TEST_F(AtomicFileTest, ReportsAFullDisk) {
  if (!fs::exists("/dev/full")) GTEST_SKIP();
  EXPECT_FALSE(WriteFile("/dev/full", std::string(100000, 'x')).ok());
}

TEST_F(BufferTest, MapsAFileAndSurvivesAMove) {
  ASSERT_TRUE(WriteFile(Path("in"), "content").ok());
  Result<Buffer> buffer = Buffer::Open(Path("in"));
  ASSERT_TRUE(buffer.ok());
  const std::string_view view = buffer->bytes();
  const Buffer moved = std::move(*buffer);
  EXPECT_EQ(moved.bytes(), "content");
  EXPECT_EQ(moved.bytes().data(), view.data());
}

TEST_F(BufferTest, OwnedTextSurvivesAMoveHoweverShort) {
  Buffer a(std::string("x"));
  const std::string_view view = a.bytes();
  const Buffer b = std::move(a);
  EXPECT_EQ(view.data(), b.bytes().data());
}

TEST_F(BufferTest, AnEmptyFileIsEmptyAndAMissingOneAnError) {
  ASSERT_TRUE(WriteFile(Path("in"), "").ok());
  Result<Buffer> empty = Buffer::Open(Path("in"));
  ASSERT_TRUE(empty.ok());
  EXPECT_TRUE(empty->bytes().empty());
  EXPECT_FALSE(Buffer::Open(Path("nowhere")).ok());
  EXPECT_FALSE(Buffer::Open(folder_.string()).ok());
}

TEST(GzipTest, PacksAndUnpacks) {
  for (size_t size : {size_t{0}, size_t{1}, size_t{1000}, size_t{3} << 20}) {
    const std::string text(size, 'a');
    Result<std::string> packed = Gzip(text);
    ASSERT_TRUE(packed.ok());
    EXPECT_TRUE(IsGzip(*packed));
    Result<Buffer> unpacked = Gunzip(*packed, "f", size + 1);
    ASSERT_TRUE(unpacked.ok());
    EXPECT_EQ(unpacked->bytes(), text);
  }
}

TEST(GzipTest, JoinsMembers) {
  Result<Buffer> unpacked = Gunzip(*Gzip("one ") + *Gzip("two"), "f", 100);
  ASSERT_TRUE(unpacked.ok());
  EXPECT_EQ(unpacked->bytes(), "one two");
}

TEST(GzipTest, DoesNotUnpackBeyondTheLimit) {
  const Result<Buffer> bomb = Gunzip(*Gzip(std::string(size_t{8} << 20, '\0')), "bomb", 1000);
  ASSERT_FALSE(bomb.ok());
  EXPECT_EQ(bomb.error().message, "bomb: unpacks to more than 1000 bytes; --max_input SIZE allows more");
}

TEST(GzipTest, WithoutALimitAHundredTimesTheSizeIsTheLimit) {
  const std::string zeros(size_t{64} << 20, '\0');  // which shrink to a thousandth
  EXPECT_FALSE(Gunzip(*Gzip(zeros), "bomb", {}).ok());
  const Result<Buffer> small = Gunzip(*Gzip(std::string_view(zeros).substr(0, size_t{12} << 20)), "f", {});
  ASSERT_TRUE(small.ok());
  EXPECT_EQ(small->bytes().size(), size_t{12} << 20);
}

TEST(GzipTest, GivesWhatCameBeforeTheDamage) {
  std::string text;
  for (int i = 0; i < 20000; ++i) text += std::to_string(i * 7919 % 10007) + " ";
  const std::string packed = *Gzip(text);
  Buffer readable;
  const Result<Buffer> cut = Gunzip(packed.substr(0, packed.size() / 2), "f", size_t{1} << 30, &readable);
  ASSERT_FALSE(cut.ok());
  EXPECT_EQ(cut.error().message, "f: the gzip data ends too early (the file is cut short)");
  EXPECT_GT(readable.bytes().size(), 1000u);
  EXPECT_EQ(readable.bytes(), text.substr(0, readable.bytes().size()));
}

TEST(GzipTest, NoticesDamage) {
  std::string packed = *Gzip(std::string(5000, 'q') + "tail");
  packed[packed.size() - 6] = static_cast<char>(packed[packed.size() - 6] ^ 1);  // the checksum
  EXPECT_FALSE(Gunzip(packed, "f", 100000).ok());
  EXPECT_FALSE(Gunzip("\x1f\x8b", "f", 100).ok());
  EXPECT_FALSE(Gunzip(std::string("\x1f\x8b\x08") + std::string(20, '\xFF'), "f", 100).ok());
}

}  // namespace
}  // namespace tfprof
