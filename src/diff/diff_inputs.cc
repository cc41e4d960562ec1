#include "diff/diff_inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/text.h"
#include "load/input_file.h"

namespace tfprof {
namespace {

constexpr std::string_view kStep = "@step=";

constexpr std::string_view kSuffixes[] = {kStep, "@run=", "@host="};

// Where the suffixes of an input begin: LOGDIR/@run=NAME@step=3.
size_t SuffixesAt(std::string_view text) {
  for (;;) {
    const size_t at = text.rfind('@');
    const auto begins = [&](std::string_view suffix) { return text.substr(at).starts_with(suffix); };
    if (at == std::string_view::npos || std::none_of(std::begin(kSuffixes), std::end(kSuffixes), begins))
      return text.size();
    text = text.substr(0, at);
  }
}

struct Place {
  std::vector<std::string> paths;
  bool exists = false;
};

Place PlaceOf(const std::string& text, const Options& options) {
  const auto exists = [&](const std::string& path) { return InputExists(path, options); };
  if (exists(text) || text.find(',') == std::string::npos) return {{text}, exists(text)};
  std::vector<std::string> parts = SplitList(text, ',');
  return {parts, std::all_of(parts.begin(), parts.end(), exists)};
}

// One suffix, from its '@' on.
Status ReadSuffix(std::string_view suffix, const std::string& text, GivenInput* out) {
  const std::string_view key = suffix.substr(0, suffix.find('=') + 1);
  const std::string_view value = suffix.substr(key.size());
  if (key != kStep) {
    if (value.empty()) return Error::Usage(fmt::format("{}: {} names nothing", Printable(text), key));
    (key == kSuffixes[1] ? out->run : out->host) = std::string(value);
    return {};
  }
  Result<StepChoice> choice = StepChoice::Parse(value);
  if (!choice) {
    return Error::Usage(
        fmt::format("{}: '{}' is no step; write @step=10, @step=5-20 or @step=all behind the input",
                    Printable(text), Printable(value)));
  }
  out->step = std::move(*choice);
  return {};
}

Result<GivenInput> ReadInput(const std::string& text, const Options& options) {
  GivenInput out;
  out.source = text;
  std::string place = text;
  if (!InputExists(text, options)) {
    const size_t end = SuffixesAt(text);
    std::string_view suffixes = std::string_view(text).substr(end);
    place.resize(end);
    while (!suffixes.empty()) {
      const std::string_view one = suffixes.substr(0, suffixes.find('@', 1));
      if (Status s = ReadSuffix(one, text, &out); !s) return s.error();
      suffixes.remove_prefix(one.size());
    }
  }
  if (place.empty()) return Error::Usage(fmt::format("'{}' names no input", Printable(text)));
  out.paths = PlaceOf(place, options).paths;
  for (const std::string& path : out.paths) {
    if (!InputExists(path, options))
      return Error::Input(fmt::format("{}: No such file or directory", Printable(path, 400)));
  }
  return out;
}

std::string_view PathOf(std::string_view source) { return source.substr(0, SuffixesAt(source)); }

bool IsInput(const std::string& text, const Options& options) {
  return PlaceOf(text, options).exists || PlaceOf(std::string(PathOf(text)), options).exists;
}

// Short names for many columns: the last parts of their paths, or the steps of one input.
std::vector<std::string> ShortNames(const std::vector<std::string>& sources) {
  const bool one_path = std::all_of(sources.begin(), sources.end(), [&](const std::string& source) {
    return source.substr(PathOf(source).size()).starts_with(kStep) && PathOf(source) == PathOf(sources[0]);
  });
  std::vector<std::string> out;
  for (const std::string& source : sources) {
    std::string_view path = PathOf(source);
    const std::string_view step = std::string_view(source).substr(path.size());
    while (path.size() > 1 && path.back() == '/') path.remove_suffix(1);
    if (one_path) {
      out.push_back("step_" + std::string(step.substr(kStep.size())));
    } else {
      out.push_back(std::string(path.substr(path.rfind('/') + 1)) + std::string(step));
    }
  }
  for (size_t i = 0; i < out.size(); ++i) {
    if (std::count(out.begin(), out.end(), out[i]) > 1) return sources;  // runs/1/a, runs/2/a
  }
  return out;
}

}  // namespace

Result<std::vector<GivenInput>> FindDiffInputs(const Options& options) {
  std::vector<std::string> texts, names;
  for (const std::string& word : options.inputs) {
    const bool is_input = texts.size() < 2 || (names.empty() && IsInput(word, options));
    const bool like_path = word.find('/') != std::string::npos || PathOf(word).size() != word.size();
    if (!is_input && like_path && names.empty())
      return Error::Input(fmt::format("{}: No such file or directory", Printable(word, 400)));
    (is_input ? texts : names).push_back(word);
  }
  if (texts.size() + options.extra_files.size() < 2)
    return Error::Usage("diff compares two inputs or more: tfprof diff OLD NEW [name of OLD] [name of NEW]");
  const size_t plain = texts.size();
  if (names.size() > plain) {
    return Error::Usage(fmt::format("'{}' is neither an input nor needed as a name: there are {} inputs",
                                    Printable(names[plain]), plain));
  }
  if (options.extra_names.size() > options.extra_files.size())
    return Error::Usage("there are more -extra_names than -extra_files");
  texts.insert(texts.end(), options.extra_files.begin(), options.extra_files.end());
  names.resize(plain);
  names.insert(names.end(), options.extra_names.begin(), options.extra_names.end());
  names.resize(texts.size());
  const std::vector<std::string> short_names = ShortNames(texts);
  std::vector<GivenInput> out;
  for (size_t i = 0; i < texts.size(); ++i) {
    Result<GivenInput> input = ReadInput(texts[i], options);
    if (!input) return input.error();
    constexpr const char* kSides[] = {"left", "right"};
    input->name = !names[i].empty() ? names[i] : plain == 2 && i < 2 ? kSides[i] : short_names[i];
    out.push_back(std::move(*input));
  }
  return out;
}

}  // namespace tfprof
