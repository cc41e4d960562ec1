// The options table: one row per option, with its name, its values, its help, and how to read and print it.
// The command line, the prompt, completion, `help`, the man page and the bindings all come from it, so they
// cannot disagree.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tfprof/options.h"
#include "tfprof/result.h"

namespace tfprof {

enum class OptionGroup { kInput, kView, kCommand, kPrint };
enum class Color : uint8_t { kAuto, kAlways, kNever };
enum class Defuse : uint8_t { kAuto, kAlways, kNever };

// How and where the command line prints: what is no part of a report.
struct PrintOptions {
  Format format = Format::kText;
  std::string outfile;
  Color color = Color::kAuto;
  bool pager = true;
  bool viz = false;
  Defuse defuse = Defuse::kAuto;
  int64_t max_memory = 0;  // memory_limit.h
  int64_t threads = 0;     // parallel.h
  // Of the page.
  int64_t port = 0;
  std::string address = "127.0.0.1";
  bool no_open = false;
  std::vector<std::string> source;
};

struct OptionSpec {
  std::string_view name;
  std::string_view value;  // what stands for the value in help; empty: a switch that may stand alone
  std::string_view help;
  OptionGroup group;
  Status (*set)(Options& options, std::string_view text);
  std::string (*get)(const Options& options);
  std::vector<std::string_view> words = {};  // known values, for completion and suggestions
  bool is_path = false;
  bool is_list = false;  // comma separated
  bool adds = false;     // each use adds one value, which is taken as it is
  bool is_many = false;  // adds; on the command line all words up to the next option are values
  // Where its values lie, for bindings that have them apart.
  std::vector<std::string> Options::*list = nullptr;
  // Of PrintOptions; `set` and `get` are null then.
  Status (*set_print)(PrintOptions& options, std::string_view text) = nullptr;
  std::string (*get_print)(const PrintOptions& options) = nullptr;

  bool is_switch() const { return value.empty(); }
  std::string Get(const Options& options, const PrintOptions& print) const {
    return get ? get(options) : get_print(print);
  }
};

std::span<const OptionSpec> OptionsTable();
const OptionSpec* FindOption(std::string_view name);
std::vector<std::string_view> OptionNames();

// Sets an option by its name; the error names the option and the nearest known word. Those of printing are
// unknown where there is no `print`.
Status SetOption(Options& options, PrintOptions* print, std::string_view name, std::string_view text);

// Whether a list of options, as ReportKind::options has it, takes this one.
bool TakesOption(std::string_view list, const OptionSpec& option);

std::string_view ViewName(ViewKind view);
std::optional<ViewKind> ViewNamed(std::string_view name);

}  // namespace tfprof
