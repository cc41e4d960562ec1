#include <cmath>
#include <map>
#include <string>

#include "base/options_table.h"
#include "base/text.h"
#include "export/checkpoint_formats.h"
#include "export/json_fields.h"
#include "tfprof/version.h"

namespace tfprof {
namespace {

// "CAFE" as "43414645": strings of tensors are bytes, which JSON has no place for.
std::string Hex(std::string_view bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  out.reserve(bytes.size() * 2);
  for (const char c : bytes) {
    out.push_back(kDigits[static_cast<unsigned char>(c) >> 4]);
    out.push_back(kDigits[static_cast<unsigned char>(c) & 15]);
  }
  return out;
}

class JsonCheckpoint final : public CheckpointFormat, JsonFields {
 public:
  JsonCheckpoint(const CheckpointReport& report, Output& out) : JsonFields(out), report_(report), out_(out) {}

  void Begin() override {
    json_.StartObject();
    Text("tool", std::string("tfprof ") + kVersion);
    Strings("inputs", report_.checkpoint->files());
    json_.Key("options");
    json_.StartObject();
    for (const char* name : {"show_name_regexes", "hide_name_regexes", "order_by", "values", "max_values"}) {
      Text(name, FindOption(name)->get(report_.options));
    }
    json_.EndObject();
    Text("prefix", report_.checkpoint->prefix());
    Text("format", report_.checkpoint->format());
    Strings("warnings", report_.checkpoint->problems());
    json_.Key("tensors");
    json_.StartArray();
  }

  void Add(const CheckpointRow& row) override {
    totals_[DataTypeName(row.tensor.dtype)].Add(row);
    json_.StartObject();
    Text("name", row.tensor.name);
    if (!row.tensor.full_name.empty()) Text("full_name", row.tensor.full_name);
    Text("dtype", DataTypeName(row.tensor.dtype));
    json_.Key("shape");
    json_.StartArray();
    for (int64_t dim : row.tensor.shape) json_.Int64(dim);
    json_.EndArray();
    Number("bytes", row.tensor.bytes);
    json_.Key("crc32c");
    const auto crc = row.values ? std::optional(row.values->crc32c) : row.tensor.crc32c;
    if (crc && row.error.empty()) {
      json_.String(fmt::format("{:08x}", *crc));
    } else {
      json_.Null();
    }
    if (!row.error.empty()) Text("error", row.error);
    if (row.values) Values(*row.values);
    json_.EndObject();
  }

  void End() override {
    json_.EndArray();
    json_.Key("totals");
    json_.StartArray();
    for (const auto& [dtype, total] : totals_) {
      json_.StartObject();
      Text("dtype", dtype);
      Number("tensors", total.tensors);
      Number("elements", total.elements);
      Number("bytes", total.bytes_known ? std::optional(total.bytes) : std::nullopt);
      json_.EndObject();
    }
    json_.EndArray();
    json_.EndObject();
    out_.Put('\n');
  }

 private:
  // JSON has no numbers for these three.
  void Real(double value) {
    if (std::isnan(value)) {
      json_.String("nan");
    } else if (std::isinf(value)) {
      json_.String(value < 0 ? "-inf" : "inf");
    } else {
      json_.Double(value);
    }
  }
  void One(const Element& element) {
    switch (element.kind) {
      case ElementKind::kSigned:
        json_.Int64(element.integer);
        return;
      case ElementKind::kUnsigned:
        json_.Uint64(static_cast<uint64_t>(element.integer));
        return;
      case ElementKind::kBool:
        json_.Bool(element.integer != 0);
        return;
      case ElementKind::kComplex:
        json_.StartArray();
        Real(element.real);
        Real(element.imaginary);
        json_.EndArray();
        return;
      default:
        Real(element.real);
    }
  }
  void Limit(const char* key, const std::optional<Element>& element) {
    json_.Key(key);
    if (element) {
      One(*element);
    } else {
      json_.Null();
    }
  }

  void Values(const TensorValues& values) {
    json_.Key("values");
    json_.StartArray();
    for (const std::string& text : values.strings) json_.String(Hex(text));
    if (values.strings.empty()) {
      for (size_t i = 0; i < values.kept; ++i) One(values.At(i));
    }
    json_.EndArray();
    const int64_t left_out = values.elements - static_cast<int64_t>(values.kept);
    if (left_out > 0) Number("values_left_out", left_out);
    if (values.dtype == kTypeString) return;
    json_.Key("statistics");
    json_.StartObject();
    const TensorStatistics& s = values.statistics;
    Limit("min", s.min);
    Limit("max", s.max);
    json_.Key("mean");
    if (s.mean) {
      Real(*s.mean);
    } else {
      json_.Null();
    }
    Number("nan", s.nan);
    Number("inf", s.inf);
    Number("minus_inf", s.minus_inf);
    json_.EndObject();
  }

  const CheckpointReport& report_;
  Output& out_;
  std::map<std::string, CheckpointTotals> totals_;
};

}  // namespace

std::unique_ptr<CheckpointFormat> MakeCheckpointJson(const CheckpointReport& report, Output& out) {
  return std::make_unique<JsonCheckpoint>(report, out);
}

}  // namespace tfprof
