// Inputs that lie in memory, and profiles as bytes.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "tfprof/diff.h"
#include "tfprof/info.h"
#include "tfprof/model.h"
#include "tfprof/profile.h"
#include "tfprof/view.h"

namespace tfprof {
namespace {

constexpr char kGraph[] = R"(
    node { name: "w" op: "VariableV2" attr { key: "shape" value { shape { dim { size: 2 } dim { size: 3 } } } }
           attr { key: "_output_shapes" value { list { shape { dim { size: 2 } dim { size: 3 } } } } } }
    node { name: "r" op: "Identity" input: "w"
           attr { key: "_output_shapes" value { list { shape { unknown_rank: true } } } } })";

Options WithGraph(const std::string& text) {
  Options options;
  options.memory_files.push_back({"<graph>", std::make_shared<const std::string>(text)});
  return options;
}

TEST(MemoryFiles, AreReadAsFilesAreWhereverAPathIsTaken) {
  Options by_flag = WithGraph(kGraph), positional = WithGraph(kGraph);
  by_flag.graph_path = "<graph>";
  positional.inputs = {"<graph>"};
  for (const Options& options : {by_flag, positional}) {
    const Result<Loaded> loaded = Load(options);
    ASSERT_TRUE(loaded.ok()) << loaded.error().message;
    EXPECT_EQ(Describe(*loaded->profile).nodes, 2);
    const Result<ModelReport> model = AnalyzeModel(options);
    ASSERT_TRUE(model.ok()) << model.error().message;
    EXPECT_EQ(model->params.total, 6);
  }
}

TEST(MemoryFiles, CanBeCompared) {
  Options options = WithGraph(kGraph);
  options.memory_files.push_back({"<other>", std::make_shared<const std::string>(kGraph)});
  options.inputs = {"<graph>", "<other>"};
  options.select = {ColumnId::kParams};
  Result<DiffInputs> inputs = LoadDiff(options);
  ASSERT_TRUE(inputs.ok()) << inputs.error().message;
  EXPECT_EQ(inputs->inputs.size(), 2u);
}

TEST(MemoryFiles, OthersAreStillFiles) {
  Options options = WithGraph(kGraph);
  options.inputs = {"<nowhere>"};
  EXPECT_FALSE(Load(options).ok());
}

TEST(MemoryFiles, DamageIsNamedByTheirName) {
  Options options = WithGraph("nothing at all");
  options.inputs = {"<graph>"};
  const Result<Loaded> loaded = Load(options);
  ASSERT_FALSE(loaded.ok());
  EXPECT_EQ(loaded.error().message.rfind("<graph>: not recognised", 0), 0u) << loaded.error().message;
}

TEST(SerializeProfile, IsReadBack) {
  Options options = WithGraph(kGraph);
  options.inputs = {"<graph>"};
  const Result<Loaded> loaded = Load(options, LoadDetail::kExecutions);
  ASSERT_TRUE(loaded.ok());
  Options again = WithGraph(SerializeProfile(*loaded->profile));
  again.profile_path = "<graph>";
  const Result<Loaded> reloaded = Load(again);
  ASSERT_TRUE(reloaded.ok()) << reloaded.error().message;
  EXPECT_EQ(Describe(*reloaded->profile).params, 6);
}

TEST(OutputShapes, AreThoseOfTheGraph) {
  Options options = WithGraph(kGraph);
  options.inputs = {"<graph>"};
  const Result<Loaded> loaded = Load(options);
  ASSERT_TRUE(loaded.ok());
  const auto known = OutputShapes(*loaded->profile, 0), unknown = OutputShapes(*loaded->profile, 1);
  ASSERT_EQ(known.size(), 1u);
  ASSERT_TRUE(known[0].has_value());
  EXPECT_EQ(*known[0], (std::vector<int64_t>{2, 3}));
  ASSERT_EQ(unknown.size(), 1u);
  EXPECT_FALSE(unknown[0].has_value());
  EXPECT_TRUE(OutputShapes(*loaded->profile, 99).empty());
}

}  // namespace
}  // namespace tfprof
