#include <fstream>
#include <sstream>

#include "import/keras/archive.h"
#include "import/keras/config.h"

namespace tfprof {
namespace {

std::string ReadData(const char* name) {
  std::ostringstream content;
  content << std::ifstream(std::string(TFPROF_TEST_DATA "/keras/") + name, std::ios::binary).rdbuf();
  return content.str();
}

TEST(KerasArchive, IsKnownByItsEntries) {
  EXPECT_TRUE(IsKerasArchive(ReadData("nested.keras")));
  EXPECT_FALSE(IsKerasArchive(ReadData("facts.json")));
  EXPECT_FALSE(IsKerasArchive(""));
}

TEST(KerasArchive, NamesOfWeightsAreThoseThatKerasMakes) {
  EXPECT_EQ(SnakeCase("Dense"), "dense");
  EXPECT_EQ(SnakeCase("BatchNormalization"), "batch_normalization");
  EXPECT_EQ(SnakeCase("Conv2DTranspose"), "conv2d_transpose");
  EXPECT_EQ(SnakeCase("LSTM"), "lstm");
  EXPECT_EQ(SnakeCase("PReLU"), "p_re_lu");
}

// Archives of older versions of Keras do not keep a layer's name beside its variables.
TEST(KerasArchive, LayersAreFoundWithoutTheirNames) {
  std::string bytes = ReadData("nested.keras");
  for (size_t at = bytes.find("name\0\0\0\0", 0, 8); at != std::string::npos;
       at = bytes.find("name\0\0\0\0", at + 1, 8))
    bytes[at] = 'N';
  const Result<KerasModel> named = ReadKerasArchive(ReadData("nested.keras"), "a");
  const Result<KerasModel> nameless = ReadKerasArchive(bytes, "b");
  ASSERT_TRUE(named.ok() && nameless.ok());
  ASSERT_EQ(named->variables.size(), nameless->variables.size());
  for (size_t i = 0; i < named->variables.size(); ++i)
    EXPECT_EQ(named->variables[i].name, nameless->variables[i].name);
}

TEST(KerasArchive, AnErrorOfWeightsNamesTheByte) {
  std::string bytes = ReadData("own.keras");
  const size_t tree = bytes.find("TREE");
  ASSERT_NE(tree, std::string::npos);
  bytes[tree] = 'X';
  const Result<KerasModel> model = ReadKerasArchive(bytes, "own.keras");
  ASSERT_FALSE(model.ok());
  EXPECT_NE(model.error().message.find("own.keras: no group at byte"), std::string::npos)
      << model.error().message;
}

}  // namespace
}  // namespace tfprof
