#include "import/text_proto.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstddef>
#include <limits>
#include <protozero/buffer_string.hpp>
#include <protozero/types.hpp>
#include <protozero/varint.hpp>
#include <system_error>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "import/text_cursor.h"

namespace tfprof::import_text {
namespace {

using protozero::pbf_wire_type;

constexpr size_t kMaxWire = 0x7FFFFFFF;  // protobuf's own limit on a message
constexpr size_t kSniffed = 4096;        // how much of a file decides whether it is text
constexpr int kMaxUnknownNames = 16;     // of a file, before it counts as something else

// Reads one message and writes it. Every length-delimited stretch of the output opens with one byte for its
// length. A length that needs more is noted and put in by one pass at the end, so that bytes move once,
// however deep they are nested.
class Transcoder {
 public:
  Transcoder(std::string_view text, TextStats* stats) : in_(text), stats_(stats) {
    out_.reserve(text.size() / 3);  // what most graphs need; untouched memory costs nothing
  }

  bool Run(MessageType message);
  // After Run failed: the text before the field that failed, with what is open there closed.
  std::string ReadablePart() const;
  std::string TakeWire() { return std::move(out_); }
  const Cursor& in() const { return in_; }

 private:
  struct Stretch {
    size_t start = 0;     // in out_, behind the byte for the length
    uint64_t growth = 0;  // growth_ when it was opened
  };
  struct Length {
    size_t position;
    uint64_t value;
  };
  struct Frame {
    MessageType message = MessageType::kCount;
    char closer = '\0';
    bool in_list = false;          // the message is an element of a list
    const Field* field = nullptr;  // that holds the message; null for the whole file
    const char* opened = nullptr;  // its bracket
    Stretch body;
    const Field* packed = nullptr;  // the numeric field whose values are being packed
    Stretch packed_body;
  };

  bool ReadField();
  bool ReadKnown(const Field& field);
  bool ReadList(const Field& field, bool after_element);
  bool OpenMessage(const Field& field, bool in_list);
  bool CloseMessage();
  void SkipSeparator();
  void CountUnknown(std::string_view name, const char* at);

  bool ReadScalar(const Field& field);
  bool ReadInteger(const Field& field, int64_t low, uint64_t high, uint64_t* bits);
  bool ReadIntegerField(const Field& field, uint64_t* bits);
  bool ReadEnum(const Field& field, uint64_t* bits, bool* known);
  bool ReadBool(const Field& field, uint64_t* bits);
  template <class Float>
  bool ReadFloat(const Field& field, Float* value);
  bool WrongValue(const Field& field, std::string_view what);

  void BeginField(const Field& field, pbf_wire_type type);
  void WriteNumber(const Field& field, uint64_t bits);
  Stretch Open();
  void Close(const Stretch& stretch);
  void EndPacked(Frame* frame);
  bool PutLengths();

