// What a command is: a kind of report (tfprof/report_kinds.h), or one of the few others, which are a function
// in cmd_NAME.cc and a row of the table in commands.cc.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/options_table.h"
#include "tfprof/options.h"
#include "tfprof/profile.h"
#include "tfprof/result.h"

namespace tfprof::cli {

// Everything a command works on. At the prompt the profile is there already; one-shot commands load it.
struct Context {
  Context() { options.max_rows = -1; }

  Options options;
  PrintOptions print;
  std::string command;             // the name it was called by
  std::vector<std::string> words;  // plain arguments of commands that take no input (help COMMAND)
  std::shared_ptr<const Profile> profile;
  LoadDetail detail = LoadDetail::kFigures;  // what `profile` was loaded with
  bool interactive = false;                  // at the prompt
};

enum class Takes { kInput, kWords };

struct Command {
  std::string_view name;
  Takes takes;
  std::string_view arguments;  // in the usage line
  std::string_view summary;    // one line
  std::string_view example;
  Status (*run)(Context& context);
  std::string_view options = {};  // as ReportKind::options
  bool at_prompt = true;          // makes sense there too
};

std::span<const Command> Commands();
const Command* FindCommand(std::string_view name);
std::vector<std::string_view> CommandNames();

// Whether the option does anything in this command: what help lists and completion offers.
bool UsesOption(const Command& command, const OptionSpec& option);

// One function per command that is no report kind, and one for all that are.
Status RunReport(Context& context);      // cmd_report.cc
Status RunSave(Context& context);        // cmd_save.cc
Status RunTimeline(Context& context);    // cmd_timeline.cc
Status RunExport(Context& context);      // cmd_export.cc
Status RunMcp(Context& context);         // cmd_mcp.cc
Status RunUi(Context& context);          // cmd_ui.cc
Status RunHelp(Context& context);        // cmd_help.cc
Status RunVersion(Context& context);     // cmd_version.cc
Status RunCompletion(Context& context);  // cmd_completion.cc

// What the options say of the process itself: its memory and its threads.
void LimitProcess(const PrintOptions& print);

// Refuses a format that the command does not write; else runs it.
Status RunCommand(const Command& command, Context& context);

// -output timeline:outfile=F of a view.
Status WriteViewTimeline(Context& context, ViewKind view);

// Loads the inputs unless context.profile is there already, in that detail; shows progress, prints notes.
Status LoadProfile(Context& context, LoadDetail detail);

}  // namespace tfprof::cli
