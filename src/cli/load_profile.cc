#include "cli/command.h"
#include "cli/terminal.h"

namespace tfprof::cli {

Status LoadProfile(Context& context, LoadDetail detail) {
  if (context.profile && context.detail >= detail) return {};
  Result<Loaded> loaded = Load(context.options, detail, ProgressBar());
  ClearProgressBar();
  if (!loaded) return loaded.error();
  for (const std::string& note : loaded->notes) PrintNote(note);
  context.profile = loaded->profile;
  context.detail = detail;
  return {};
}

}  // namespace tfprof::cli
