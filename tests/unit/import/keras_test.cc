#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <map>
#include <sstream>

#include "import/foreign_formats.h"
#include "import/keras/archive.h"
#include "import/keras/config.h"
#include "import/keras/hdf5.h"

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

std::string CorpusFile(const char* name) {
  std::ostringstream content;
  content << std::ifstream(std::string(TFPROF_TEST_DATA "/../../fuzz/corpus/hdf5/") + name, std::ios::binary)
                 .rdbuf();
  return content.str();
}

// What h5py wrote: /layers/dense/vars with 0 [2, 3] and 1 [3], /s a scalar, /b two truth values, /h halves.
TEST(Hdf5, BothFormsOfGroupsAndHeaders) {
  for (const char* name : {"newest_form", "form_of_1_8"}) {
    const std::string file = CorpusFile(name);
    const Result<std::vector<Hdf5Object>> objects = ReadHdf5(file, name);
    ASSERT_TRUE(objects.ok()) << objects.error().message;
    std::map<std::string, Hdf5Object> found;
    for (const Hdf5Object& object : *objects) found.emplace(object.name, object);
    ASSERT_TRUE(found.contains("vars") && found.contains("h")) << name;
    EXPECT_EQ(found["0"].dims, (std::vector<int64_t>{2, 3}));
    EXPECT_EQ(found["0"].dtype, 1);
    EXPECT_EQ((*objects)[found["0"].parent].name, "vars");
    EXPECT_EQ(found["1"].dtype, 2) << "float64";
    EXPECT_TRUE(found["s"].dataset && found["s"].dims.empty());
    EXPECT_EQ(found["b"].dtype, 10) << "bool";
    EXPECT_EQ(found["h"].dtype, 19) << "float16";
    EXPECT_EQ(found["vars"].name_attribute, "kernel");
    EXPECT_FALSE(found["vars"].dataset);
  }
}

TEST(Hdf5, TypesOfEveryKind) {
  const std::string file = CorpusFile("types");
  const Result<std::vector<Hdf5Object>> objects = ReadHdf5(file, "types");
  ASSERT_TRUE(objects.ok()) << objects.error().message;
  std::map<std::string, int32_t> types;
  for (const Hdf5Object& object : *objects) types[std::string(object.name)] = object.dtype;
  EXPECT_EQ(types["i1"], 6);
  EXPECT_EQ(types["u1"], 4);
  EXPECT_EQ(types["i2"], 5);
  EXPECT_EQ(types["u2"], 17);
  EXPECT_EQ(types["u4"], 22);
  EXPECT_EQ(types["i8"], 9);
  EXPECT_EQ(types["u8"], 23);
  EXPECT_EQ(types["S5"], 7);
  EXPECT_EQ(types["c8"], 0) << "a compound: no tensor of ours";
  EXPECT_FALSE(types.contains("soft")) << "a second name";
}

TEST(Hdf5, ManyObjectsInOneGroup) {
  const std::string file = CorpusFile("many_objects");
  const Result<std::vector<Hdf5Object>> objects = ReadHdf5(file, "many");
  ASSERT_TRUE(objects.ok()) << objects.error().message;
  EXPECT_EQ(objects->size(), 31u);
}

// A header of 1000 continuations into one stretch of empty messages, each a little shorter than the last:
// a file of a megabyte made so took the square of its size.
TEST(Hdf5, BlocksThatOverlapAreDamage) {
  constexpr uint64_t kHeader = 96, kContinuations = 1000, kZeros = kHeader + 16 + kContinuations * 24,
                     kSize = 64'000;
  std::string file(kSize, '\0');
  const auto put = [&](uint64_t at, auto value) { std::memcpy(file.data() + at, &value, sizeof value); };
  std::memcpy(file.data(), "\x89HDF\r\n\x1a\n", 8);
  file[13] = file[14] = 8;
  put(24 + 40, kHeader);
  file[kHeader] = 1;
  put(kHeader + 8, static_cast<uint32_t>(kContinuations * 24));
  for (uint64_t i = 0; i < kContinuations; ++i) {
    const uint64_t message = kHeader + 16 + i * 24, begin = kZeros + i * 8;
    put(message, uint16_t{16});
    put(message + 2, uint16_t{16});
    put(message + 8, begin);
    put(message + 16, kSize - begin);
  }
  const Result<std::vector<Hdf5Object>> objects = ReadHdf5(file, "overlapping");
  ASSERT_FALSE(objects.ok());
  EXPECT_NE(objects.error().message.find("messages that overlap"), std::string::npos)
      << objects.error().message;
}

TEST(ForeignFormats, AreKnownByTheirContent) {
  const auto name = [](std::string_view bytes) {
    const ForeignFormat* found = FindForeign(bytes);
    return found ? found->name : std::string_view();
  };
  EXPECT_NE(name(std::string_view("\x89HDF\r\n\x1a\n", 8)).find("HDF5"), std::string_view::npos);
  EXPECT_NE(name(std::string_view("\x1c\0\0\0TFL3....", 12)).find("Lite"), std::string_view::npos);
  EXPECT_NE(name("\x93NUMPY\x01").find(".npy"), std::string_view::npos);
  EXPECT_NE(name("GGUF\x03").find("GGUF"), std::string_view::npos);
  EXPECT_NE(name("{\"displayTimeUnit\": \"ns\", \"traceEvents\": []}").find("chrome"),
            std::string_view::npos);
  EXPECT_NE(name(std::string_view("\x40\0\0\0\0\0\0\0{\"w\": {}}", 17)).find("safetensors"),
            std::string_view::npos);
  // ModelProto { ir_version: 8, graph {} }
  EXPECT_NE(name(std::string_view("\x08\x08\x3a\x00", 4)).find("ONNX"), std::string_view::npos);
  EXPECT_EQ(name("anything else"), "");
  EXPECT_EQ(name(""), "");
}

}  // namespace
}  // namespace tfprof
