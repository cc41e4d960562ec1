// The one way to write JSON: RapidJSON's streaming writer, whose text is always valid UTF-8, whatever a file
// held, and says nothing to a terminal.
#pragma once

#include <rapidjson/writer.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/field_writer.h"
#include "base/json_reader.h"
#include "base/output.h"
#include "base/text.h"

namespace tfprof {

class JsonWriter : public FieldWriter<JsonWriter> {
 public:
  explicit JsonWriter(Output& out) : json_(out) {}

  void BeginObject() { json_.StartObject(); }
  void EndObject() { json_.EndObject(); }
  void BeginArray() { json_.StartArray(); }
  void EndArray() { json_.EndArray(); }
  void Key(std::string_view key) { Text(key); }

  void Null() { json_.Null(); }
  void Bool(bool value) { json_.Bool(value); }
  void Number(int64_t value) { json_.Int64(value); }
  // For scripts, whose numbers are exact up to 2^53: larger ones are texts of digits.
  void ScriptNumber(int64_t value) {
    constexpr int64_t kExact = int64_t{1} << 53;
    value > kExact || value < -kExact ? Text(std::to_string(value)) : Number(value);
  }
  void Unsigned(uint64_t value) { json_.Uint64(value); }
  void Decimal(std::string_view digits) {
    json_.RawValue(digits.data(), digits.size(), rapidjson::kNumberType);
  }
  // JSON has no numbers for nan and the two infinities: texts.
  void Real(double value) {
    if (std::isfinite(value)) {
      json_.Double(value);
    } else {
      Text(std::isnan(value) ? "nan" : value < 0 ? "-inf" : "inf");
    }
  }
  // A value that is JSON already.
  void Json(std::string_view json) { json_.Json(json); }
  // So many fields at once, at least one: `fill` composes them as Output::Compose() says, with commas
  // between.
  template <class Fill>
  void Fields(size_t count, size_t room, Fill fill) {
    json_.Fields(count, room, fill);
  }
  void Text(std::string_view text) {
    if (IsBare(text)) return json_.Bare(text);
    if (!IsPlain(text)) return Raw(text);
    json_.String(text.data(), static_cast<rapidjson::SizeType>(text.size()));
  }

 private:
  void Raw(std::string_view text) {
    const std::string quoted = QuotedJson(IsValidUtf8(text) ? std::string(text) : Escaped(text));
    json_.RawValue(quoted.data(), quoted.size(), rapidjson::kStringType);
  }

  // RapidJSON writes texts byte by byte.
  class Writer : public rapidjson::Writer<Output, rapidjson::UTF8<>, rapidjson::UTF8<>, JsonMemory> {
   public:
    using Base = rapidjson::Writer<Output, rapidjson::UTF8<>, rapidjson::UTF8<>, JsonMemory>;
    using Base::Base;

    void Bare(std::string_view text) {
      Prefix(rapidjson::kStringType);
      os_->Put('"');
      os_->Write(text);
      os_->Put('"');
      EndValue(true);
    }

    void Json(std::string_view json) {
      Prefix(rapidjson::kObjectType);
      os_->Write(json);
      EndValue(true);
    }

    template <class Fill>
    void Fields(size_t count, size_t room, Fill fill) {
      Level* const level = level_stack_.template Top<Level>();
      if (level->valueCount > 0) os_->Put(',');
      level->valueCount += 2 * count;
      os_->Compose(room, fill);
    }
  };

  Writer json_;
};

}  // namespace tfprof
