#include "import/input_format.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "base/options_table.h"
#include "base/text.h"
#include "import/text_proto.h"

namespace tfprof {
namespace {

using import_text::MessageType;

std::string Wire(std::string_view text, MessageType type) {
  Result<std::string> wire = import_text::TextToWire(text, type, "t", nullptr);
  EXPECT_TRUE(wire.ok()) << (wire ? "" : wire.error().message);
  return wire ? *wire : "";
}

std::string GraphOf(int nodes) {
  std::string text;
  for (int i = 0; i < nodes; ++i) text += "node { name: 'n" + std::to_string(i) + "' op: 'Add' input: 'x' }";
  return Wire(text, MessageType::kGraphDef);
}

TEST(Sniff, SmallFilesOfEveryKind) {
  EXPECT_EQ(SniffWire(GraphOf(1)), FileKind::kGraphDef);
  EXPECT_EQ(SniffWire(Wire("versions { producer: 1 }", MessageType::kGraphDef)), FileKind::kGraphDef);
  EXPECT_EQ(
      SniffWire(Wire("node { name: 'a' op: 'B' attr { key: 'T' value { type: DT_FLOAT } } } library { }",
                     MessageType::kGraphDef)),
      FileKind::kGraphDef);
  EXPECT_EQ(
      SniffWire(Wire(
          "step_stats { dev_stats { device: '/cpu:0' node_stats { node_name: 'a' all_start_micros: 1 } } }",
          MessageType::kRunMetadata)),
      FileKind::kRunMetadata);
  EXPECT_EQ(SniffWire(Wire("partition_graphs { node { name: 'a' op: 'B' } }", MessageType::kRunMetadata)),
            FileKind::kRunMetadata);
  EXPECT_EQ(SniffWire(Wire("log_entries { name: 'a' float_ops: 3 }", MessageType::kOpLogProto)),
            FileKind::kOpLog);
  EXPECT_EQ(SniffWire(Wire("log_entries { name: 'a' types: 'x' code_def { traces { lineno: 1 } } } "
                           "id_to_string { key: 1 value: 'x' }",
                           MessageType::kOpLogProto)),
            FileKind::kOpLog);
  EXPECT_EQ(
      SniffWire(Wire("nodes { key: 1 value { name: 'a' op: 'A' } } steps: 3", MessageType::kProfileProto)),
      FileKind::kProfile);
  EXPECT_EQ(SniffWire(Wire("meta_info_def { tags: 'serve' } graph_def { node { name: 'a' op: 'A' } }",
                           MessageType::kMetaGraphDef)),
            FileKind::kMetaGraph);
  EXPECT_EQ(
      SniffWire(Wire("saved_model_schema_version: 1 meta_graphs { graph_def { node { name: 'a' op: 'A' } } }",
                     MessageType::kSavedModel)),
      FileKind::kSavedModel);
}

TEST(Sniff, ACutFileIsStillWhatItBeginsWith) {
  const std::string graph = GraphOf(20);
  for (size_t cut = 14; cut < graph.size(); ++cut) {
    ASSERT_EQ(SniffWire(std::string_view(graph).substr(0, cut)), FileKind::kGraphDef) << cut;
  }
}

TEST(Sniff, NeitherNothingNorNonsenseIsAnything) {
  EXPECT_EQ(SniffWire(""), FileKind::kUnknown);
  EXPECT_EQ(SniffWire("plain text of a kind"), FileKind::kUnknown);
  EXPECT_EQ(SniffWire(std::string(100, '\0')), FileKind::kUnknown);
  EXPECT_EQ(SniffWire(std::string(100, '\xFF')), FileKind::kUnknown);
  EXPECT_EQ(SniffWire("\x0a\x02\x08\x01"), FileKind::kUnknown);
}

TEST(Sniff, FilesThatSayWhatTheyAre) {
  EXPECT_EQ(SniffWire(std::string(30, 'x') + "\x57\xFB\x80\x8B\x24\x75\x47\xDB"), FileKind::kCheckpointIndex);
  EXPECT_EQ(SniffWire(std::string(24, 'x') + "brain.Event:2" + std::string(9, 'x')), FileKind::kEventFile);
}

TEST(Sniff, TheRecordedFilesOfAllModels) {
  int seen = 0;
  for (const auto& model : std::filesystem::directory_iterator(TFPROF_TEST_DATA "/views")) {
    if (!model.is_directory()) continue;
    for (const auto& file : std::filesystem::directory_iterator(model)) {
      const std::string name = file.path().filename().string();
      const FileKind want = name == "graph.pb"              ? FileKind::kGraphDef
                            : name == "tfprof_log"          ? FileKind::kOpLog
                            : name == "profile"             ? FileKind::kProfile
                            : name.starts_with("run_meta_") ? FileKind::kRunMetadata
                                                            : FileKind::kUnknown;
      if (want == FileKind::kUnknown) continue;
      std::ostringstream content;
      content << std::ifstream(file.path(), std::ios::binary).rdbuf();
      EXPECT_EQ(SniffWire(content.str()), want) << file.path();
      ++seen;
    }
  }
  EXPECT_GE(seen, 30);
}

TEST(Sniff, EveryKindHasAName) {
  for (int kind = 0; kind <= static_cast<int>(FileKind::kHlo); ++kind) {
    EXPECT_FALSE(KindName(static_cast<FileKind>(kind)).empty());
  }
}

// What the loader, messages and help rely on: a row that is half filled in would fail far from here.
TEST(InputFormats, RowsAreComplete) {
  std::set<int> orders;
  std::set<FileKind> kinds;
  for (const InputFormat& format : InputFormats()) {
    EXPECT_TRUE(kinds.insert(format.kind).second) << format.name;
    EXPECT_TRUE(orders.insert(format.sniff_order).second) << format.name;
    EXPECT_FALSE(format.name.empty());
    EXPECT_EQ(&FormatOf(format.kind), &format);
    EXPECT_NE(format.sniff, nullptr) << format.name;
    const int ways = (format.import != nullptr) + (format.import_all != nullptr) + (format.split != nullptr);
    const bool is_model = format.role == InputRole::kModel || format.role == InputRole::kProgram;
    EXPECT_EQ(ways, is_model ? 0 : 1) << format.name;
    EXPECT_EQ(format.split != nullptr, format.role == InputRole::kNone) << format.name;
    EXPECT_FALSE(format.plural.empty() || format.in_words.empty()) << format.name;
    EXPECT_EQ(format.find == nullptr, format.holds == nullptr) << format.name;
    EXPECT_FALSE(format.path && format.steps) << format.name;
    EXPECT_TRUE(format.flag.empty() || FindOption(format.flag.substr(2))) << format.flag;
    EXPECT_NE(InputsInWords().find(format.in_words), std::string::npos) << format.name;
  }
  EXPECT_EQ(FormatOf(FileKind::kUnknown).name, "unknown");
}

}  // namespace
}  // namespace tfprof