  Cursor in_;
  TextStats* stats_;
  std::string out_;
  std::vector<Frame> stack_;
  const char* mark_ = nullptr;    // all text before it was read
  bool mark_is_in_list_ = false;  // and the list of messages around it is still open
  std::vector<Length> lengths_;   // those that need more than the byte kept for them
  uint64_t growth_ = 0;           // how many bytes PutLengths will add
};

bool Transcoder::Run(MessageType message) {
  stack_.emplace_back().message = message;
  while (true) {
    in_.SkipSpace();
    mark_ = in_.place();
    mark_is_in_list_ = false;
    const Frame& top = stack_.back();
    const char c = in_.Peek();
    if (top.field != nullptr && c == top.closer) {
      if (!CloseMessage()) return false;
    } else if (in_.AtEnd()) {
      if (top.field == nullptr) break;
      return in_.Expected(fmt::format("'{}' to close the '{}' of line {}", top.closer, top.field->name,
                                      in_.LineAndColumn(top.opened).first));
    } else if (!ReadField()) {
      return false;
    }
  }
  EndPacked(&stack_.back());
  return PutLengths();
}

std::string Transcoder::ReadablePart() const {
  std::string part(in_.begin(), mark_);
  part += '\n';  // the last thing read may be a comment
  if (mark_is_in_list_) part += ']';
  for (auto frame = stack_.rbegin(); frame != stack_.rend() && frame->field != nullptr; ++frame) {
    part += frame->closer;
    if (frame->in_list) part += ']';
  }
  return part;
}

bool Transcoder::ReadField() {
  const char* at = in_.place();
  const MessageType message = stack_.back().message;
  std::string_view name;
  const Field* field = nullptr;
  if (in_.Peek() == '[') {
    if (!in_.TakeBracketedName(&name)) return false;
  } else {
    name = in_.TakeWord();
    if (name.empty()) {
      const char closer = stack_.back().closer;
      return in_.Expected(closer == '\0' ? "a field name" : fmt::format("a field name or '{}'", closer));
    }
    field = FindField(message, name);
  }
  if (field != nullptr) return ReadKnown(*field);

  CountUnknown(name, at);
  in_.SkipSpace();
  if (!in_.Consume(':') && !IsOpener(in_.Peek()) && in_.Peek() != '[') {
    return in_.Expected(fmt::format("':' or '{{' after {}", Quoted(name)));
  }
  if (!in_.SkipValue(name)) return false;
  SkipSeparator();
  return true;
}

bool Transcoder::ReadKnown(const Field& field) {
  in_.SkipSpace();
  const bool colon = in_.Consume(':');
  if (colon) in_.SkipSpace();
  const bool is_message = field.type == FieldType::kMessage;
  if (!colon && !is_message) return in_.Expected(fmt::format("':' after '{}'", field.name));
  if (field.repeated() && in_.Consume('[')) return ReadList(field, false);
  if (is_message) return OpenMessage(field, false);
  if (!ReadScalar(field)) return false;
  SkipSeparator();
  return true;
}

// The elements of a list, up to its end or to a message, which Run reads; CloseMessage then comes back here.
bool Transcoder::ReadList(const Field& field, bool after_element) {
  for (;; after_element = true) {
    in_.SkipSpace();
    if (in_.Consume(']')) break;
    if (after_element) {
      if (!in_.Consume(',')) return in_.Expected(fmt::format("',' or ']' in the list of '{}'", field.name));
      in_.SkipSpace();
    }
    if (field.type == FieldType::kMessage) return OpenMessage(field, true);
    if (!ReadScalar(field)) return false;
  }
  SkipSeparator();
  return true;
}

bool Transcoder::OpenMessage(const Field& field, bool in_list) {
  const char opener = in_.Peek();
  if (!IsOpener(opener)) return in_.Expected(fmt::format("'{{' after '{}'", field.name));
  if (stack_.size() > kMaxTextDepth) return in_.TooDeep();
  BeginField(field, pbf_wire_type::length_delimited);
  Frame frame = {field.message, CloserOf(opener), in_list, &field, in_.place(), Open(), nullptr, {}};
  in_.Advance();
  stack_.push_back(frame);
  return true;
}

bool Transcoder::CloseMessage() {
  in_.Advance();
  Frame& top = stack_.back();
  EndPacked(&top);
  Close(top.body);
  const Field& field = *top.field;
  const bool in_list = top.in_list;
  stack_.pop_back();
  mark_ = in_.place();
  mark_is_in_list_ = in_list;
  if (in_list) return ReadList(field, true);
  SkipSeparator();
  return true;
}

void Transcoder::SkipSeparator() {
  in_.SkipSpace();
  if (!in_.Consume(',')) in_.Consume(';');
}

void Transcoder::CountUnknown(std::string_view name, const char* at) {
  if (stats_ == nullptr || stats_->unknown_fields++ > 0) return;
  stats_->first_unknown = fmt::format("{} of {}, line {}", Quoted(name), MessageName(stack_.back().message),
                                      in_.LineAndColumn(at).first);
}

bool Transcoder::WrongValue(const Field& field, std::string_view what) {
  const char c = in_.Peek();
  const bool is_value = IsQuote(c) || c == '-' || Is(c, kNumber);
  return in_.Expected(fmt::format("{} for '{}'", is_value ? what : "a value", field.name));
}

bool Transcoder::ReadScalar(const Field& field) {
  uint64_t bits = 0;
  bool known = true;
  switch (field.type) {
    case FieldType::kString:
    case FieldType::kBytes: {
      if (!IsQuote(in_.Peek())) return WrongValue(field, "a string");
      BeginField(field, pbf_wire_type::length_delimited);
      const Stretch stretch = Open();
      if (!in_.TakeStrings(&out_)) return false;
      Close(stretch);
      return true;
    }
    case FieldType::kFloat: {
      float value = 0;
      if (!ReadFloat(field, &value)) return false;
      bits = std::bit_cast<uint32_t>(value);
      break;
    }
    case FieldType::kDouble: {
      double value = 0;
      if (!ReadFloat(field, &value)) return false;
      bits = std::bit_cast<uint64_t>(value);
      break;
    }
    case FieldType::kBool:
      if (!ReadBool(field, &bits)) return false;
      break;
    case FieldType::kEnum:
      if (!ReadEnum(field, &bits, &known)) return false;
      break;
    default:
      if (!ReadIntegerField(field, &bits)) return false;
      break;
  }
  if (known) WriteNumber(field, bits);
  return true;
}

// An integer of [low, high] in two's complement: decimal, octal or hexadecimal.
bool Transcoder::ReadInteger(const Field& field, int64_t low, uint64_t high, uint64_t* bits) {
  const char* at = in_.place();
  if (!IsDigit(in_.Peek()) && in_.Peek() != '-') return WrongValue(field, "an integer");
  const bool negative = in_.Consume('-');
  if (negative) in_.SkipSpace();
  const std::string_view token = in_.TakeNumber();
  if (token.empty()) return WrongValue(field, "an integer");
  std::string_view digits = token;
  int base = 10;
  if (digits.starts_with("0x") || digits.starts_with("0X")) {
    digits.remove_prefix(2);
    base = 16;
  } else if (digits.size() > 1 && digits[0] == '0') {
    digits.remove_prefix(1);
    base = 8;
  }
  uint64_t magnitude = 0;
  const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), magnitude, base);
  if (digits.empty() || stop != digits.data() + digits.size() || error == std::errc::invalid_argument) {
    return in_.Fail(at, fmt::format("expected an integer for '{}', found {}", field.name, Quoted(token)));
  }
  const uint64_t limit = negative ? uint64_t{0} - static_cast<uint64_t>(low) : high;
  if (error == std::errc::result_out_of_range || magnitude > limit) {
    return in_.Fail(at, fmt::format("{}{} is out of range for '{}'", negative ? "-" : "",
                                    token.substr(0, kMaxQuoted), field.name));
  }
  *bits = negative ? uint64_t{0} - magnitude : magnitude;
  return true;
}

