#include "import/checkpoint/paths.h"

#include <gtest/gtest.h>

#include "import/checkpoint/import.h"
#include "support/made_folder.h"

namespace tfprof {
namespace {

std::string Data(const std::string& name) {
  std::ifstream in(std::string(TFPROF_TEST_DATA) + "/checkpoints/object/" + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// An index is one by its content; the names say the rest.
class CheckpointPaths : public testing::Test {
 protected:
  std::string Index(const std::string& name) { return folder_.Write(name, Data("model-1.index")); }
  std::string MessageOf(const std::string& path) {
    const Result<CheckpointPlace> place = FindCheckpoint(path);
    return place ? "" : place.error().message;
  }
  MadeFolder folder_;
};

TEST_F(CheckpointPaths, APrefixIsABundleByItsIndex) {
  Index("run/model-5.index");
  folder_.Write("run/model-5.data-00000-of-00001", "");
  folder_.Write("run/model-5.meta", "graph");
  for (const char* given : {"run/model-5", "run/model-5.data-00000-of-00001", "run/model-5.meta", "run"}) {
    const Result<CheckpointPlace> place = FindCheckpoint(folder_.path(given));
    ASSERT_TRUE(place.ok()) << given << ": " << place.error().message;
    EXPECT_EQ(place->prefix, folder_.path("run/model-5")) << given;
    EXPECT_TRUE(place->is_bundle) << given;
    EXPECT_EQ(place->tables, std::vector{folder_.path("run/model-5.index")}) << given;
  }
  EXPECT_TRUE(IsDataFile(folder_.path("run/model-5.data-00000-of-00001")));
  EXPECT_FALSE(IsDataFile(folder_.path("run/model-6.data-00000-of-00001")));
  EXPECT_TRUE(IsCheckpointPrefix(folder_.path("run/model-5")));
  EXPECT_FALSE(IsCheckpointPrefix(folder_.path("run")));
}

TEST_F(CheckpointPaths, AnIndexOfAnyNameIsABundle) {
  Index("renamed");
  const Result<CheckpointPlace> place = FindCheckpoint(folder_.path("renamed"));
  ASSERT_TRUE(place.ok());
  EXPECT_TRUE(place->is_bundle);
  EXPECT_EQ(place->prefix, folder_.path("renamed"));
}

TEST_F(CheckpointPaths, OfSeveralSetsOfShardsTheLargestWholeOneIsTaken) {
  for (const char* name : {"m-00000-of-00002", "m-00001-of-00002", "m-00000-of-00003", "m-00002-of-00003",
                           "other-00000-of-00009", "m-0000x-of-00002", "m-00002-of-00002"})
    folder_.Write(name, "V1");
  const Result<CheckpointPlace> whole = FindCheckpoint(folder_.path("m"));
  ASSERT_TRUE(whole.ok());
  EXPECT_FALSE(whole->is_bundle);
  EXPECT_EQ(whole->tables, (std::vector{folder_.path("m-00000-of-00002"), folder_.path("m-00001-of-00002")}));
  EXPECT_TRUE(whole->missing.empty());
  EXPECT_TRUE(IsCheckpointPrefix(folder_.path("m")));
  // As `checkpoint` files of V1 have it.
  EXPECT_EQ(FindCheckpoint(folder_.path("m-\?\?\?\?\?-of-00002"))->prefix, folder_.path("m"));
  std::filesystem::remove(folder_.path("m-00000-of-00002"));
  const Result<CheckpointPlace> cut = FindCheckpoint(folder_.path("m"));
  ASSERT_TRUE(cut.ok());
  EXPECT_EQ(cut->missing, std::vector{folder_.path("m-00001-of-00003")}) << "none is whole: the larger one";
}

TEST_F(CheckpointPaths, TheStateFileNamesTheNewest) {
  Index("a-1.index");
  Index("a-2.index");
  folder_.Write("checkpoint", "model_checkpoint_path: \"a-1\"\nall_model_checkpoint_paths: \"a-2\"\n");
  const Result<CheckpointPlace> place = FindCheckpoint(folder_.path());
  ASSERT_TRUE(place.ok());
  EXPECT_EQ(place->prefix, folder_.path("a-1"));
  EXPECT_TRUE(place->notes.empty());
  folder_.Write("checkpoint", "model_checkpoint_path: \"/moved/from/a-2\"\n");
  const Result<CheckpointPlace> moved = FindCheckpoint(folder_.path());
  ASSERT_TRUE(moved.ok());
  EXPECT_EQ(moved->prefix, folder_.path("a-2"));
  ASSERT_EQ(moved->notes.size(), 1u);
  EXPECT_NE(moved->notes[0].find("/moved/from/a-2"), std::string::npos);
}

TEST_F(CheckpointPaths, WhatAStateFileNamesElsewhereIsNotFollowed) {
  Index("a-1.index");
  folder_.Write("checkpoint", "model_checkpoint_path: \"../secret/b-1\"\n");
  EXPECT_NE(MessageOf(folder_.path()).find("lies outside the directory"), std::string::npos);
  folder_.Write("checkpoint", "model_checkpoint_path: \"b-1\"\n");
  EXPECT_NE(MessageOf(folder_.path()).find("is not in the directory"), std::string::npos);
  folder_.Write("checkpoint", "model_checkpoint_path: \"\"\n");
  EXPECT_NE(MessageOf(folder_.path()).find("names no checkpoint"), std::string::npos);
}

TEST_F(CheckpointPaths, WithoutAStateFileThereMustBeOne) {
  EXPECT_NE(MessageOf(folder_.path()).find("holds no checkpoint"), std::string::npos);
  EXPECT_NE(MessageOf(folder_.path("none")).find("there is no such checkpoint"), std::string::npos);
  Index("a-1.index");
  Index("a-2.index");
  const std::string message = MessageOf(folder_.path());
  EXPECT_NE(message.find("holds 2 checkpoints"), std::string::npos) << message;
}

TEST_F(CheckpointPaths, ASavedModelHasItsVariables) {
  Index("model/variables/variables.index");
  EXPECT_TRUE(HoldsCheckpoint(folder_.path("model")));
  EXPECT_FALSE(HoldsCheckpoint(folder_.path()));
  const Result<std::vector<FoundInput>> found = FindCheckpointInput(folder_.path("model"), {});
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(found->at(0).path, folder_.path("model/variables/variables"));
  EXPECT_EQ(FindCheckpoint(folder_.path("model/variables"))->prefix,
            folder_.path("model/variables/variables"));
  EXPECT_FALSE(FindCheckpointInput(folder_.path("none"), {}).ok());
}

TEST_F(CheckpointPaths, WhatCannotBeReadIsDamage) {
  folder_.Write("broken.index", "no table");
  ProfileBuilder strict(Detail::kMeans, false), lenient(Detail::kMeans, true);
  EXPECT_FALSE(ImportCheckpointAt(folder_.path("broken"), strict).ok());
  EXPECT_TRUE(ImportCheckpointAt(folder_.path("broken"), lenient).ok());
}

TEST_F(CheckpointPaths, AloneItsTensorsAreTheNodes) {
  Index("a-1.index");
  folder_.Write("a-1.data-00000-of-00001", Data("model-1.data-00000-of-00001"));
  ProfileBuilder builder(Detail::kMeans, false);
  ASSERT_TRUE(ImportCheckpointAt(folder_.path("a-1"), builder).ok());
  const std::shared_ptr<const Profile> profile = builder.Finish();
  ASSERT_TRUE(profile->checkpoint);
  EXPECT_EQ(profile->size() + 1, profile->checkpoint->tensors().size()) << "all but the object graph";
}

}  // namespace
}  // namespace tfprof
