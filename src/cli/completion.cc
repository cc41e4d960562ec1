#include "cli/completion.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "base/options_table.h"
#include "base/paths.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/prompt.h"

namespace tfprof::cli {
namespace {

constexpr size_t kNameLimit = 500;

// A line as far as it is typed. Quotes group as in SplitLine, but the last one may still be open.
struct Typed {
  std::vector<std::string> words;  // finished ones
  std::string last;                // the one at the cursor, maybe empty
  char quote = 0;
};

Typed Scan(std::string_view line) {
  Typed out;
  bool in_word = false;
  for (const char c : line) {
    if (out.quote != 0 ? c == out.quote : c == '\'' || c == '"') {
      out.quote = out.quote != 0 ? '\0' : c;
      in_word = true;
    } else if (out.quote == 0 && (c == ' ' || c == '\t')) {
      if (in_word) out.words.push_back(std::move(out.last));
      out.last.clear();
      in_word = false;
    } else {
      out.last += c;
      in_word = true;
    }
  }
  return out;
}

const OptionSpec* OptionOf(std::string_view word) {
  word.remove_prefix(word.starts_with("--") ? 2 : 1);
  std::string name(word.substr(0, word.find('=')));
  std::replace(name.begin(), name.end(), '-', '_');
  return FindOption(name == "o" ? "outfile" : name);
}

// The option that the next word belongs to, walking as the parser does: values may look like options.
struct Waiting {
  const OptionSpec* value = nullptr;         // this one needs it
  const OptionSpec* after_switch = nullptr;  // this one may take true or false
};

Waiting WhatWaits(const std::vector<std::string>& words) {
  Waiting out;
  for (size_t i = 1; i < words.size(); ++i) {
    const std::string& word = words[i];
    const bool is_value = out.value != nullptr;
    out = {};
    if (is_value || word.size() < 2 || word[0] != '-' || word.find('=') != std::string::npos) continue;
    const OptionSpec* option = OptionOf(word);
    if (option) (option->is_switch() ? out.after_switch : out.value) = option;
  }
  return out;
}

class Collector {
 public:
  Collector(const Lookups& lookups, char quote) : lookups_(lookups) { out_.quote = quote; }

  void Commands(std::string_view prefix) {
    out_.prefix = prefix;
    for (const Command& command : cli::Commands()) {
      if (command.at_prompt) Add(command.name);
    }
    for (const PromptWord& word : PromptWords()) Add(word.name);
  }

  void Options(const Command* command, std::string_view prefix) {
    out_.prefix = prefix;
    const bool two_dashes = prefix.starts_with("--");
    for (const OptionSpec& option : OptionsTable()) {
      if (option.group == OptionGroup::kInput || (command && !UsesOption(*command, option))) continue;
      if (two_dashes) {
        Add(fmt::format("--{}{}", option.name, option.is_switch() ? "" : "="), option.is_switch());
      } else {
        Add(fmt::format("-{}", option.name));
      }
    }
    if (two_dashes) Add("--no-pager");
  }

  void Value(const OptionSpec& option, std::string_view text) {
    if (option.is_list) text.remove_prefix(text.rfind(',') + 1);
    constexpr std::string_view kOutfile = "outfile=";
    if (const size_t at = text.find(kOutfile);
        at != std::string_view::npos && option.is_path && !option.words.empty()) {
      return Files(text.substr(at + kOutfile.size()));
    }
    out_.prefix = text;
    for (std::string_view word : option.words) Add(word, !option.is_list && !word.ends_with('='));
    if (option.is_switch()) Add("true"), Add("false");
    if (option.name.ends_with("_name_regexes")) return Names(text);
    if (option.is_path && option.words.empty()) Files(text);
  }

  void Without(const std::vector<std::string>& taken) {
    std::erase_if(out_.candidates, [&](const Candidate& candidate) {
      return std::find(taken.begin(), taken.end(), candidate.text) != taken.end();
    });
  }

  Completion Take() {
    const auto by_text = [](const Candidate& a, const Candidate& b) { return a.text < b.text; };
    std::sort(out_.candidates.begin(), out_.candidates.end(), by_text);
    out_.candidates.erase(std::unique(out_.candidates.begin(), out_.candidates.end()), out_.candidates.end());
    return std::move(out_);
  }

 private:
  // Names come from files: what would garble the screen is not offered.
  void Add(std::string_view text, bool closed = true) {
    if (!out_.inside && !text.starts_with(out_.prefix)) return;
    if (Printable(text, std::numeric_limits<size_t>::max()) != text) return;
    out_.candidates.push_back({std::string(text), closed});
  }

  void Names(std::string_view prefix) {
    if (!lookups_.names) return;
    const std::vector<std::string> names = lookups_.names(prefix, kNameLimit);
    out_.cut_off = names.size() >= kNameLimit;
    for (const std::string& name : names) Add(name, false);
    if (!out_.candidates.empty() || prefix.empty() || !lookups_.matching) return;
    out_.inside = true;
    for (const std::string& name : lookups_.matching(prefix, kNameLimit)) Add(name, false);
    out_.cut_off = out_.candidates.size() >= kNameLimit;
  }

  void Files(std::string_view prefix) {
    out_.prefix = prefix;
    if (!lookups_.files) return;
    for (const std::string& path : lookups_.files(prefix)) Add(path, !path.ends_with('/'));
  }

