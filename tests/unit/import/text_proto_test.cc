#include "import/text_proto.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <protozero/pbf_reader.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace tfprof::import_text {
namespace {

using M = MessageType;
using protozero::pbf_wire_type;

// One field as it stands on the wire, whatever it means.
struct Item {
  uint32_t tag = 0;
  pbf_wire_type type = pbf_wire_type::unknown;
  uint64_t number = 0;  // of a varint or fixed field
  std::string bytes;    // of a length-delimited one
};

std::vector<Item> Decode(const std::string& wire) {
  std::vector<Item> items;
  protozero::pbf_reader in(wire);
  while (in.next()) {
    Item item = {in.tag(), in.wire_type(), 0, {}};
    switch (item.type) {
      case pbf_wire_type::varint:
        item.number = in.get_uint64();
        break;
      case pbf_wire_type::fixed64:
        item.number = in.get_fixed64();
        break;
      case pbf_wire_type::fixed32:
        item.number = in.get_fixed32();
        break;
      default:
        item.bytes = in.get_string();
    }
    items.push_back(item);
  }
  return items;
}

std::string Wire(std::string_view text, M message, TextStats* stats = nullptr) {
  const Result<std::string> wire = TextToWire(text, message, "t.pbtxt", stats);
  EXPECT_TRUE(wire.ok()) << (wire.ok() ? "" : wire.error().message);
  return wire.ok() ? *wire : std::string();
}

std::string ErrorOf(std::string_view text, M message) {
  const Result<std::string> wire = TextToWire(text, message, "t.pbtxt", nullptr);
  return wire.ok() ? "no error" : wire.error().message;
}

// The field found by following `path`, at each step the last of that number, as a reader would take it.
Item Find(const std::string& wire, std::initializer_list<uint32_t> path) {
  Item found = {0, pbf_wire_type::unknown, 0, wire};
  for (const uint32_t tag : path) {
    Item next;
    for (const Item& item : Decode(found.bytes)) {
      if (item.tag == tag) next = item;
    }
    EXPECT_EQ(next.tag, tag) << "missing field";
    found = next;
  }
  return found;
}

std::string StringOf(std::string_view text) { return Find(Wire(text, M::kNodeDef), {1}).bytes; }
uint64_t AttrNumber(std::string_view text, uint32_t tag) {
  return Find(Wire(text, M::kAttrValue), {tag}).number;
}
int64_t AttrInt(std::string_view text) { return static_cast<int64_t>(AttrNumber(text, 3)); }
float AttrFloat(std::string_view text) {
  return std::bit_cast<float>(static_cast<uint32_t>(AttrNumber(text, 4)));
}

std::vector<int64_t> Varints(const Item& packed) {
  EXPECT_EQ(packed.type, pbf_wire_type::length_delimited);
  std::vector<int64_t> values;
  const char* p = packed.bytes.data();
  const char* end = p + packed.bytes.size();
  while (p != end) values.push_back(static_cast<int64_t>(protozero::decode_varint(&p, end)));
  return values;
}

std::string Repeat(std::string_view part, size_t times) {
  std::string all;
  all.reserve(part.size() * times);
  for (size_t i = 0; i < times; ++i) all += part;
  return all;
}

TEST(TextProtoTest, NodeComesOutByteForByte) {
  const std::string wire =
      Wire("node { name: 'x' op: 'Add' attr { key: 'T' value { type: DT_FLOAT } } }", M::kGraphDef);
  EXPECT_EQ(wire,
            "\x0A\x11\x0A\x01x\x12\x03"
            "Add\x2A\x07\x0A\x01T\x12\x02\x30\x01");
}

TEST(TextProtoTest, EmptyTextIsTheEmptyMessage) {
  EXPECT_EQ(Wire("", M::kGraphDef), "");
  EXPECT_EQ(Wire(" \n# nothing here", M::kGraphDef), "");
  EXPECT_EQ(Wire("\xEF\xBB\xBF# after a byte order mark\n", M::kGraphDef), "");
}

TEST(TextProtoTest, EmptyMessageKeepsItsPresence) {
  EXPECT_EQ(Wire("versions {}", M::kGraphDef), std::string("\x22\0", 2));
}

TEST(TextProtoTest, CommentsSeparatorsAndBracketKindsMakeNoDifference) {
  const std::string plain =
      Wire("node { name: 'a' op: 'b' } node { } versions { producer: 1 }", M::kGraphDef);
  EXPECT_EQ(Wire("node < name: 'a'; op: 'b', >, node: { };versions:<producer:1>", M::kGraphDef), plain);
  EXPECT_EQ(Wire("# c {\nnode{name:'a'#}\nop:'b'}\r\n\tnode{}versions{producer : 1 # end\n}", M::kGraphDef),
            plain);
}

TEST(TextProtoTest, AdjacentLiteralsAreOneString) {
  EXPECT_EQ(StringOf("name: 'a' \"b\"\n # c\n 'c'"), "abc");
  EXPECT_EQ(StringOf("name: \"it's\" '\"'"), "it's\"");
  EXPECT_EQ(StringOf("name: ''"), "");
}

TEST(TextProtoTest, EveryEscapeIsDecoded) {
  EXPECT_EQ(StringOf(R"(name: "\a\b\f\n\r\t\v\?\\\'\"")"), "\a\b\f\n\r\t\v?\\'\"");
  EXPECT_EQ(StringOf(R"(name: "\0\18\1234\377")"), std::string("\0\1"
                                                               "8S4\xFF",
                                                               6));
  EXPECT_EQ(StringOf(R"(name: "\x4\x41B\xfFg")"),
            "\x04"
            "AB\xFF"
            "g");
  EXPECT_EQ(StringOf(R"(name: "\u00e9\u4e2d\U0001F600")"), "\xC3\xA9\xE4\xB8\xAD\xF0\x9F\x98\x80");
  EXPECT_EQ(StringOf(R"(name: "\ud83d\ude00")"), "\xF0\x9F\x98\x80");
}

TEST(TextProtoTest, BytesThatAreNoUtf8PassThrough) {
  EXPECT_EQ(Find(Wire("s: '\\377\\000\xFE'", M::kAttrValue), {2}).bytes, std::string("\xFF\0\xFE", 3));
  EXPECT_EQ(StringOf("name: '\\377'"), "\xFF");
}

TEST(TextProtoTest, IntegersOfEveryBaseAndSign) {
  EXPECT_EQ(AttrInt("i: 0"), 0);
  EXPECT_EQ(AttrInt("i: -1"), -1);
  EXPECT_EQ(AttrInt("i: - 1"), -1);
  EXPECT_EQ(AttrInt("i: -# minus\n1"), -1);
  EXPECT_EQ(AttrInt("i: 0x1F"), 31);
  EXPECT_EQ(AttrInt("i: -0Xff"), -255);
  EXPECT_EQ(AttrInt("i: 017"), 15);
  EXPECT_EQ(AttrInt("i: 9223372036854775807"), std::numeric_limits<int64_t>::max());
  EXPECT_EQ(AttrInt("i: -9223372036854775808"), std::numeric_limits<int64_t>::min());
  EXPECT_EQ(Find(Wire("int64_value: -3", M::kStructuredValue), {12}).number, 5U) << "zigzag";
  EXPECT_EQ(Find(Wire("value: 18446744073709551615", M::kStringToFixed64), {2}).number, ~uint64_t{0});
}

TEST(TextProtoTest, NegativeInt32IsTenBytesLong) {
  EXPECT_EQ(Wire("producer: -1", M::kVersionDef), "\x08\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01");
}

TEST(TextProtoTest, IntegersOutOfRangeAreErrors) {
  EXPECT_EQ(ErrorOf("producer: 2147483648", M::kVersionDef),
            "t.pbtxt:1:11: 2147483648 is out of range for 'producer'");
  EXPECT_EQ(ErrorOf("producer: -2147483649", M::kVersionDef),
            "t.pbtxt:1:11: -2147483649 is out of range for 'producer'");
  EXPECT_EQ(ErrorOf("i: 9223372036854775808", M::kAttrValue),
            "t.pbtxt:1:4: 9223372036854775808 is out of range for 'i'");
  EXPECT_EQ(ErrorOf("i: 99999999999999999999999", M::kAttrValue),
            "t.pbtxt:1:4: 99999999999999999999999 is out of range for 'i'");
  EXPECT_EQ(ErrorOf("ptr: -1", M::kMemory), "t.pbtxt:1:6: -1 is out of range for 'ptr'");
  EXPECT_EQ(ErrorOf("thread_id: 4294967296", M::kNodeExecStats),
            "t.pbtxt:1:12: 4294967296 is out of range for 'thread_id'");
}

TEST(TextProtoTest, WhatIsNoIntegerIsAnError) {
  EXPECT_EQ(ErrorOf("i: 1.5", M::kAttrValue), "t.pbtxt:1:4: expected an integer for 'i', found '1.5'");
  EXPECT_EQ(ErrorOf("i: 08", M::kAttrValue), "t.pbtxt:1:4: expected an integer for 'i', found '08'");
  EXPECT_EQ(ErrorOf("i: 0x", M::kAttrValue), "t.pbtxt:1:4: expected an integer for 'i', found '0x'");
  EXPECT_EQ(ErrorOf("i: 1abc", M::kAttrValue), "t.pbtxt:1:4: expected an integer for 'i', found '1abc'");
  EXPECT_EQ(ErrorOf("i: 'x'", M::kAttrValue), "t.pbtxt:1:4: expected an integer for 'i', found a string");
  EXPECT_EQ(ErrorOf("i: - }", M::kAttrValue), "t.pbtxt:1:6: expected a value for 'i', found '}'");
}

TEST(TextProtoTest, FloatsOfEverySpelling) {
  EXPECT_EQ(AttrFloat("f: 1"), 1.0F);
  EXPECT_EQ(AttrFloat("f: -2.5"), -2.5F);
  EXPECT_EQ(AttrFloat("f: 1e5"), 1e5F);
  EXPECT_EQ(AttrFloat("f: 1.5E+3"), 1500.0F);
  EXPECT_EQ(AttrFloat("f: 25e-1f"), 2.5F);
  EXPECT_EQ(AttrFloat("f: 1.5F"), 1.5F);
  EXPECT_EQ(AttrFloat("f: .5"), 0.5F);
  EXPECT_EQ(AttrFloat("f: 1."), 1.0F);
  EXPECT_EQ(AttrFloat("f: inf"), std::numeric_limits<float>::infinity());
  EXPECT_EQ(AttrFloat("f: -Infinity"), -std::numeric_limits<float>::infinity());
  EXPECT_TRUE(std::isnan(AttrFloat("f: nan")));
  EXPECT_TRUE(std::isnan(AttrFloat("f: -NaN")));
  EXPECT_EQ(AttrFloat("f: 1e-45"), std::numeric_limits<float>::denorm_min());
  EXPECT_EQ(AttrFloat("f: 1e-60"), 0.0F);
  EXPECT_EQ(AttrFloat("f: -1e60"), -std::numeric_limits<float>::infinity());
  EXPECT_TRUE(std::signbit(AttrFloat("f: -0")));
  const Item time = Find(Wire("last_preserved_timestamp: 1700000000.25", M::kCheckpointState), {4});
  EXPECT_EQ(std::bit_cast<double>(time.number), 1700000000.25);
}

TEST(TextProtoTest, WhatIsNoNumberIsAnError) {
  EXPECT_EQ(ErrorOf("f: 0x10", M::kAttrValue), "t.pbtxt:1:4: expected a number for 'f', found '0x10'");
  EXPECT_EQ(ErrorOf("f: 1.5ff", M::kAttrValue), "t.pbtxt:1:4: expected a number for 'f', found '1.5ff'");
  EXPECT_EQ(ErrorOf("f: f", M::kAttrValue), "t.pbtxt:1:4: expected a number for 'f', found 'f'");
  EXPECT_EQ(ErrorOf("f: DT_FLOAT", M::kAttrValue),
            "t.pbtxt:1:4: expected a number for 'f', found 'DT_FLOAT'");
  EXPECT_EQ(ErrorOf("last_preserved_timestamp: 1e400", M::kCheckpointState),
            "t.pbtxt:1:27: 1e400 is out of range for 'last_preserved_timestamp'");
}

TEST(TextProtoTest, BoolsOfEverySpelling) {
  for (const char* yes : {"true", "True", "t", "1"})
    EXPECT_EQ(AttrNumber(std::string("b: ") + yes, 5), 1U) << yes;
  for (const char* no : {"false", "False", "f", "0"})
    EXPECT_EQ(AttrNumber(std::string("b: ") + no, 5), 0U) << no;
  EXPECT_EQ(ErrorOf("b: yes", M::kAttrValue), "t.pbtxt:1:4: expected true or false for 'b', found 'yes'");
  EXPECT_EQ(ErrorOf("b: 2", M::kAttrValue), "t.pbtxt:1:4: expected true or false for 'b', found '2'");
}

TEST(TextProtoTest, EnumsByNameOrNumber) {
  EXPECT_EQ(AttrNumber("type: DT_FLOAT", 6), 1U);
  EXPECT_EQ(AttrNumber("type: DT_FLOAT4_E2M1FN", 6), 33U);
  EXPECT_EQ(AttrNumber("type: DT_FLOAT_REF", 6), 101U);
  EXPECT_EQ(AttrNumber("type: DT_UINT64_REF", 6), 123U);
  EXPECT_EQ(AttrNumber("type: 19", 6), 19U);
  EXPECT_EQ(AttrNumber("type: 999", 6), 999U);
  EXPECT_EQ(Find(Wire("version: V2", M::kSaverDef), {7}).number, 2U);
  EXPECT_EQ(Find(Wire("type_id: TFT_LEGACY_VARIANT", M::kFullTypeDef), {1}).number, 10203U);
}

TEST(TextProtoTest, UnknownDataTypeIsAnErrorWithItsLine) {
  EXPECT_EQ(ErrorOf("\n\n  type: DT_FLOAT128", M::kAttrValue),
            "t.pbtxt:3:9: 'DT_FLOAT128' is not a DataType");
  EXPECT_EQ(ErrorOf("type: DT_INVALID_REF", M::kAttrValue),
            "t.pbtxt:1:7: 'DT_INVALID_REF' is not a DataType");
  EXPECT_EQ(ErrorOf("type: FLOAT", M::kAttrValue), "t.pbtxt:1:7: 'FLOAT' is not a DataType");
}

TEST(TextProtoTest, UnknownNameOfAnEnumNobodyReadsIsOnlyCounted) {
  TextStats stats;
  EXPECT_EQ(Wire("type_id: TFT_FUTURE\ns: 'x'", M::kFullTypeDef, &stats), "\x1A\x01x");
  EXPECT_EQ(stats.unknown_fields, 1);
  EXPECT_EQ(stats.first_unknown, "'TFT_FUTURE' of FullTypeDef, line 1");
}

TEST(TextProtoTest, RepeatedNumbersArePackedInRuns) {
  const std::vector<Item> items = Decode(Wire("i: 1 i: [2, -3] i: [] i: 4 b: true i: 300", M::kListValue));
  ASSERT_EQ(items.size(), 3U);
  EXPECT_EQ(Varints(items[0]), (std::vector<int64_t>{1, 2, -3, 4}));
  EXPECT_EQ(items[1].tag, 5U);
  EXPECT_EQ(Varints(items[2]), (std::vector<int64_t>{300}));
}

TEST(TextProtoTest, PackedFixedWidthNumbersAreLittleEndian) {
  EXPECT_EQ(Find(Wire("f: [1, -2]", M::kListValue), {4}).bytes, std::string("\0\0\x80\x3F\0\0\0\xC0", 8));
  EXPECT_EQ(Find(Wire("frame_id: 258", M::kStackTrace), {2}).bytes, std::string("\2\1\0\0\0\0\0\0", 8));
}

TEST(TextProtoTest, ListsOfStringsAndMessages) {
  const std::string plain = Wire("node { name: 'a' } node { input: 'x' input: 'y' } node { }", M::kGraphDef);
  EXPECT_EQ(Wire("node: [{ name: 'a' }, < input: ['x', \"y\"] >] node [ { } ]", M::kGraphDef), plain);
  EXPECT_EQ(Wire("node: []", M::kGraphDef), "");
}

TEST(TextProtoTest, BadListsAreErrors) {
  EXPECT_EQ(ErrorOf("i: [1, ]", M::kListValue), "t.pbtxt:1:8: expected a value for 'i', found ']'");
  EXPECT_EQ(ErrorOf("i: [1 2]", M::kListValue),
            "t.pbtxt:1:7: expected ',' or ']' in the list of 'i', found '2'");
  EXPECT_EQ(ErrorOf("i: [[1]]", M::kListValue), "t.pbtxt:1:5: expected a value for 'i', found '['");
  EXPECT_EQ(ErrorOf("i: [1", M::kListValue),
            "t.pbtxt:1:6: expected ',' or ']' in the list of 'i', found the end of the file");
  EXPECT_EQ(ErrorOf("name: ['a']", M::kNodeDef), "t.pbtxt:1:7: expected a value for 'name', found '['");
  EXPECT_EQ(ErrorOf("node: [{} 'x']", M::kGraphDef),
            "t.pbtxt:1:11: expected ',' or ']' in the list of 'node', found a string");
}

TEST(TextProtoTest, MapEntriesOfEveryKeyType) {
  EXPECT_EQ(Find(Wire("ret { key: 'y' value: 'add:z:0' }", M::kFunctionDef), {4, 2}).bytes, "add:z:0");
  EXPECT_EQ(Find(Wire("arg_attr { key: 7 value { attr { key: 'k' value { s: 'v' } } } }", M::kFunctionDef),
                 {7, 2, 1, 2, 2})
                .bytes,
            "v");
  EXPECT_EQ(
      Find(Wire("nodes { key: -4 value { execs { key: 5 value { run_count: 6 } } } }", M::kProfileProto),
           {1, 2, 12, 2, 1})
          .number,
      6U);
  EXPECT_EQ(Find(Wire("thread_names { key: 4294967295 value: 't' }", M::kDeviceStepStats), {3, 1}).number,
            4294967295U);
  EXPECT_EQ(Find(Wire("frames_by_id { key: 9 value { line: 3 } }", M::kGraphDebugInfo), {4, 1}).type,
            pbf_wire_type::fixed64);
}

TEST(TextProtoTest, LengthsAroundTheirByteBoundariesAreRight) {
  for (const size_t size : {0U, 1U, 126U, 127U, 128U, 129U, 16382U, 16383U, 16384U, 2097151U, 2097152U}) {
    const std::string name(size, 'n');
    const std::string wire =
        Wire("node { name: '" + name + "' op: 'o' attr { key: '" + name + "' value { i: 5 } } } version: 3",
             M::kGraphDef);
    EXPECT_EQ(Find(wire, {1, 1}).bytes, name);
    EXPECT_EQ(Find(wire, {1, 2}).bytes, "o");
    EXPECT_EQ(Find(wire, {1, 5, 1}).bytes, name);
    EXPECT_EQ(Find(wire, {1, 5, 2, 3}).number, 5U);
    EXPECT_EQ(Find(wire, {3}).number, 3U);
  }
}

TEST(TextProtoTest, OldAndNewNamesOfAFieldMeanTheSame) {
  EXPECT_EQ(Wire("host_temp_memory_size: 5 host_persistent_tensor_alloc_ids: -1", M::kMemoryStats),
            Wire("temp_memory_size: 5 persistent_tensor_alloc_ids: -1", M::kMemoryStats));
  const std::string old_trace =
      Wire("traces { file: 'a.py' lineno: 3 function: 'f' line: 'x = 1' }", M::kCodeDef);
  EXPECT_EQ(Find(old_trace, {1, 4}).bytes, "x = 1");
  const std::string new_trace =
      Wire("traces { file_id: 1 lineno: -1 function_id: 2 line_id: 3 }", M::kCodeDef);
  EXPECT_EQ(Find(new_trace, {1, 8}).number, 3U);
}

TEST(TextProtoTest, UnknownFieldsAreSkippedAndCounted) {
  TextStats stats;
  const std::string wire = Wire(
      "node {\n  name: 'a'\n  colour: RED\n  size { w: -1 h: [1, 2.5e-3, inf] < s: \"}'\" '>' > # }\n x: "
      "[{}, {y{}}] }\n"
      "  5: 0x7\n  9 { }\n  l: ['a' 'b', \"]\"]; m: - .5\n  op: 'b'\n}\n",
      M::kGraphDef, &stats);
  EXPECT_EQ(wire, Wire("node { name: 'a' op: 'b' }", M::kGraphDef));
  EXPECT_EQ(stats.unknown_fields, 6);
  EXPECT_EQ(stats.first_unknown, "'colour' of NodeDef, line 3");
}

TEST(TextProtoTest, ExpandedAnyIsSkippedAndCounted) {
  TextStats stats;
  const std::string wire = Wire(
      "any_info { [type.googleapis.com/tensorflow.X-y] { a { b: 'c' } [p.q]: 1 } } tags: 'serve' [my.ext]: 5",
      M::kMetaInfoDef, &stats);
  EXPECT_EQ(wire, Wire("any_info { } tags: 'serve'", M::kMetaInfoDef));
  EXPECT_EQ(stats.unknown_fields, 2);
  EXPECT_EQ(stats.first_unknown, "'[type.googleapis.com/tensorflow.X-y]' of Any, line 1");
}

TEST(TextProtoTest, PackingGoesOnAcrossAnUnknownField) {
  EXPECT_EQ(Wire("i: 1 unknown: 2 i: 3", M::kListValue), Wire("i: [1, 3]", M::kListValue));
}

TEST(TextProtoTest, StatsAreOverwritten) {
  TextStats stats = {7, "old"};
  Wire("version: 1", M::kGraphDef, &stats);
  EXPECT_EQ(stats.unknown_fields, 0);
  EXPECT_EQ(stats.first_unknown, "");
}

TEST(TextProtoTest, ErrorsNamePlaceAndExpectation) {
  EXPECT_EQ(ErrorOf("node {\n  op: }", M::kGraphDef), "t.pbtxt:2:7: expected a value for 'op', found '}'");
  EXPECT_EQ(ErrorOf("node {\n  op 'x'", M::kGraphDef),
            "t.pbtxt:2:6: expected ':' after 'op', found a string");
  EXPECT_EQ(ErrorOf("node {\n  op: x", M::kGraphDef), "t.pbtxt:2:7: expected a string for 'op', found 'x'");
  EXPECT_EQ(ErrorOf("node {\n  op: 5", M::kGraphDef), "t.pbtxt:2:7: expected a string for 'op', found '5'");
  EXPECT_EQ(ErrorOf("node: 5", M::kGraphDef), "t.pbtxt:1:7: expected '{' after 'node', found '5'");
  EXPECT_EQ(ErrorOf("\nnode {\n  op: 'x'\n", M::kGraphDef),
            "t.pbtxt:4:1: expected '}' to close the 'node' of line 2, found the end of the file");
  EXPECT_EQ(ErrorOf("node { > }", M::kGraphDef), "t.pbtxt:1:8: expected a field name or '}', found '>'");
  EXPECT_EQ(ErrorOf("}", M::kGraphDef), "t.pbtxt:1:1: expected a field name, found '}'");
  EXPECT_EQ(ErrorOf("what { a: [1}", M::kGraphDef), "t.pbtxt:1:13: expected ']' to close 'what', found '}'");
  EXPECT_EQ(ErrorOf("what", M::kGraphDef),
            "t.pbtxt:1:5: expected ':' or '{' after 'what', found the end of the file");
  EXPECT_EQ(ErrorOf("what: }", M::kGraphDef), "t.pbtxt:1:7: expected a value for 'what', found '}'");
  EXPECT_EQ(ErrorOf("[a.b {", M::kGraphDef), "t.pbtxt:1:6: expected ']' after the name of a type, found '{'");
}

TEST(TextProtoTest, BadStringsAreErrors) {
  EXPECT_EQ(ErrorOf("name: 'abc", M::kNodeDef),
            "t.pbtxt:1:7: string is not closed before the end of the file");
  EXPECT_EQ(ErrorOf("name: 'abc\n'", M::kNodeDef), "t.pbtxt:1:7: string is not closed on its line");
  EXPECT_EQ(ErrorOf("name: 'abc\\", M::kNodeDef), "t.pbtxt:1:11: unknown escape in a string");
  EXPECT_EQ(ErrorOf("name: '\\q'", M::kNodeDef), "t.pbtxt:1:8: unknown escape in a string");
  EXPECT_EQ(ErrorOf("name: '\\777'", M::kNodeDef), "t.pbtxt:1:8: octal escape above \\377");
  EXPECT_EQ(ErrorOf("name: '\\xg'", M::kNodeDef), "t.pbtxt:1:8: expected hexadecimal digits after \\x");
  EXPECT_EQ(ErrorOf("name: '\\u12'", M::kNodeDef), "t.pbtxt:1:8: expected 4 hexadecimal digits after \\u");
  EXPECT_EQ(ErrorOf("name: '\\ud800'", M::kNodeDef), "t.pbtxt:1:8: escape is not a Unicode character");
  EXPECT_EQ(ErrorOf("name: '\\ud800\\u0041'", M::kNodeDef), "t.pbtxt:1:8: escape is not a Unicode character");
  EXPECT_EQ(ErrorOf("name: '\\U00110000'", M::kNodeDef), "t.pbtxt:1:8: escape is not a Unicode character");
  EXPECT_EQ(ErrorOf("what: 'abc", M::kNodeDef),
            "t.pbtxt:1:7: string is not closed before the end of the file");
}

TEST(TextProtoTest, NulBytesAreErrorsNotEnds) {
  EXPECT_EQ(ErrorOf(std::string_view("version: 1 \0", 12), M::kGraphDef),
            "t.pbtxt:1:12: expected a field name, found byte 0x00");
  EXPECT_EQ(ErrorOf(std::string_view("name: 'a\0b'", 11), M::kNodeDef),
            "t.pbtxt:1:9: byte 0x00 in a string (write it as \\000)");
  EXPECT_EQ(ErrorOf(std::string_view("what { \0 }", 10), M::kNodeDef),
            "t.pbtxt:1:8: expected '}' to close 'what', found byte 0x00");
}

TEST(TextProtoTest, NestingUpToTheLimitWorks) {
  const std::string open = Repeat("args{", kMaxTextDepth);
  const std::string wire = Wire(open + "i: 7" + std::string(kMaxTextDepth, '}'), M::kFullTypeDef);
  std::string inner = wire;
  for (size_t i = 0; i < kMaxTextDepth; ++i) inner = Find(inner, {2}).bytes;
  EXPECT_EQ(Find(inner, {4}).number, 7U);
  EXPECT_EQ(ErrorOf(open + "args{", M::kFullTypeDef), "t.pbtxt:1:5005: nested deeper than 1000 levels");
  EXPECT_EQ(ErrorOf(Repeat("x{", 1001), M::kFullTypeDef), "t.pbtxt:1:2002: nested deeper than 1000 levels");
}

// Anything quadratic in here runs into the time limit of the test.
TEST(TextProtoTest, HostileTextEndsSoonWithAnError) {
  constexpr size_t kSize = 1 << 20;
  for (const char* part :
       {"{", "}", "[", "<", "a{", "a<", "a[", "node{", "node[{", "'", "\\", "-", ":", "0", "9", "e+"}) {
    for (const char* head :
         {"", "node { name: ", "x: [", "x {", "x: '", "versions { producer: ", "node: [", "i: [1,"}) {
      const std::string text = head + Repeat(part, kSize / std::string_view(part).size());
      EXPECT_NE(ErrorOf(text, M::kGraphDef), "no error") << head << part;
      EXPECT_LT(ErrorOf(text, M::kGraphDef).size(), 300U) << head << part;
      (void)GuessTextMessage(text);
    }
  }
}

TEST(TextProtoTest, ManySmallFieldsAndLongNumbersStayLinear) {
  constexpr size_t kTimes = 1 << 18;
  EXPECT_EQ(Decode(Wire(Repeat("node{}", kTimes), M::kGraphDef)).size(), kTimes);
  EXPECT_EQ(Varints(Find(Wire("i:[-1" + Repeat(",-1", kTimes) + "]", M::kListValue), {3})).size(),
            kTimes + 1);
  EXPECT_EQ(StringOf("name: " + Repeat("'a'", kTimes)).size(), kTimes);
  TextStats stats;
  Wire(Repeat("x{}", kTimes), M::kGraphDef, &stats);
  EXPECT_EQ(stats.unknown_fields, static_cast<int64_t>(kTimes));
  EXPECT_EQ(AttrFloat("f: 0." + std::string(kTimes, '3')), 1.0F / 3);
  EXPECT_NE(ErrorOf("i: " + std::string(kTimes, '9'), M::kAttrValue), "no error");
  // A long body inside the deepest nesting: its bytes must not be moved once per level.
  const std::string deep =
      Repeat("args{", 900) + "s: '" + std::string(kTimes * 16, 's') + "'" + std::string(900, '}');
  EXPECT_GT(Wire(deep, M::kFullTypeDef).size(), kTimes * 16);
}

TEST(TextProtoTest, GuessGoesByTheFirstFieldNames) {
  EXPECT_EQ(GuessTextMessage("node { name: 'x' }"), M::kGraphDef);
  EXPECT_EQ(GuessTextMessage("# c\n\n versions { producer: 1 }"), M::kGraphDef);
  EXPECT_EQ(GuessTextMessage("step_stats { }"), M::kRunMetadata);
  EXPECT_EQ(GuessTextMessage("log_entries < name: 'x' >"), M::kOpLogProto);
  EXPECT_EQ(GuessTextMessage("nodes { key: 1 }"), M::kProfileProto);
  EXPECT_EQ(GuessTextMessage("saved_model_schema_version: 1"), M::kSavedModel);
  EXPECT_EQ(GuessTextMessage("\xEF\xBB\xBFmeta_info_def { tags: 'serve' }"), M::kMetaGraphDef);
  EXPECT_EQ(GuessTextMessage("model_checkpoint_path: \"model.ckpt-7\"\n"), M::kCheckpointState);
}

TEST(TextProtoTest, GuessReadsOnWhileNamesAreAmbiguousOrNew) {
  const std::string ids = "id_to_string { key: 1 value: 'a' }, id_to_string { key: 2 value: 'b' };";
  EXPECT_EQ(GuessTextMessage(ids), M::kOpLogProto);
  EXPECT_EQ(GuessTextMessage(ids + "log_entries { }"), M::kOpLogProto);
  EXPECT_EQ(GuessTextMessage(ids + "has_trace: true"), M::kProfileProto);
  EXPECT_EQ(GuessTextMessage("brand_new { node: [1] } other: -1 node { }"), M::kGraphDef);
}

TEST(TextProtoTest, GuessSaysNothingOfOtherFiles) {
  EXPECT_EQ(GuessTextMessage(""), std::nullopt);
  EXPECT_EQ(GuessTextMessage("# only a comment"), std::nullopt);
  EXPECT_EQ(GuessTextMessage("{\"node\": 1}"), std::nullopt);
  EXPECT_EQ(GuessTextMessage("version 3 of the graph"), std::nullopt);
  EXPECT_EQ(GuessTextMessage("name,op\nnode,Add\n"), std::nullopt);
  EXPECT_EQ(GuessTextMessage(Repeat("key: 1\n", 50) + "node { }"), std::nullopt);
}

TEST(TextProtoTest, GuessSaysNothingOfBinaryFiles) {
  EXPECT_EQ(GuessTextMessage(Wire("node { name: 'x' op: 'Add' }", M::kGraphDef)), std::nullopt);
  EXPECT_EQ(GuessTextMessage(std::string_view("node {\0}", 8)), std::nullopt);
  EXPECT_EQ(GuessTextMessage("\x1F\x8B\x08"), std::nullopt);
}

TEST(TextProtoTest, ByteOrderMarkDoesNotShiftLines) {
  EXPECT_EQ(ErrorOf("\xEF\xBB\xBF\nnode 5", M::kGraphDef),
            "t.pbtxt:2:6: expected '{' after 'node', found '5'");
}

TEST(TextSchemaTest, EveryMessageHasANameAndKnowsItsFields) {
  for (int i = 0; i < static_cast<int>(M::kCount); ++i) EXPECT_NE(MessageName(static_cast<M>(i)), "") << i;
  EXPECT_EQ(MessageName(M::kStringToAttrValue), "map<string, AttrValue>");
  const Field* field = FindField(M::kMetaGraphDef, "object_graph_def");
  ASSERT_NE(field, nullptr);
  EXPECT_EQ(field->number, 7);
  EXPECT_EQ(field->message, M::kSavedObjectGraph);
  EXPECT_FALSE(field->repeated());
  EXPECT_EQ(FindField(M::kMetaGraphDef, "node"), nullptr);
  EXPECT_EQ(FindField(M::kNoneValue, "node"), nullptr);
  EXPECT_EQ(FindField(M::kGraphDef, ""), nullptr);
}

TEST(TextSchemaTest, DataTypesCountFromZeroAndReferencesFromAHundred) {
  EXPECT_EQ(FindEnumValue(EnumType::kDataType, "DT_INVALID"), 0);
  EXPECT_EQ(FindEnumValue(EnumType::kDataType, "DT_VARIANT"), 21);
  EXPECT_EQ(FindEnumValue(EnumType::kDataType, "DT_FLOAT8_E5M2FNUZ_REF"), 128);
  EXPECT_EQ(FindEnumValue(EnumType::kDataType, "DT_"), std::nullopt);
  EXPECT_EQ(FindEnumValue(EnumType::kVariableAggregation, "VARIABLE_AGGREGATION_MEAN"), 2);
}

std::string PartOf(std::string_view text) { return ReadablePart(text, M::kGraphDef); }

TEST(ReadablePart, EndsBeforeTheFieldThatCannotBeRead) {
  EXPECT_EQ(PartOf("node { name: 'a' }"), "node { name: 'a' }");
  EXPECT_EQ(PartOf("node { name: 'a' } node { name: 'b' op:"), "node { name: 'a' } node { name: 'b' \n}");
  EXPECT_EQ(PartOf("node < name: 'a' attr { key: 'k' value { i: x"),
            "node < name: 'a' attr { key: 'k' value { \n}}>");
  EXPECT_EQ(PartOf("!"), "\n");
}

TEST(ReadablePart, KeepsTheElementsOfAListBeforeTheDamage) {
  EXPECT_EQ(PartOf("node: [{ name: 'a' }, { name: 'b' }, x"), "node: [{ name: 'a' }, { name: 'b' }\n]");
  EXPECT_EQ(PartOf("node: [{ name: 'a' }, { name: x"), "node: [{ name: 'a' }, { \n}]");
}

TEST(ReadablePart, ACommentDoesNotSwallowWhatCloses) {
  EXPECT_EQ(PartOf("node { name: 'a' # comment"), "node { name: 'a' # comment\n}");
}

TEST(ReadablePart, IsReadableWhereverTheTextIsCut) {
  const std::string text =
      "node: [{ name: 'a' input: ['x', \"y\"] attr < key: 'shape' value { shape { dim: [{ size: 2 }, { size: "
      "0x3 }] "
      "unknown_rank: false } } > }, { name: 'b' }]; # comment\nversions { producer: 7, bad_consumers: [1, 2] "
      "}";
  for (size_t cut = 0; cut <= text.size(); ++cut) {
    const std::string part = PartOf(std::string_view(text).substr(0, cut));
    ASSERT_TRUE(TextToWire(part, M::kGraphDef, "t", nullptr).ok()) << part;
  }
}

}  // namespace
}  // namespace tfprof::import_text
