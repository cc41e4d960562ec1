#include "model/profile_builder.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tfprof {
namespace {

class ProfileBuilderTest : public testing::Test {
 protected:
  NodeId Add(std::string_view name, std::string_view op = "NoOp") { return *builder_.AddNode(name, op); }
  StringId Text(std::string_view text) { return *builder_.Text(text, "a text"); }

  ProfileBuilder builder_{Detail::kFigures, false};
};

TEST_F(ProfileBuilderTest, TheFirstDefinitionOfANameWins) {
  const NodeId first = Add("a", "First");
  ASSERT_TRUE(first.valid());
  EXPECT_FALSE(Add("a", "Second").valid());
  const auto profile = builder_.Finish();
  EXPECT_EQ(profile->size(), 1u);
  EXPECT_EQ(profile->Op(first), "First");
}

TEST_F(ProfileBuilderTest, InputsMayNameNodesThatComeLaterOrNever) {
  const NodeId a = Add("a");
  builder_.AddInput(0, Text("b"));
  builder_.AddInput(1, Text("nowhere"));
  builder_.AddInput(2, Text("a"));
  const NodeId b = Add("b");
  const auto profile = builder_.Finish();
  const auto inputs = profile->Inputs(a);
  ASSERT_EQ(inputs.size(), 3u);
  EXPECT_EQ(inputs[0].node, b);
  EXPECT_FALSE(inputs[1].node.valid());
  EXPECT_EQ(inputs[2].node, a);
  EXPECT_EQ(inputs[2].position, 2u);
  EXPECT_TRUE(profile->Inputs(b).empty());
}

TEST_F(ProfileBuilderTest, OutputShapesBelongToTheLastNode) {
  const NodeId a = Add("a");
  builder_.AddOutputShape(builder_.Shape(std::vector<int64_t>{2}));
  const NodeId b = Add("b"), c = Add("c");
  builder_.AddOutputShape(builder_.Shape(std::vector<int64_t>{3}));
  builder_.AddOutputShape(builder_.Shape(std::vector<int64_t>{4}));
  const auto profile = builder_.Finish();
  EXPECT_EQ(profile->OutputShapes(a).size(), 1u);
  EXPECT_EQ(profile->OutputShapes(b).size(), 0u);
  EXPECT_EQ(profile->OutputShapes(c).size(), 2u);
}

TEST_F(ProfileBuilderTest, TypesAreASortedSet) {
  const NodeId a = Add("a"), b = Add("b");
  for (const char* type : {"z", "b", "z", "a"}) builder_.AddType(a, Text(type));
  for (const char* type : {"a", "b", "z"}) builder_.AddType(b, Text(type));
  const auto profile = builder_.Finish();
  std::string joined;
  for (StringId s : profile->sets[profile->extra_types[a]]) joined += profile->strings[s];
  EXPECT_EQ(joined, "abz");
  EXPECT_EQ(profile->extra_types[a], profile->extra_types[b]);
}

TEST_F(ProfileBuilderTest, CallStacksShareTheirOuterFrames) {
  Frame main, f, g;
  main.file = f.file = g.file = Text("m.py");
  main.line = 1;
  f.line = 2;
  g.line = 3;
  const FrameId frames[] = {builder_.AddFrame(main), builder_.AddFrame(f), builder_.AddFrame(g)};
  EXPECT_EQ(builder_.AddFrame(main), frames[0]);
  const FrameId to_f[] = {frames[0], frames[1]}, to_g[] = {frames[0], frames[2]};
  const StackId a = builder_.AddStack(to_f), b = builder_.AddStack(to_g);
  EXPECT_EQ(builder_.AddStack(to_f), a);
  EXPECT_NE(a, b);
  EXPECT_FALSE(builder_.AddStack({}).valid());
  const auto profile = builder_.Finish();
  EXPECT_EQ(profile->stacks[a].caller, profile->stacks[b].caller);
  EXPECT_EQ(profile->stacks.size(), 3u);
}

TEST_F(ProfileBuilderTest, StepsAreKeptInAscendingOrder) {
  for (int64_t number : {10, 2, 7}) ASSERT_TRUE(builder_.AddStep(number).ok());
  const Result<Step*> twice = builder_.AddStep(7);
  ASSERT_FALSE(twice.ok());
  EXPECT_EQ(twice.error().kind, ErrorKind::kUsage);
  const auto profile = builder_.Finish();
  ASSERT_EQ(profile->steps.size(), 3u);
  EXPECT_EQ(profile->steps[0].number, 2);
  EXPECT_EQ(profile->steps[2].number, 10);
  EXPECT_EQ(profile->FindStep(7), &profile->steps[1]);
  EXPECT_EQ(profile->FindStep(8), nullptr);
}

TEST_F(ProfileBuilderTest, ARowIsMadeOnceAndNodesAddedLaterHaveNone) {
  const NodeId a = Add("a"), b = Add("b");
  Step* step = *builder_.AddStep(0);
  builder_.Row(*step, b).cpu_picos = 5;
  builder_.Row(*step, b).cpu_picos += 2;
  const NodeId late = Add("late");
  EXPECT_EQ(step->Find(a), nullptr);
  EXPECT_EQ(step->Find(late), nullptr);
  ASSERT_NE(step->Find(b), nullptr);
  EXPECT_EQ(step->Find(b)->cpu_picos, 7);
  EXPECT_EQ(step->rows.size(), 1u);
}

TEST_F(ProfileBuilderTest, DamageIsAnErrorThatNamesTheWayOut) {
  const Status status = builder_.Damaged("kind", "file: broken");
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().kind, ErrorKind::kInput);
  EXPECT_TRUE(status.error().message.starts_with("file: broken\n"));
  EXPECT_NE(status.error().message.find("--keep_going"), std::string::npos);
}