bool Transcoder::ReadIntegerField(const Field& field, uint64_t* bits) {
  using Int32 = std::numeric_limits<int32_t>;
  using Int64 = std::numeric_limits<int64_t>;
  switch (field.type) {
    case FieldType::kInt32:
      return ReadInteger(field, Int32::min(), Int32::max(), bits);
    case FieldType::kUint32:
      return ReadInteger(field, 0, std::numeric_limits<uint32_t>::max(), bits);
    case FieldType::kUint64:
    case FieldType::kFixed64:
      return ReadInteger(field, 0, std::numeric_limits<uint64_t>::max(), bits);
    case FieldType::kSint64:
      if (!ReadInteger(field, Int64::min(), Int64::max(), bits)) return false;
      *bits = protozero::encode_zigzag64(static_cast<int64_t>(*bits));
      return true;
    default:
      return ReadInteger(field, Int64::min(), Int64::max(), bits);
  }
}

bool Transcoder::ReadEnum(const Field& field, uint64_t* bits, bool* known) {
  const char* at = in_.place();
  if (IsDigit(in_.Peek()) || in_.Peek() == '-') {
    return ReadInteger(field, std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::max(), bits);
  }
  const std::string_view name = in_.TakeWord();
  if (name.empty()) return WrongValue(field, "a name");
  const std::optional<int32_t> value = FindEnumValue(field.enumeration, name);
  if (value) {
    *bits = static_cast<uint64_t>(int64_t{*value});
    return true;
  }
  *known = false;
  if (IsStrict(field.enumeration)) {
    return in_.Fail(at, fmt::format("{} is not a {}", Quoted(name), EnumName(field.enumeration)));
  }
  CountUnknown(name, at);
  return true;
}

