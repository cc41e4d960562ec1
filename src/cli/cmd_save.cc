#include <fmt/format.h>

#include "cli/command.h"
#include "cli/terminal.h"

namespace tfprof::cli {

Status RunSave(Context& context) {
  if (context.print.outfile.empty()) return Error::Usage("save needs a file to write: -o FILE");
  if (Status s = LoadProfile(context, LoadDetail::kExecutions); !s) return s;
  if (Status s = SaveProfile(*context.profile, context.print.outfile); !s) return s;
  PrintNote(fmt::format("wrote {}", context.print.outfile));
  return {};
}

}  // namespace tfprof::cli
