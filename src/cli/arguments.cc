#include "cli/arguments.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/options_table.h"
#include "base/text.h"

namespace tfprof::cli {
namespace {

bool IsBoolWord(std::string_view word) {
  constexpr std::string_view kWords[] = {"true", "t", "yes", "y", "1", "false", "f", "no", "n", "0"};
  const std::string lower = ToLower(word);
  return std::find(std::begin(kWords), std::end(kWords), lower) != std::end(kWords);
}

bool IsOption(std::string_view word) { return word.size() > 1 && word[0] == '-'; }

class Parser {
 public:
  Parser(const std::vector<std::string>& words, Context* context) : words_(words), context_(context) {}

  Result<Parsed> Run() {
    bool only_plain = false;  // after "--"
    for (; next_ < words_.size(); ++next_) {
      const std::string& word = words_[next_];
      if (word == "--" && !only_plain) {
        only_plain = true;
      } else if (IsOption(word) && !only_plain) {
        if (Status s = Option(word); !s) return s.error();
      } else {
        Plain(word);
      }
    }
    return parsed_;
  }

 private:
  void Plain(const std::string& word) {
    const Command* current = FindCommand(context_->command);
    if (!current && FindCommand(word)) {
      context_->command = word;
    } else if (current && current->takes == Takes::kWords) {
      context_->words.push_back(word);
    } else {
      context_->options.inputs.push_back(word);
    }
  }

  Status Option(const std::string& word) {
    std::string name = word.substr(word.starts_with("--") ? 2 : 1);
    const size_t equals = name.find('=');
    const bool has_value = equals != std::string::npos;
    std::string value = has_value ? name.substr(equals + 1) : "";
    if (has_value) name.resize(equals);
    std::replace(name.begin(), name.end(), '-', '_');
    if (name == "h" || name == "help") return parsed_.wants_help = true, Status();
    if (name == "version") return parsed_.wants_version = true, Status();
    if (name == "o") name = "outfile";
    if (name == "no_pager") return context_->print.pager = false, Status();
    const OptionSpec* option = FindOption(name);
    if (option && option->is_many && !has_value) return Values(name, *option);
    if (option && !has_value) {
      const bool more = next_ + 1 < words_.size();
      if (option->is_switch()) {
        if (more && IsBoolWord(words_[next_ + 1])) value = words_[++next_];
      } else if (more) {
        value = words_[++next_];
      } else {
        return Error::Usage(fmt::format("-{} needs a value ({})", name, option->value));
      }
    }
    return SetOption(context_->options, &context_->print, name, value);
  }

  // All words up to the next option.
  Status Values(const std::string& name, const OptionSpec& option) {
    const size_t before = next_;
    while (next_ + 1 < words_.size() && !IsOption(words_[next_ + 1])) {
      if (Status s = SetOption(context_->options, &context_->print, name, words_[++next_]); !s) return s;
    }
    if (next_ > before) return {};
    return Error::Usage(fmt::format("-{} needs a value ({})", name, option.value));
  }

  const std::vector<std::string>& words_;
  Context* context_;
  size_t next_ = 0;
  Parsed parsed_;
};

}  // namespace

Result<std::vector<std::string>> SplitLine(std::string_view line) {
  std::vector<std::string> words;
  std::string word;
  bool in_word = false;
  char quote = 0;
  for (const char c : line) {
    if (quote != 0) {
      if (c == quote) {
        quote = 0;
      } else {
        word += c;
      }
    } else if (c == '\'' || c == '"') {
      quote = c;
      in_word = true;
    } else if (c == ' ' || c == '\t') {
      if (in_word) words.push_back(std::move(word));
      word.clear();
      in_word = false;
    } else {
      word += c;
      in_word = true;
    }
  }
  if (quote != 0) return Error::Usage(fmt::format("a {} is not closed", quote));
  if (in_word) words.push_back(std::move(word));
  return words;
}

Result<Parsed> ParseWords(const std::vector<std::string>& words, Context* context) {
  return Parser(words, context).Run();
}

}  // namespace tfprof::cli
