#include "model/input_texts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <thread>
#include <vector>

#include "model/profile_builder.h"

namespace tfprof {
namespace {

class InputTextsTest : public testing::Test {
 protected:
  // A node whose definition has the names of its inputs with spaces between. The text must stay.
  NodeId Add(std::string_view name, std::string_view definition) {
    const NodeId node = *builder_.AddNode(name, "NoOp");
    Profile& profile = builder_.profile();
    profile.definition[node] = definition;
    for (size_t at = 0, end; at < definition.size(); at = end + 1) {
      end = std::min(definition.find(' ', at), definition.size());
      profile.inputs_or_texts.push_back(InputTexts::Text(definition.substr(at, end - at), definition));
    }
    profile.input_texts.Add(node);
    return node;
  }

  ProfileBuilder builder_{Detail::kFigures, false};
};

TEST_F(InputTextsTest, OneIsLookedUpWithoutTheOthers) {
  const NodeId a = Add("a", "b nowhere a"), b = Add("b", "");
  const auto profile = builder_.Finish();
  EXPECT_EQ(profile->InputAt(a, 0), b);
  EXPECT_FALSE(profile->InputAt(a, 1).valid());
  EXPECT_EQ(profile->InputAt(a, 2), a);
  EXPECT_FALSE(profile->InputAt(a, 3).valid());
  EXPECT_FALSE(profile->InputAt(b, 0).valid());
  EXPECT_TRUE(profile->input_texts.any());

  const auto inputs = profile->Inputs(a);
  EXPECT_FALSE(profile->input_texts.any());
  ASSERT_EQ(inputs.size(), 3u);
  EXPECT_EQ(inputs[0].node, b);
  EXPECT_FALSE(inputs[1].node.valid());
  EXPECT_EQ(inputs[2].node, a);
  EXPECT_EQ(inputs[2].position, 2u);
  EXPECT_TRUE(profile->Inputs(b).empty());
  EXPECT_EQ(profile->InputAt(a, 2), a);
  EXPECT_FALSE(profile->InputAt(a, 3).valid());
}

TEST_F(InputTextsTest, NodesWithoutTextsKeepTheirInputs) {
  const NodeId first = *builder_.AddNode("first", "NoOp");
  builder_.AddInput(7, builder_.profile().strings.Intern("texts"));
  const NodeId texts = Add("texts", "last first");
  const NodeId last = *builder_.AddNode("last", "NoOp");
  builder_.AddInput(0, builder_.profile().strings.Intern("nowhere"));
  builder_.AddInput(1, builder_.profile().strings.Intern("first"));
  const auto profile = builder_.Finish();
  for (const bool all : {false, true}) {
    if (all) profile->Inputs(first);
    EXPECT_EQ(profile->input_texts.any(), !all);
    EXPECT_FALSE(profile->InputAt(first, 0).valid());
    EXPECT_EQ(profile->InputAt(first, 7), texts);
    EXPECT_EQ(profile->InputAt(texts, 0), last);
    EXPECT_EQ(profile->InputAt(texts, 1), first);
    EXPECT_FALSE(profile->InputAt(last, 0).valid());
    EXPECT_EQ(profile->InputAt(last, 1), first);
  }
}

// Several pieces, and threads that ask for one, some and all while the first of them look all up.
TEST_F(InputTextsTest, ManyMayAskAtOnce) {
  constexpr size_t kNodes = 20000;
  std::vector<std::string> names, definitions;
  const auto inputs_of = [](size_t n) { return std::vector<size_t>{(n * 7 + 1) % kNodes, n / 2}; };
  for (size_t n = 0; n < kNodes; ++n) names.push_back("node_" + std::to_string(n));
  for (size_t n = 0; n < kNodes; ++n)
    definitions.push_back(names[inputs_of(n)[0]] + " " + names[inputs_of(n)[1]] + " node_");
  for (size_t n = 0; n < kNodes; ++n) Add(names[n], definitions[n]);
  const auto profile = builder_.Finish();
  std::vector<size_t> wrong(8);
  std::vector<std::thread> threads;
  for (size_t t = 0; t < wrong.size(); ++t) {
    threads.emplace_back([&, t] {
      for (size_t n = t; n < kNodes; n += 13) {
        const NodeId node(n);
        const std::vector<size_t> want = inputs_of(n);
        const InputPlace places[] = {{n, 0}, {n, 1}, {n, 2}};
        const std::vector<NodeId> found =
            t % 2 == 0 && n > kNodes / 2
                ? std::vector<NodeId>{profile->Inputs(node)[0].node, profile->Inputs(node)[1].node, NodeId()}
                : profile->input_texts.LookUp(*profile, places);
        wrong[t] += found[0].value != want[0] || found[1].value != want[1] || found[2].valid();
        wrong[t] += profile->InputAt(node, 0) != found[0];
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, std::vector<size_t>(wrong.size(), 0));
  EXPECT_FALSE(profile->input_texts.any());
}

}  // namespace
}  // namespace tfprof