bool Transcoder::ReadBool(const Field& field, uint64_t* bits) {
  const char* at = in_.place();
  const std::string_view word = in_.TakeWord();
  if (word.empty()) return WrongValue(field, "true or false");
  const bool yes = word == "true" || word == "True" || word == "t" || word == "1";
  if (!yes && word != "false" && word != "False" && word != "f" && word != "0") {
    return in_.Fail(at, fmt::format("expected true or false for '{}', found {}", field.name, Quoted(word)));
  }
  *bits = yes ? 1 : 0;
  return true;
}

bool EqualsIgnoringCase(std::string_view text, std::string_view lower) {
  return std::equal(text.begin(), text.end(), lower.begin(), lower.end(),
                    [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a | 0x20 : a) == b; });
}

template <class Float>
bool Transcoder::ReadFloat(const Field& field, Float* value) {
  using Limits = std::numeric_limits<Float>;
  const char* at = in_.place();
  const bool negative = in_.Consume('-');
  if (negative) in_.SkipSpace();
  if (!Is(in_.Peek(), kNumber)) return WrongValue(field, "a number");
  const std::string_view token = in_.TakeNumber();
  std::string_view digits = token;
  if (EqualsIgnoringCase(token, "inf") || EqualsIgnoringCase(token, "infinity")) {
    *value = Limits::infinity();
  } else if (EqualsIgnoringCase(token, "nan")) {
    *value = Limits::quiet_NaN();
  } else {
    if (digits.back() == 'f' || digits.back() == 'F') digits.remove_suffix(1);
    const char* end = digits.data() + digits.size();
    double wide = 0;
    const bool starts = !digits.empty() && (IsDigit(digits[0]) || digits[0] == '.');
    auto [stop, error] = std::from_chars(digits.data(), end, *value);
    if (error == std::errc::result_out_of_range) {
      // Too large or too small for a float, as protobuf reads it: infinity or zero. Beyond a double it is an
      // error.
      error = std::from_chars(digits.data(), end, wide).ec;
      *value = wide > 1 ? Limits::infinity() : Float{0};
    }
    if (!starts || stop != end || error == std::errc::invalid_argument) {
      return in_.Fail(at, fmt::format("expected a number for '{}', found {}", field.name, Quoted(token)));
    }
    if (error != std::errc()) {
      return in_.Fail(at,
                      fmt::format("{} is out of range for '{}'", token.substr(0, kMaxQuoted), field.name));
    }
  }
  if (negative) *value = -*value;
  return true;
}

// The tag of a field that is not packed.
void Transcoder::BeginField(const Field& field, pbf_wire_type type) {
  EndPacked(&stack_.back());
  protozero::add_varint_to_buffer(&out_, uint64_t{field.number} << 3 | static_cast<uint64_t>(type));
}

