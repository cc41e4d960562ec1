#include "graph/op_facts.h"

#include <charconv>
#include <string>
#include <unordered_map>

namespace tfprof {
namespace {

// One literal per op: compilers need not take one of more than 64 KB.
constexpr std::string_view kTable[] = {
#include "graph/op_facts.inc"
};

std::string_view TakeUntil(std::string_view* text, char end) {
  const size_t at = text->find(end);
  const std::string_view taken = text->substr(0, at);
  text->remove_prefix(at == std::string_view::npos ? text->size() : at + 1);
  return taken;
}

OutputFact ParseOutput(std::string_view text) {
  OutputFact out;
  out.name = TakeUntil(&text, ':');
  if (text.starts_with('[')) {
    out.type_list_attr = text.substr(1, text.size() - 2);
    return out;
  }
  std::string_view type = TakeUntil(&text, '*');
  out.number_attr = text;
  if (type.starts_with('=')) {
    std::from_chars(type.data() + 1, type.data() + type.size(), out.type);
  } else {
    out.type_attr = type;
  }
  return out;
}

// The rows of the table by op.
std::unordered_map<std::string_view, OpFacts> ParseTable() {
  std::unordered_map<std::string_view, OpFacts> out;
  out.reserve(2048);
  for (std::string_view line : kTable) {
    const std::string_view op = TakeUntil(&line, '|');
    std::string_view outputs = TakeUntil(&line, '|');
    OpFacts& facts = out[op];
    facts.defaults = line;
    while (!outputs.empty()) facts.outputs.push_back(ParseOutput(TakeUntil(&outputs, ' ')));
  }
  return out;
}

}  // namespace

const OpFacts* FindOpFacts(std::string_view op) {
  static const auto* const kFacts =
      new std::unordered_map<std::string_view, OpFacts>(ParseTable());  // never freed: no order of exit
  const auto found = kFacts->find(op);
  return found == kFacts->end() ? nullptr : &found->second;
}

std::string_view DefaultOf(const OpFacts* facts, std::string_view attr) {
  if (!facts) return {};
  for (std::string_view rest = facts->defaults; !rest.empty();) {
    std::string_view item = TakeUntil(&rest, ' ');
    if (TakeUntil(&item, '=') == attr) return item;
  }
  return {};
}

}  // namespace tfprof
