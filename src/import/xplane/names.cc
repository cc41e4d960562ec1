#include "import/xplane/names.h"

#include <algorithm>
#include <charconv>

#include "base/text.h"

namespace tfprof::xplane {
namespace {

bool IsUpper(char c) { return c >= 'A' && c <= 'Z'; }
bool IsAlnum(char c) { return IsDigit(c) || IsUpper(c) || (c >= 'a' && c <= 'z'); }

std::string Join(std::string_view scope, std::string_view name) {
  if (scope.empty()) return std::string(name);
  std::string joined(scope);
  joined += '/';
  return joined += name;
}

std::string_view WithoutNumber(std::string_view name) {
  size_t end = name.size();
  while (end > 0 && IsDigit(name[end - 1])) --end;
  return end > 0 && end < name.size() && name[end - 1] == '_' ? name.substr(0, end - 1) : name;
}

// [A-Za-z0-9._][A-Za-z0-9_./>-]*
bool IsNodeName(std::string_view name) {
  if (name.empty() || !(IsAlnum(name[0]) || name[0] == '.' || name[0] == '_')) return false;
  return std::ranges::all_of(name.substr(1), [](char c) {
    return IsAlnum(c) || c == '_' || c == '.' || c == '/' || c == '>' || c == '-';
  });
}

// [A-Z_][A-Za-z0-9_]*
bool IsOpType(std::string_view type) {
  if (type.empty() || !(IsUpper(type[0]) || type[0] == '_')) return false;
  return std::ranges::all_of(type.substr(1), [](char c) { return IsAlnum(c) || c == '_'; });
}

// The length of the UTF-8 sequence that `text` begins with; 0: none.
size_t SequenceLength(std::string_view text) {
  for (size_t length = 1; length <= std::min<size_t>(4, text.size()); ++length) {
    if (IsValidUtf8(text.substr(0, length))) return length;
  }
  return 0;
}

}  // namespace

std::string CleanText(std::string_view text) {
  if (IsValidUtf8(text)) [[likely]]
    return std::string(text);
  std::string clean;
  for (size_t at = 0; at < text.size();) {
    const size_t length = SequenceLength(text.substr(at));
    clean += length == 0 ? std::string_view("\xEF\xBF\xBD") : text.substr(at, length);
    at += std::max<size_t>(1, length);
  }
  return clean;
}

std::string_view FrameworkOp(const HloModule& module, const Instruction& instruction) {
  if (!instruction.op_name.empty()) return instruction.op_name;
  const bool has_body = instruction.opcode == Opcode::kFusion || instruction.opcode == Opcode::kCall ||
                        instruction.opcode == Opcode::kAsyncStart;
  if (!has_body) return {};
  const Computation* body = module.Body(instruction);
  return body == nullptr || body->named == IdTable::kNone ? std::string_view() : module[body->named].op_name;
}

std::string_view TypeInName(std::string_view op_name) {
  while (op_name.ends_with('/')) op_name.remove_suffix(1);
  const size_t slash = op_name.rfind('/');
  std::string_view last = slash == std::string_view::npos ? op_name : op_name.substr(slash + 1);
  last = last.substr(0, last.find('['));
  return WithoutNumber(last);
}

OpName InstructionNode(const HloModule& module, const Instruction& instruction,
                       std::string_view instruction_name, std::optional<uint64_t> program_id) {
  const std::string_view op_name = FrameworkOp(module, instruction);
  OpName node;
  node.name = Join(op_name.empty() ? module.name() : op_name, instruction_name);
  if (program_id) node.name += '(' + std::to_string(*program_id) + ')';
  node.name = CleanText(node.name);
  if (!instruction.op_name.empty() && !instruction.op_type.empty()) {
    node.type = CleanText(instruction.op_type);
  } else {
    node.type = CleanText(op_name.empty() ? instruction.opcode_name : TypeInName(op_name));
  }
  return node;
}

std::optional<OpName> HostOp(std::string_view event_name) {
  if (event_name.starts_with("Iterator::")) return OpName{CleanText(event_name), "Dataset"};
  const size_t colon = event_name.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const std::string_view name = event_name.substr(0, colon), type = event_name.substr(colon + 1);
  if (name == "ThenExecuteCallback" || !IsNodeName(name) || !IsOpType(type)) return std::nullopt;
  return OpName{std::string(name), std::string(type)};
}

OpName UnknownInstruction(std::string_view prefix, std::string_view name, std::string_view module,
                          std::string_view hlo_op) {
  if (prefix.empty() && name.empty()) return {CleanText(Join(module, hlo_op)), "hlo"};
  const std::string op_name =
      prefix.empty() || name.empty() ? std::string(prefix.empty() ? name : prefix) : Join(prefix, name);
  return {CleanText(Join(op_name, hlo_op)), CleanText(TypeInName(op_name))};
}

std::optional<OpName> FrameworkGpuOp(std::string_view tf_op) {
  const size_t colon = tf_op.find(':');
  if (colon == std::string_view::npos || colon == 0 || colon + 1 == tf_op.size()) return std::nullopt;
  const std::string_view name = tf_op.substr(0, colon);
  if (name == "XlaModule") return std::nullopt;
  return OpName{CleanText(name), CleanText(tf_op.substr(colon + 1))};
}

OpName TpuOp(std::string_view tf_op, std::string_view module, std::string_view instruction) {
  const size_t colon = tf_op.find(':');
  const std::string_view name = tf_op.substr(0, colon);
  const std::string_view type =
      colon == std::string_view::npos ? std::string_view() : tf_op.substr(colon + 1);
  if (!name.empty())
    return {CleanText(Join(name, instruction)), CleanText(type.empty() ? TypeInName(name) : type)};
  if (!module.empty()) return {CleanText(Join(module, instruction)), "hlo"};
  return BareKernel(instruction);
}

OpName BareCopy(std::string_view event_name, bool is_fill) {
  const std::string name = is_fill ? std::string("Memset") : CleanText(event_name);
  return {name, name};
}

OpName BareKernel(std::string_view event_name) {
  std::string name = CleanText(event_name);
  std::ranges::replace(name, '/', '_');
  return {"kernel/" + name, "kernel"};
}

std::string_view TpuInstruction(std::string_view event_name) {
  std::string_view name = event_name.substr(0, event_name.find(" = "));
  if (name.starts_with('%')) name.remove_prefix(1);
  return name;
}

std::string_view InnermostHloOp(std::string_view hlo_op) {
  const size_t joint = hlo_op.rfind("::");
  return joint == std::string_view::npos ? hlo_op : hlo_op.substr(joint + 2);
}

std::string_view ExecutedModule(std::string_view event_name) {
  constexpr std::string_view kMark = "Execute (";
  if (!event_name.ends_with(')')) return {};
  const size_t mark = event_name.rfind(kMark);
  if (mark == std::string_view::npos) return {};
  const size_t begin = mark + kMark.size();
  return event_name.substr(begin, event_name.size() - begin - 1);
}

bool IsCopyName(std::string_view event_name) {
  return event_name.starts_with("Memcpy") || IsFillName(event_name);
}
bool IsFillName(std::string_view event_name) { return event_name.starts_with("Memset"); }

std::optional<int64_t> CopiedBytes(std::string_view details) {
  while (!details.empty()) {
    const size_t end = std::min(details.find_first_of(" \n"), details.size());
    std::string_view part = details.substr(0, end);
    details.remove_prefix(std::min(end + 1, details.size()));
    if (part.starts_with("size:")) {
      part.remove_prefix(5);
    } else if (part.starts_with("num_bytes:")) {
      part.remove_prefix(10);
    } else {
      continue;
    }
    int64_t bytes = 0;
    if (std::from_chars(part.data(), part.data() + part.size(), bytes).ec == std::errc()) return bytes;
  }
  return std::nullopt;
}

}  // namespace tfprof::xplane
