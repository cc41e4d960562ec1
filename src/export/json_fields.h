// Fields of JSON objects, as every JSON writer but that of reports needs them: a key with a text, a number or
// null, or a list. Text is always valid UTF-8, whatever a file held.
#pragma once

#include <rapidjson/writer.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "export/output.h"

namespace tfprof {

class JsonFields {
 protected:
  explicit JsonFields(Output& out) : json_(out) {}

  void String(std::string_view text) {
    if (!IsValidUtf8(text)) return String(Printable(text, text.size() * 4));
    json_.String(text.data(), static_cast<rapidjson::SizeType>(text.size()));
  }
  void Text(const char* key, std::string_view text) {
    json_.Key(key);
    String(text);
  }
  void TextOrNull(const char* key, std::string_view text) {
    if (!text.empty()) return Text(key, text);
    json_.Key(key);
    json_.Null();
  }
  void Number(const char* key, std::optional<int64_t> value) {
    json_.Key(key);
    if (value) {
      json_.Int64(*value);
    } else {
      json_.Null();
    }
  }
  void Strings(const char* key, const std::vector<std::string>& texts) {
    json_.Key(key);
    json_.StartArray();
    for (const std::string& text : texts) String(text);
    json_.EndArray();
  }
  // An object in which write() writes the fields.
  template <class Write>
  void Object(const char* key, Write write) {
    json_.Key(key);
    json_.StartObject();
    write();
    json_.EndObject();
  }
  // One object for each item, in which write(item) writes the fields.
  template <class Items, class Write>
  void List(const char* key, const Items& items, Write write) {
    json_.Key(key);
    json_.StartArray();
    for (const auto& item : items) {
      json_.StartObject();
      write(item);
      json_.EndObject();
    }
    json_.EndArray();
  }

  rapidjson::Writer<Output> json_;
};

}  // namespace tfprof
