#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "import/text_proto.h"
#include "proto/attr_value.h"
#include "proto/node_def.h"
#include "proto/tensor_proto.h"
#include "tfprof/tensor.h"

namespace tfprof {
namespace {

using import_text::MessageType;

std::string Wire(std::string_view text, MessageType type) {
  Result<std::string> wire = import_text::TextToWire(text, type, "test", nullptr);
  EXPECT_TRUE(wire) << wire.error().message;
  return wire ? *wire : "";
}

std::string Node() {
  return Wire(R"(name: "n" op: "Const" input: "a" input: "b:1" device: "/gpu:0"
                 attr { key: "T" value { type: DT_FLOAT } }
                 attr { key: "T" value { type: DT_INT32 } })",
              MessageType::kNodeDef);
}

TEST(NodeDef, IsReadInOnePass) {
  std::vector<std::string_view> inputs, attributes;
  const std::string bytes = Node();
  const NodeDefHead head = ReadNodeDef(
      bytes, [&](std::string_view i) { inputs.push_back(i); },
      [&](std::string_view a) { attributes.push_back(ReadMapEntry(a).text_key); });
  EXPECT_EQ(head.name, "n");
  EXPECT_EQ(head.op, "Const");
  EXPECT_EQ(head.device, "/gpu:0");
  EXPECT_EQ(inputs, (std::vector<std::string_view>{"a", "b:1"}));
  EXPECT_EQ(attributes, (std::vector<std::string_view>{"T", "T"}));
}

TEST(NodeDef, DamageIsWhatTheCallerMakesOfIt) {
  const std::string bytes = Node();
  const auto read = [](std::string_view part) {
    return Survives([part] {
      ReadNodeDef(
          part, [](std::string_view) {}, [](std::string_view) {});
    });
  };
  EXPECT_TRUE(read(bytes));
  EXPECT_FALSE(read(std::string_view(bytes).substr(0, bytes.size() - 1)));
}

// Most entries are told at once; the others, and what is cut, are left to the reader of all.
TEST(MapEntry, AnEntryOfAnySizeIsReadTheSame) {
  const auto field = [](char tag, size_t size) {
    std::string length;
    for (size_t n = size;; n >>= 7) {
      length += static_cast<char>(n > 127 ? (n & 127) | 128 : n);
      if (n <= 127) break;
    }
    return tag + length + std::string(size, tag == 0x0A ? 'k' : 'v');
  };
  for (const size_t key_size : {0, 1, 127, 128, 300}) {
    for (const size_t size : {0, 1, 127, 128, 16383, 16384, 70000}) {
      const std::string entry = field(0x0A, key_size) + field(0x12, size);
      for (const std::string& bytes : {entry, entry + std::string("\x18\x01"), field(0x12, 3) + entry}) {
        const MapEntry found = ReadMapEntry(bytes);
        EXPECT_EQ(found.text_key, std::string(key_size, 'k')) << size;
        EXPECT_EQ(found.bytes, std::string(size, 'v')) << key_size;
      }
      MapEntry plain;
      EXPECT_EQ(ReadPlainEntry(entry, &plain), key_size < 128 && size < 16384) << key_size << ' ' << size;
      for (size_t cut = 0; cut < std::min<size_t>(entry.size(), 500); ++cut)
        EXPECT_FALSE(ReadPlainEntry(std::string_view(entry).substr(0, cut), &plain)) << cut;
    }
  }
}

TEST(AttrValue, TheLastOfANameCountsAndDamageIsNoAttribute) {
  const std::string bytes = Node();
  const auto value = FindAttr(bytes, kNodeDefAttr, "T");
  ASSERT_TRUE(value);
  EXPECT_EQ(LastField(*value, attr_value::kType)->value, 3u);
  EXPECT_FALSE(FindAttr(bytes, kNodeDefAttr, "dtype"));
  EXPECT_EQ(WithoutReference(101), 1);
  // An entry whose key is longer than the entry.
  EXPECT_FALSE(FindAttr("\x2a\x03\x0a\x7fT", kNodeDefAttr, "T"));
}

TEST(ShapeDims, KeepsAnyRankInOrder) {
  std::string text;
  std::vector<int64_t> want;
  for (int64_t rank = 0; rank < 20; ++rank) {
    const std::string bytes = Wire(text, MessageType::kTensorShapeProto);
    const ShapeDims shape(bytes);
    EXPECT_EQ(std::vector<int64_t>(shape.dims().begin(), shape.dims().end()), want);
    EXPECT_FALSE(shape.unknown_rank());
    text += "dim { size: " + std::to_string(rank - 1) + " } ";
    want.push_back(rank - 1);
  }
}

std::string Values(std::string_view text, size_t limit) {
  const std::string bytes = Wire(text, MessageType::kTensorProto);
  std::string numbers;
  ReadTensorValues(bytes, ReadTensorHead(bytes).dtype, limit, &numbers, nullptr);
  return numbers;
}

TEST(TensorProto, ValuesOfListsAndContentAreTheSameBytes) {
  const std::string listed = Values("dtype: DT_INT32 int_val: 1 int_val: -2", 8);
  EXPECT_EQ(listed, Values(R"(dtype: DT_INT32 tensor_content: "\001\000\000\000\376\377\377\377")", 8));
  EXPECT_EQ(ElementAt(kTypeInt32, listed, 1).integer, -2);
  EXPECT_EQ(ElementAt(kTypeFloat, Values("dtype: DT_FLOAT float_val: 0.5", 8), 0).real, 0.5);
}

TEST(TensorProto, ALongListStopsSoonAfterTheLimit) {
  std::string text = "dtype: DT_INT64 ";
  for (int i = 0; i < 1000; ++i) text += "int64_val: 1 ";
  EXPECT_EQ(Values(text, 4).size(), 5 * sizeof(int64_t));
}

}  // namespace
}  // namespace tfprof
