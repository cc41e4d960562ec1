#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <string>
#include <vector>

#include "base/text.h"
#include "cli/command.h"
#include "cli/man_page.h"
#include "cli/shell_completion.h"
#include "cli/terminal.h"

namespace tfprof::cli {
namespace {

struct Kind {
  std::string_view name;
  std::string (*text)();
};
constexpr Kind kKinds[] = {
    {"bash", BashCompletion}, {"zsh", ZshCompletion}, {"fish", FishCompletion}, {"man", ManPage}};

}  // namespace

Status RunCompletion(Context& context) {
  std::vector<std::string_view> known;
  for (const Kind& kind : kKinds) known.push_back(kind.name);
  if (context.words.size() != 1) {
    return Error::Usage(fmt::format("completion takes one of {}", fmt::join(known, ", ")));
  }
  const std::string& word = context.words[0];
  for (const Kind& kind : kKinds) {
    if (kind.name != word) continue;
    Result<std::unique_ptr<ReportOutput>> output = ReportOutput::Open(context);
    if (!output) return output.error();
    (*output)->Write(kind.text());
    return (*output)->Finish();
  }
  return Error::Usage(fmt::format("no completion for '{}', only for {}{}", Printable(word),
                                  fmt::join(known, ", "), DidYouMean(word, known)));
}

}  // namespace tfprof::cli
