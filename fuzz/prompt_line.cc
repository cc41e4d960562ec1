// Lines at the prompt: their words, the options among them, and what Tab completes at their end.
#include "cli/arguments.h"
#include "cli/completion.h"
#include "target.h"

namespace tfprof {
namespace {

void TryCompletion(std::string_view text) {
  static const std::vector<std::string> kNames = {"a/x", "a/y", "gradients/a b/", "w"};
  cli::Lookups lookups;
  lookups.names = [](std::string_view prefix, size_t limit) {
    std::vector<std::string> out;
    for (const std::string& name : kNames) {
      if (name.starts_with(prefix) && out.size() < limit) out.push_back(name);
    }
    return out;
  };
  lookups.matching = [](std::string_view pattern, size_t) {
    return pattern.size() > 1 ? kNames : std::vector<std::string>();
  };
  lookups.files = [](std::string_view prefix) {
    return std::vector<std::string>{std::string(prefix) + "file/"};
  };
  const cli::Completion completion = cli::Complete(text, lookups);
  for (const cli::Candidate& candidate : completion.candidates)
    Require(completion.inside || candidate.text.starts_with(completion.prefix),
            "candidates begin as the line ends");
  (void)cli::Insertion(completion);
  (void)cli::CandidateColumns(completion, 1 + text.size() % 200, text.size() % 7);
}

}  // namespace

void FuzzPromptLine(std::string_view text) {
  TryCompletion(text);
  const Result<std::vector<std::string>> words = cli::SplitLine(text);
  if (!words) {
    Require(text.find_first_of("'\"") != std::string_view::npos, "quotes alone can be wrong");
    return;
  }
  cli::Context context;
  const Result<cli::Parsed> parsed = cli::ParseWords(*words, &context);
  Require(parsed.ok() || IsPlain(parsed.error().message), "a message is fit to be printed");
  Require(context.command.empty() || cli::FindCommand(context.command), "a command is one of the table");
}

}  // namespace tfprof