TEST(ProfileBuilderKeepGoing, DamageIsCountedAndWarnedAboutOncePerKind) {
  ProfileBuilder builder(Detail::kFigures, true);
  for (const char* message : {"first", "second", "third"}) {
    ASSERT_TRUE(builder.Damaged("kind", message).ok());
  }
  ASSERT_TRUE(builder.Damaged("other", "once").ok());
  const auto profile = builder.Finish();
  EXPECT_EQ(profile->damage.at("kind"), 3);
  EXPECT_EQ(profile->warnings, (std::vector<std::string>{"first", "once", "kind: 3 times in all"}));
}

TEST(ProfileBuilderKeepGoing, InvalidUtf8IsShownEscapedAndStillFound) {
  ProfileBuilder builder(Detail::kFigures, true);
  const NodeId node = *builder.AddNode("b\xFF", "Op");
  EXPECT_EQ(builder.FindNode("b\xFF"), node);
  EXPECT_EQ(builder.Finish()->Name(node), "b\\xff");
}

TEST_F(ProfileBuilderTest, InvalidUtf8SaysWhere) {
  const std::string bytes = "0123\xFFz";
  builder_.SetInput("file.pb", bytes);
  const Result<StringId> id = builder_.Text(std::string_view(bytes).substr(4), "a node name");
  ASSERT_FALSE(id.ok());
  EXPECT_TRUE(id.error().message.starts_with("file.pb: a node name at byte 4 is not valid UTF-8: \\xffz"))
      << id.error().message;
}

TEST_F(ProfileBuilderTest, WithReturnsTheSameSetForTheSameMembers) {
  const SetId a = builder_.With(SetId(), Text("x"));
  EXPECT_EQ(builder_.With(a, Text("x")), a);
  const SetId both = builder_.With(a, Text("a"));
  EXPECT_EQ(builder_.With(builder_.With(SetId(), Text("a")), Text("x")), both);
}

}  // namespace
}  // namespace tfprof