  const Lookups& lookups_;
  Completion out_;
};

// Text that SplitLine reads as `text` when it follows an open `quote` (0: none), and leaves it open or not.
std::string Quoted(std::string_view text, char quote) {
  std::string out;
  char open = quote;
  for (const char c : text) {
    const bool is_quote = c == '\'' || c == '"';
    const bool must_open = open == 0 && (c == ' ' || c == '\t' || is_quote);
    if (must_open || (open != 0 && c == open)) {
      if (open != 0) out += open;
      open = c == '\'' ? '"' : '\'';
      out += open;
    }
    out += c;
  }
  if (open == quote) return out;
  out += open;
  if (quote != 0) out += quote;
  return out;
}

size_t CommonLength(const std::vector<Candidate>& candidates) {
  const std::string& first = candidates[0].text;
  size_t length = first.size();
  for (const Candidate& candidate : candidates) {
    const auto end = std::mismatch(first.begin(), first.begin() + static_cast<std::ptrdiff_t>(length),
                                   candidate.text.begin(), candidate.text.end());
    length = static_cast<size_t>(end.first - first.begin());
  }
  while (length < first.size() && (static_cast<unsigned char>(first[length]) & 0xC0) == 0x80) --length;
  return length;
}

size_t Width(std::string_view text) {  // columns, counting each character as one
  return static_cast<size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

}  // namespace

Completion Complete(std::string_view line, const Lookups& lookups) {
  const Typed typed = Scan(line);
  Collector collect(lookups, typed.quote);
  if (typed.words.empty()) {
    collect.Commands(typed.last);
    return collect.Take();
  }
  const Command* command = FindCommand(typed.words[0]);
  if (typed.words[0] == "help") {
    if (typed.words.size() == 1) collect.Commands(typed.last);
    return collect.Take();
  }
  if (typed.words[0] == "reset") {
    collect.Options(nullptr, typed.last);
    return collect.Take();
  }
  const bool is_set = typed.words[0] == "set";
  if (!is_set && (!command || !command->at_prompt || command->takes == Takes::kWords)) return collect.Take();

  const Waiting waiting = WhatWaits(typed.words);
  const size_t equals = typed.last.find('=');
  if (waiting.value || (typed.last.starts_with('-') && equals != std::string::npos)) {
    const OptionSpec* option = waiting.value ? waiting.value : OptionOf(typed.last);
    const std::string_view text = std::string_view(typed.last).substr(waiting.value ? 0 : equals + 1);
    if (!option) return collect.Take();
    collect.Value(*option, text);
    if (option->is_list) collect.Without(SplitList(text.substr(0, text.rfind(',') + 1), ','));
  } else if (typed.last.empty() || typed.last.starts_with('-')) {
    collect.Options(command, typed.last);
  } else if (waiting.after_switch) {
    collect.Value(*waiting.after_switch, typed.last);
  }
  return collect.Take();
}

std::string Insertion(const Completion& completion) {
  if (completion.candidates.empty() || completion.cut_off) return "";
  if (completion.inside)
    return completion.candidates.size() == 1 ? Quoted(completion.candidates[0].text, completion.quote) : "";
  const Candidate& first = completion.candidates[0];
  const bool only = completion.candidates.size() == 1;
  const size_t length = only ? first.text.size() : CommonLength(completion.candidates);
  const size_t have = completion.prefix.size();
  std::string out =
      length > have ? Quoted(std::string_view(first.text).substr(have, length - have), completion.quote) : "";
  if (!only || !first.closed) return out;
  if (completion.quote != 0) out += completion.quote;
  return out + " ";
}

std::string CandidateColumns(const Completion& completion, size_t width, size_t rows) {
  const size_t cut = completion.inside ? 0 : completion.prefix.rfind('/') + 1;
  std::vector<std::string_view> texts;
  size_t widest = 1;
  for (const Candidate& candidate : completion.candidates) {
    texts.push_back(std::string_view(candidate.text).substr(cut));
    widest = std::max(widest, Width(texts.back()));
  }
  const size_t across = std::max<size_t>(1, width / (widest + 2));
  const size_t room = std::max<size_t>(1, rows) * across;
  const bool too_many = texts.size() > room || completion.cut_off;
  if (too_many) texts.resize(std::min(texts.size(), room - std::min(room - 1, across)));
  const size_t down = (texts.size() + across - 1) / across;
  std::string out;
  for (size_t row = 0; row < down; ++row) {
    for (size_t i = row; i < texts.size(); i += down) {
      out += texts[i];
      if (i + down < texts.size()) out.append(widest + 2 - Width(texts[i]), ' ');
    }
    out += '\n';
  }
  if (completion.cut_off) return out + "... and more\n";
  if (too_many) out += fmt::format("... and {} more\n", completion.candidates.size() - texts.size());
  return out;
}

std::vector<std::string> FilesBeginningWith(std::string_view prefix) {
  const std::string_view directory = prefix.substr(0, prefix.rfind('/') + 1);
  const std::string_view begin = prefix.substr(directory.size());
  std::vector<std::string> out;
  const Result<std::vector<DirectoryEntry>> entries = EntriesIn(std::string(directory));
  if (!entries) return out;
  for (const DirectoryEntry& entry : *entries) {
    if (!entry.name.starts_with(begin) || (begin.empty() && entry.name.starts_with('.'))) continue;
    out.push_back(fmt::format("{}{}{}", directory, entry.name, entry.is_directory ? "/" : ""));
  }
  return out;
}

}  // namespace tfprof::cli