void Transcoder::WriteNumber(const Field& field, uint64_t bits) {
  size_t width = 0;
  pbf_wire_type type = pbf_wire_type::varint;
  if (field.type == FieldType::kFloat) {
    width = 4;
    type = pbf_wire_type::fixed32;
  } else if (field.type == FieldType::kDouble || field.type == FieldType::kFixed64) {
    width = 8;
    type = pbf_wire_type::fixed64;
  }
  Frame& top = stack_.back();
  if (!field.repeated()) {
    BeginField(field, type);
  } else if (top.packed != &field) {
    BeginField(field, pbf_wire_type::length_delimited);
    top.packed = &field;
    top.packed_body = Open();
  }
  if (width == 0) {
    protozero::add_varint_to_buffer(&out_, bits);
    return;
  }
  char bytes[8];
  for (size_t i = 0; i < width; ++i) bytes[i] = static_cast<char>(bits >> 8 * i & 0xFF);
  out_.append(bytes, width);
}

Transcoder::Stretch Transcoder::Open() {
  out_.push_back('\0');
  return {out_.size(), growth_};
}

void Transcoder::Close(const Stretch& stretch) {
  // What growth_ gained since Open belongs to lengths inside the stretch.
  const uint64_t length = out_.size() - stretch.start + (growth_ - stretch.growth);
  if (length < 0x80) {
    out_[stretch.start - 1] = static_cast<char>(length);
    return;
  }
  lengths_.push_back({stretch.start - 1, length});
  growth_ += static_cast<uint64_t>(protozero::length_of_varint(length)) - 1;
}

void Transcoder::EndPacked(Frame* frame) {
  if (frame->packed == nullptr) return;
  Close(frame->packed_body);
  frame->packed = nullptr;
}

// From the back, so that every byte moves once and straight to its place.
bool Transcoder::PutLengths() {
  if (out_.size() + growth_ > kMaxWire) {
    return in_.Fail(in_.place(), "holds more than 2 GiB, the most a protobuf message may hold");
  }
  std::sort(lengths_.begin(), lengths_.end(),
            [](const Length& a, const Length& b) { return a.position > b.position; });
  size_t read = out_.size();
  out_.resize(read + growth_);
  size_t write = out_.size();
  for (const Length& length : lengths_) {
    const size_t body = length.position + 1;
    write -= read - body;
    std::memmove(&out_[write], &out_[body], read - body);
    write -= static_cast<size_t>(protozero::length_of_varint(length.value));
    protozero::add_varint_to_buffer(&out_[write], length.value);
    read = length.position;
  }
  return true;
}

bool LooksLikeText(std::string_view text) {
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  const std::string_view head = text.substr(0, kSniffed);
  return std::none_of(head.begin(), head.end(), [](char c) {
    return (static_cast<unsigned char>(c) < 0x20 && !Is(c, kSpace)) || c == 0x7F;
  });
}

}  // namespace

std::optional<MessageType> GuessTextMessage(std::string_view text) {
  if (!LooksLikeText(text)) return std::nullopt;
  Cursor in(text);
  std::optional<MessageType> guess;
  for (int unknown = 0; unknown < kMaxUnknownNames;) {
    in.SkipSpace();
    const std::string_view name = in.TakeWord();
    in.SkipSpace();
    const char next = in.Peek();
    if (name.empty() || (next != ':' && !IsOpener(next))) break;
    int matches = 0;
    for (int i = kRootMessages - 1; i >= 0; --i) {
      if (FindField(static_cast<MessageType>(i), name) == nullptr) continue;
      guess = static_cast<MessageType>(i);
      ++matches;
    }
    if (matches == 1) break;
    if (matches == 0) ++unknown;
    in.Consume(':');
    if (!in.SkipValue(name)) break;
    in.SkipSpace();
    if (!in.Consume(',')) in.Consume(';');
  }
  return guess;
}

Result<std::string> TextToWire(std::string_view text, MessageType message, std::string_view file,
                               TextStats* stats) {
  if (stats != nullptr) *stats = {};
  Transcoder transcoder(text, stats);
  if (!transcoder.Run(message)) return Error::Input(transcoder.in().Failure(file));
  return transcoder.TakeWire();
}

std::string ReadablePart(std::string_view text, MessageType message) {
  Transcoder transcoder(text, nullptr);
  return transcoder.Run(message) ? std::string(text) : transcoder.ReadablePart();
}

}  // namespace tfprof::import_text
