#include "import/op_log.h"

#include <vector>

#include "import/code_def.h"
#include "import/sniff.h"

namespace tfprof {
namespace {

class OpLogReader {
 public:
  explicit OpLogReader(ProfileBuilder& builder) : builder_(builder), stacks_(builder) {}

  CodeDefReader& stacks() { return stacks_; }

  Status ReadEntry(std::string_view entry) {
    std::string_view name, code_def;
    int64_t float_ops = kNotRecorded;
    types_.clear();
    protozero::pbf_reader reader = Reader(entry);
    while (reader.next()) {
      switch (reader.tag_and_type()) {
        case BytesTag(1):
          name = View(reader.get_view());
          break;
        case VarintTag(2):
          float_ops = reader.get_int64();
          break;
        case BytesTag(3):
          types_.push_back(View(reader.get_view()));
          break;
        case BytesTag(4):
          code_def = View(reader.get_view());
          break;
        default:
          reader.skip();
      }
    }
    const NodeId node = builder_.FindNode(name);
    if (!node) {
      builder_.Count("op log entries without a node");
      return {};
    }
    return Apply(node, float_ops, code_def);
  }

 private:
  Status Apply(NodeId node, int64_t float_ops, std::string_view code_def) {
    if (float_ops != kNotRecorded) builder_.profile().float_ops[node] = float_ops;
    for (std::string_view type : types_) {
      Result<StringId> id = builder_.Text(type, "an op type");
      if (!id) return id.error();
      builder_.AddType(node, *id);
    }
    if (code_def.empty()) return {};
    Result<StackId> stack = stacks_.Read(code_def);
    if (!stack) return stack.error();
    if (*stack) builder_.profile().stack[node] = *stack;
    return {};
  }

  ProfileBuilder& builder_;
  CodeDefReader stacks_;
  std::vector<std::string_view> types_;
};

}  // namespace

bool IsOpLog(std::string_view bytes) {
  return AllFields(bytes, [](const Field& f) {
    if (!f.is_bytes()) return false;
    if (f.number == 2) return AllFields(f.bytes, IsStringEntry);
    return f.number == 1 && AllFields(f.bytes, [](const Field& e) {
             if (e.number == 1) return e.is_bytes() && IsName(e.bytes);
             return e.number == 2 ? e.is_varint() : e.is_bytes() && e.number <= 4;
           });
  });
}

std::span<const Lack> WithoutOpLog() {
  static constexpr Lack kLacks[] = {
      {[](const Profile& profile, const Coverage&) { return !profile.has_op_log && !profile.capture; },
       "op log", "the code view, float ops, _trainable_variables",
       "tf.compat.v1.profiler.write_op_log(graph, log_dir, add_trace=True) writes tfprof_log"},
      {[](const Profile& profile, const Coverage& coverage) {
         return profile.has_op_log && coverage.with_stack == 0;
       },
       "call stacks", "the code view", "tf.compat.v1.profiler.write_op_log(graph, log_dir, add_trace=True)"}};
  return kLacks;
}

Status ImportOpLog(const WireFile& file, ProfileBuilder& builder) {
  OpLogReader reader(builder);
  builder.profile().has_op_log = true;
  // The strings stand behind the entries that use them, so the file is walked twice; the first walk skips
  // entries whole.
  Status strings =
      ForEachField(file, file.bytes, builder, "op log string", [&](const Field& field) -> Status {
        return field.number == 2 && field.is_bytes() ? reader.stacks().AddString(field.bytes) : Status();
      });
  if (!strings) return strings;
  return ForEachField(file, file.bytes, builder, "op log entry", [&](const Field& field) -> Status {
    return field.number == 1 && field.is_bytes() ? reader.ReadEntry(field.bytes) : Status();
  });
}

}  // namespace tfprof
