#include "base/options_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <iterator>
#include <optional>
#include <utility>

#include "base/text.h"
#include "base/units.h"
#include "tfprof/checkers.h"

namespace tfprof {
namespace {

constexpr std::array<std::string_view, 8> kFormatNames = {"text", "json",   "csv",      "markdown",
                                                          "html", "chrome", "perfetto", "sqlite"};
constexpr std::array<std::string_view, 3> kWhenNames = {"auto", "always", "never"};
constexpr std::array<std::string_view, 2> kFramesNames = {"all", "user"};
constexpr std::array<std::string_view, 2> kNamesNames = {"folded", "raw"};
constexpr std::array<std::string_view, 3> kFlopsSourceNames = {"auto", "recorded", "native"};
constexpr std::array<std::string_view, 2> kFlopsRulesNames = {"full", "tensorflow"};
constexpr std::array<std::string_view, 5> kMemoryByNames = {"op", "scope", "type", "code", "class"};
constexpr std::array<std::string_view, 4> kViewNames = {"scope", "graph", "op", "code"};
constexpr std::array<std::string_view, 6> kOutputNames = {
    "stdout", "none", "file:outfile=", "timeline:outfile=", "pprof:outfile=", "folded:outfile="};

template <size_t N>
std::vector<std::string_view> Words(const std::array<std::string_view, N>& names) {
  return {names.begin(), names.end()};
}

Error NoSuchWord(std::string_view text, const std::vector<std::string_view>& words) {
  return Error::Usage(fmt::format("'{}' is not one of {}{}", Printable(text), fmt::join(words, ", "),
                                  DidYouMean(text, words)));
}

Status SetNumber(std::string_view text, int64_t* out) {
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size()) return *out = number, Status();
  const char* what =
      error == std::errc::result_out_of_range ? "does not fit 64 bits" : "is not a whole number";
  return Error::Usage(fmt::format("'{}' {}", Printable(text), what));
}

Status SetBool(std::string_view text, bool* out) {
  const std::string word = ToLower(text);
  for (std::string_view yes : {"true", "t", "yes", "y", "1", ""}) {
    if (word == yes) return *out = true, Status();
  }
  for (std::string_view no : {"false", "f", "no", "n", "0"}) {
    if (word == no) return *out = false, Status();
  }
  return Error::Usage(fmt::format("'{}' is not true or false", Printable(text)));
}

template <class Enum, size_t N>
Status SetWord(std::string_view text, const std::array<std::string_view, N>& names, Enum* out) {
  const auto found = std::find(names.begin(), names.end(), text);
  if (found == names.end()) return NoSuchWord(text, Words(names));
  *out = static_cast<Enum>(found - names.begin());
  return {};
}

std::vector<std::string_view> ColumnWords(bool ColumnSpec::*takes) {
  std::vector<std::string_view> out;
  for (const ColumnSpec& column : Columns()) {
    if (column.*takes) out.push_back(column.name);
  }
  return out;
}

Status SetColumn(std::string_view text, bool ColumnSpec::*takes, ColumnId* out) {
  for (const ColumnSpec& column : Columns()) {
    if (column.*takes && column.name == text) return *out = column.id, Status();
  }
  return NoSuchWord(text, ColumnWords(takes));
}

constexpr std::string_view kAuto = "auto";

std::vector<std::string_view> OrderWords() {
  std::vector<std::string_view> out = ColumnWords(&ColumnSpec::sortable);
  out.push_back(kAuto);
  return out;
}

Status SetOrder(Options& options, std::string_view text) {
  if (text == kAuto) return options.order_by.reset(), Status();
  ColumnId column{};
  if (Status s = SetColumn(text, &ColumnSpec::sortable, &column); !s) return s;
  options.order_by = column;
  return {};
}

Status SetSelect(std::string_view text, ColumnSet* out) {
  ColumnSet selected;
  for (const std::string& word : SplitList(text, ',')) {
    ColumnId column{};
    if (Status s = SetColumn(word, &ColumnSpec::selectable, &column); !s) return s;
    selected.Add(column);
  }
  *out = selected;
  return {};
}

std::string GetSelect(ColumnSet selected) {
  std::vector<std::string_view> names;
  for (const ColumnSpec& column : Columns()) {
    if (selected.Has(column.id)) names.push_back(column.name);
  }
  return fmt::format("{}", fmt::join(names, ","));
}

Status SetDelta(std::string_view text, double* out) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || !(number >= 0) || number > 1e9)
    return Error::Usage(fmt::format("'{}' is no number from 0 up, as 0.1 for 10%", Printable(text)));
  *out = number;
  return {};
}

// 989e12, 989T; 0 is what is known of the device.
Status SetPeak(std::string_view text, double* out) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view unit(end, static_cast<size_t>(text.data() + text.size() - end));
  constexpr std::string_view kUnits = "kMGTP";
  double scale = 1;
  if (unit.size() == 1 && kUnits.find(unit[0]) != std::string_view::npos) {
    scale = std::pow(1000.0, static_cast<double>(kUnits.find(unit[0]) + 1));
  }
  if (error != std::errc() || (scale == 1 && !unit.empty()) || !(number >= 0) || number * scale > 1e30)
    return Error::Usage(fmt::format("'{}' is no number per second, as 989e12 or 989T", Printable(text)));
  *out = number * scale;
  return {};
}

// A day of the calendar as text sorts by time.
Status SetDate(std::string_view text, std::string* out) {
  const auto number = [&](size_t begin, size_t size) {
    int64_t value = 0;
    return SetNumber(text.substr(begin, size), &value) ? value : 0;
  };
  const bool fits = text.size() == 10 && text[4] == '-' && text[7] == '-' && number(0, 4) >= 1;
  const auto in = [](int64_t value, int64_t most) { return value >= 1 && value <= most; };
  if (!text.empty() && !(fits && in(number(5, 2), 12) && in(number(8, 2), 31)))
    return Error::Usage(fmt::format("'{}' is no day, as 2026-11-16", Printable(text)));
  *out = text;
  return {};
}

Status SetMinSize(std::string_view text, int64_t* out) {
  const std::optional<double> size = ParseAmount(text, Unit::kBytes);
  if (!size || *size < 0)
    return Error::Usage(fmt::format("'{}' is no size, as 500B, 10KB, 0.5MB or 1GB", Printable(text)));
  *out = static_cast<int64_t>(*size);
  return {};
}

// Short where that says the same.
std::string GetMinSize(int64_t size) {
  const std::string brief = FormatBrief(Unit::kBytes, size);
  return ParseAmount(brief, Unit::kBytes) == static_cast<double>(size) ? brief : fmt::format("{}B", size);
}

// Memory is sold in GB and told in GiB: both.
Status SetMemorySize(std::string_view text, int64_t* out) {
  double factor = 1;
  std::string decimal(text);
  for (const auto& [unit, base] :
       {std::pair("kib", 1.024), std::pair("mib", 1.048576), std::pair("gib", 1.073741824)}) {
    if (!ToLower(text).ends_with(unit)) continue;
    factor = base;
    decimal.erase(decimal.size() - 2, 1);  // the i
  }
  const std::optional<double> size = ParseAmount(decimal, Unit::kBytes);
  if (!size || *size < 0 || *size * factor > 9e18)
    return Error::Usage(fmt::format("'{}' is no size of a memory, as 16GB or 80GiB", Printable(text)));
  *out = static_cast<int64_t>(std::llround(*size * factor));
  return {};
}

Status SetCheckers(std::string_view text, std::vector<std::string>* out) {
  const std::vector<std::string> names = SplitList(text, ',');
  for (const std::string& name : names) {
    if (std::find(kCheckerNames.begin(), kCheckerNames.end(), name) == kCheckerNames.end())
      return NoSuchWord(name, Words(kCheckerNames));
  }
  *out = names;
  return {};
}

Status SetOutput(std::string_view text, std::string* out) {
  const std::string_view kind = text.substr(0, text.find(':'));
  const bool wants_file = kind == "file" || kind == "timeline" || kind == "pprof" || kind == "folded";
  if (!wants_file && text != "stdout" && text != "none") return NoSuchWord(text, Words(kOutputNames));
  constexpr std::string_view kKey = ":outfile=";
  if (wants_file &&
      (!text.substr(kind.size()).starts_with(kKey) || text.size() == kind.size() + kKey.size())) {
    return Error::Usage(fmt::format("'{}' needs a file: {}:outfile=FILE", Printable(text), kind));
  }
  *out = text;
  return {};
}

// Makers of the kinds of rows that occur often. The member is a template argument, so that the lambdas have
// no state and become plain function pointers.
template <auto Member>
OptionSpec Number(std::string_view name, std::string_view help, OptionGroup group = OptionGroup::kView) {
  return {name,
          "N",
          help,
          group,
          [](Options& o, std::string_view t) { return SetNumber(t, &(o.*Member)); },
          [](const Options& o) { return std::to_string(o.*Member); }};
}

template <size_t Figure>
void AddMinimum(std::vector<OptionSpec>* table) {
  const ColumnSpec& column = Columns()[Figure];
  if (!column.has_minimum()) return;
  static const std::string kName = fmt::format("min_{}", column.name);
  table->push_back({kName, "N", column.minimum_help, OptionGroup::kView,
                    [](Options& o, std::string_view t) { return SetNumber(t, &o.minimum[Figure]); },
                    [](const Options& o) { return std::to_string(o.minimum[Figure]); }});
}

// -min_X for every figure that has one.
template <size_t... Figures>
void AddMinima(std::vector<OptionSpec>* table, std::index_sequence<Figures...>) {
  (AddMinimum<Figures>(table), ...);
}

template <auto Member>
OptionSpec List(std::string_view name, std::string_view value, OptionGroup group, std::string_view help) {
  return {name,
          value,
          help,
          group,
          [](Options& o, std::string_view t) { return o.*Member = SplitList(t, ','), Status(); },
          [](const Options& o) { return fmt::format("{}", fmt::join(o.*Member, ",")); },
          {},
          group == OptionGroup::kInput,
          true,
          false,
          false,
          Member};
}

// One value per use: regexes and limits may hold commas.
template <auto Member>
OptionSpec Adding(std::string_view name, std::string_view value, bool many, std::string_view help) {
  OptionSpec out{name,
                 value,
                 help,
                 OptionGroup::kCommand,
                 [](Options& o, std::string_view t) { return (o.*Member).emplace_back(t), Status(); },
                 [](const Options& o) { return fmt::format("{}", fmt::join(o.*Member, " ")); }};
  out.adds = true;
  out.is_many = many;
  out.list = Member;
  return out;
}

template <auto Member>
OptionSpec Regex(std::string_view name, std::string_view help) {
  return List<Member>(name, "REGEXES", OptionGroup::kView, help);
}

template <auto Member>
OptionSpec Switch(std::string_view name, OptionGroup group, std::string_view help) {
  return {name,
          "",
          help,
          group,
          [](Options& o, std::string_view t) { return SetBool(t, &(o.*Member)); },
          [](const Options& o) { return std::string(o.*Member ? "true" : "false"); }};
}

template <auto Member>
OptionSpec Path(std::string_view name, OptionGroup group, std::string_view help) {
  return {name,
          "FILE",
          help,
          group,
          [](Options& o, std::string_view t) { return o.*Member = std::string(t), Status(); },
          [](const Options& o) { return o.*Member; },
          {},
          true};
}

template <auto Member, const auto& Names>
OptionSpec Word(std::string_view name, std::string_view value, OptionGroup group, std::string_view help) {
  return {name,
          value,
          help,
          group,
          [](Options& o, std::string_view t) { return SetWord(t, Names, &(o.*Member)); },
          [](const Options& o) { return std::string(Names[static_cast<size_t>(o.*Member)]); },
          Words(Names)};
}

// Of PrintOptions: the same, but for where the value lies.
template <auto Member>
OptionSpec PrintPath(std::string_view name, std::string_view help) {
  OptionSpec out{name, "FILE", help, OptionGroup::kPrint, nullptr, nullptr, {}, true};
  out.set_print = [](PrintOptions& o, std::string_view t) { return o.*Member = std::string(t), Status(); };
  out.get_print = [](const PrintOptions& o) { return o.*Member; };
  return out;
}

template <auto Member>
OptionSpec PrintSwitch(std::string_view name, std::string_view help) {
  OptionSpec out{name, "", help, OptionGroup::kPrint, nullptr, nullptr};
  out.set_print = [](PrintOptions& o, std::string_view t) { return SetBool(t, &(o.*Member)); };
  out.get_print = [](const PrintOptions& o) { return std::string(o.*Member ? "true" : "false"); };
  return out;
}

template <auto Member>
OptionSpec PrintText(std::string_view name, std::string_view value, std::string_view help) {
  OptionSpec out = PrintPath<Member>(name, help);
  out.value = value;
  out.is_path = false;
  return out;
}

template <auto Member>
OptionSpec PrintNumber(std::string_view name, std::string_view help) {
  OptionSpec out{name, "N", help, OptionGroup::kPrint, nullptr, nullptr};
  out.set_print = [](PrintOptions& o, std::string_view t) { return SetNumber(t, &(o.*Member)); };
  out.get_print = [](const PrintOptions& o) { return std::to_string(o.*Member); };
  return out;
}

// Each use adds one.
template <auto Member>
OptionSpec PrintFolders(std::string_view name, std::string_view help) {
  OptionSpec out{name, "DIR", help, OptionGroup::kPrint, nullptr, nullptr, {}, true};
  out.adds = true;
  out.set_print = [](PrintOptions& o, std::string_view t) { return (o.*Member).emplace_back(t), Status(); };
  out.get_print = [](const PrintOptions& o) { return fmt::format("{}", fmt::join(o.*Member, " ")); };
  return out;
}

template <auto Member, const auto& Names>
OptionSpec PrintWord(std::string_view name, std::string_view value, std::string_view help) {
  OptionSpec out{name, value, help, OptionGroup::kPrint, nullptr, nullptr, Words(Names)};
  out.set_print = [](PrintOptions& o, std::string_view t) { return SetWord(t, Names, &(o.*Member)); };
  out.get_print = [](const PrintOptions& o) { return std::string(Names[static_cast<size_t>(o.*Member)]); };
  return out;
}

// Of `tfprof ui` alone.
OptionSpec OfPage(OptionSpec option) {
  option.group = OptionGroup::kCommand;
  return option;
}

OptionSpec MaxMemory() {
  OptionSpec out{
      "max_memory",
      "SIZE",
      "take no more memory than this, as 8GB; default: 256 MiB and 64 times the size of the inputs, "
      "unpacked, and no more than is free",
      OptionGroup::kInput,
      nullptr,
      nullptr};
  out.set_print = [](PrintOptions& o, std::string_view t) { return SetMemorySize(t, &o.max_memory); };
  out.get_print = [](const PrintOptions& o) { return GetMinSize(o.max_memory); };
  return out;
}

OptionSpec Threads() {
  OptionSpec out{
      "threads",
      "THREADS",
      "read large inputs on so many threads, 1 to 256; 0: one for each core. What is printed is the "
      "same to the byte",
      OptionGroup::kInput,
      nullptr,
      nullptr};
  out.set_print = [](PrintOptions& o, std::string_view t) -> Status {
    int64_t threads = 0;
    if (Status s = SetNumber(t, &threads); !s) return s;
    if (threads < 0 || threads > 256) return Error::Usage("threads are 1 to 256, or 0 for one for each core");
    o.threads = threads;
    return {};
  };
  out.get_print = [](const PrintOptions& o) { return std::to_string(o.threads); };
  return out;
}

std::vector<OptionSpec> MakeTable() {
  std::vector<OptionSpec> table = {
      Path<&Options::graph_path>("graph_path", OptionGroup::kInput,
                                 "graph: GraphDef (text or binary), .meta file, or SavedModel"),
      List<&Options::run_meta_path>("run_meta_path", "FILES", OptionGroup::kInput,
                                    "run metadata of one or more steps: FILE,... or STEP=FILE,..."),
      Path<&Options::op_log_path>("op_log_path", OptionGroup::kInput,
                                  "op log: call stacks, float ops, extra types"),
      Path<&Options::checkpoint_path>("checkpoint_path", OptionGroup::kInput,
                                      "checkpoint: prefix or directory"),
      Path<&Options::profile_path>("profile_path", OptionGroup::kInput,
                                   "saved profile; stands for all other inputs"),
      Switch<&Options::keep_going>("keep_going", OptionGroup::kInput,
                                   "read past damage in files and report on the rest"),
      OptionSpec{"max_input", "SIZE",
                 "refuse inputs larger than this, packed or unpacked, as 8GB; default: files of any size, "
                 "unpacked up to 100 times theirs, and 4 GiB of what is unpacked or comes through a pipe",
                 OptionGroup::kInput,
                 [](Options& o, std::string_view t) { return SetMemorySize(t, &o.max_input); },
                 [](const Options& o) { return GetMinSize(o.max_input); }},
      MaxMemory(),
      Threads(),
      OptionSpec{"run", "NAME", "this run of a log directory of captures; default the newest",
                 OptionGroup::kInput,
                 [](Options& o, std::string_view t) { return o.run = std::string(t), Status(); },
                 [](const Options& o) { return o.run; }},
      OptionSpec{"host", "NAME", "this host of a run of several; default all", OptionGroup::kInput,
                 [](Options& o, std::string_view t) { return o.host = std::string(t), Status(); },
                 [](const Options& o) { return o.host; }},
      Word<&Options::names, kNamesNames>(
          "names", "HOW", OptionGroup::kInput,
          "scopes: folded (forward, backward and recomputed work below its layer) or raw, as recorded"),
      Word<&Options::flops, kFlopsSourceNames>(
          "flops", "WHICH", OptionGroup::kInput,
          "float ops: recorded, native (counted from the graph) or auto: recorded if any"),
      Number<&Options::batch>("batch",
                              "size of the first dimension of inputs that leave it open; -1: leave it",
                              OptionGroup::kInput),
      List<&Options::dims>("dim", "INPUT:AXIS=N,...", OptionGroup::kInput,
                           "size of another open dimension of an input"),
      OptionSpec{"tag", "TAGS", "the SavedModel's graph with these tags; default serve", OptionGroup::kInput,
                 [](Options& o, std::string_view t) { return o.tag = std::string(t), Status(); },
                 [](const Options& o) { return o.tag; }},
      OptionSpec{"peak_flops", "RATE",
                 "float ops per second that a device can do at most, as 989T; default: what is known of it",
                 OptionGroup::kInput,
                 [](Options& o, std::string_view t) { return SetPeak(t, &o.peak_flops); },
                 [](const Options& o) { return fmt::format("{}", o.peak_flops); }},
      OptionSpec{"peak_bandwidth", "RATE", "bytes per second that its memory can move at most, as 4.8T",
                 OptionGroup::kInput,
                 [](Options& o, std::string_view t) { return SetPeak(t, &o.peak_bandwidth); },
                 [](const Options& o) { return fmt::format("{}", o.peak_bandwidth); }},
      OptionSpec{"signature", "NAME", "the signature to count; default serving_default", OptionGroup::kInput,
                 [](Options& o, std::string_view t) { return o.signature = std::string(t), Status(); },
                 [](const Options& o) { return o.signature; }},
      Word<&Options::flops_rules, kFlopsRulesNames>("flops_rules", "RULES", OptionGroup::kInput,
                                                    "full, or tensorflow: what its own profiler counts"),
      Path<&Options::flops_file>("flops_file", OptionGroup::kInput,
                                 "float-op rules of your own: Op = formula"),

      OptionSpec{"max_depth", "N",
                 "show rows up to this depth; the root is at depth 1 (memory: levels of a scope; diff: the "
                 "root is at 0, no limit unless given)",
                 OptionGroup::kView,
                 [](Options& o, std::string_view t) {
                   o.max_depth_chosen = true;
                   return SetNumber(t, &o.max_depth);
                 },
                 [](const Options& o) { return std::to_string(o.max_depth); }},
  };
  AddMinima(&table, std::make_index_sequence<kFigureCount>());
  const OptionSpec others[] = {
      OptionSpec{
          "step", "STEPS",
          "the steps to report on: 5, 5,10, 5-20, all, or -1, the mean of all but warm-up (memory: each)",
          OptionGroup::kView,
          [](Options& o, std::string_view t) {
            Result<StepChoice> choice = StepChoice::Parse(t);
            return choice ? (o.step = std::move(*choice), Status()) : Status(choice.error());
          },
          [](const Options& o) { return o.step.Text(); }},
      OptionSpec{
          "order_by", "COLUMN",
          "sort siblings by this column; auto: the first of time, bytes and parameters that was recorded",
          OptionGroup::kView, SetOrder,
          [](const Options& o) { return std::string(o.order_by ? ColumnName(*o.order_by) : kAuto); },
          OrderWords()},
      Number<&Options::max_rows>(
          "max_rows",
          "rows to show; 0: all; -1: those that say something (op: the first 20 of them; "
          "json and csv: all)"),
      Switch<&Options::classic>("classic", OptionGroup::kView,
                                "count, order and print everything as TensorFlow's tfprof does"),
      Regex<&Options::account_type_regexes>(
          "account_type_regexes",
          "count only nodes with a matching type: op, device, _trainable_variables..."),
      Regex<&Options::start_name_regexes>("start_name_regexes", "begin at rows that match"),
      Regex<&Options::trim_name_regexes>("trim_name_regexes", "cut what is below rows that match"),
      Regex<&Options::show_name_regexes>("show_name_regexes", "show only rows that match"),
      Regex<&Options::hide_name_regexes>("hide_name_regexes", "do not show rows that match"),
      Regex<&Options::device_regexes>("device_regexes", "show only nodes on a matching device"),
      Switch<&Options::account_displayed_op_only>("account_displayed_op_only", OptionGroup::kView,
                                                  "count only what is shown"),
      OptionSpec{"select", "COLUMNS", "columns to print; default micros, or params without run metadata",
                 OptionGroup::kView, [](Options& o, std::string_view t) { return SetSelect(t, &o.select); },
                 [](const Options& o) { return GetSelect(o.select); }, ColumnWords(&ColumnSpec::selectable),
                 false, true},
      OptionSpec{"output", "WHERE",
                 "stdout, none, file:outfile=F, timeline:outfile=F, pprof:outfile=F or folded:outfile=F",
                 OptionGroup::kView, [](Options& o, std::string_view t) { return SetOutput(t, &o.output); },
                 [](const Options& o) { return o.output; }, Words(kOutputNames), true},
      OptionSpec{"dump_to_file",
                 "FILE",
                 "the same as -output file:outfile=FILE",
                 OptionGroup::kPrint,
                 [](Options& o, std::string_view t) {
                   return SetOutput("file:outfile=" + std::string(t), &o.output);
                 },
                 [](const Options& o) {
                   return o.output.starts_with("file:") ? o.output.substr(13) : std::string();
                 },
                 {},
                 true},
      Word<&Options::frames, kFramesNames>("frames", "WHICH", OptionGroup::kView,
                                           "user: fold library code into your own lines"),
      Switch<&Options::source_text>("source_text", OptionGroup::kView,
                                    "show the source text of call stacks where it is recorded"),

      OptionSpec{
          "by", "WHAT",
          "add memory up by op, scope, type (of op), code (line) or class (activations, gradients, ...); "
          "history: name the op, scope or type that moved",
          OptionGroup::kCommand,
          [](Options& o, std::string_view t) {
            o.by_chosen = true;
            return SetWord(t, kMemoryByNames, &o.by);
          },
          [](const Options& o) { return std::string(kMemoryByNames[static_cast<size_t>(o.by)]); },
          Words(kMemoryByNames)},
      Number<&Options::at>("at", "what was live so many microseconds after the step's start; -1: at the peak",
                           OptionGroup::kCommand),
      Number<&Options::top>("top", "rows to list; 0: all", OptionGroup::kCommand),

      OptionSpec{"device_memory", "SIZE",
                 "of a compiled program: whether its peak fits into so much, as 16GB or 80GiB; 0B: not asked",
                 OptionGroup::kCommand,
                 [](Options& o, std::string_view t) { return SetMemorySize(t, &o.device_memory); },
                 [](const Options& o) { return GetMinSize(o.device_memory); }},

      Switch<&Options::values>("values", OptionGroup::kCommand,
                               "read the tensors: check them, show statistics and values"),
      Number<&Options::max_values>("max_values",
                                   "values to show of one tensor: json the first ones, text the ends of each "
                                   "dimension; 0: all",
                                   OptionGroup::kCommand),

      OptionSpec{"checkers", "NAMES", "run these checkers alone", OptionGroup::kCommand,
                 [](Options& o, std::string_view t) { return SetCheckers(t, &o.checkers); },
                 [](const Options& o) { return fmt::format("{}", fmt::join(o.checkers, ",")); },
                 Words(kCheckerNames), false, true},

      Path<&Options::with>(
          "with", OptionGroup::kCommand,
          "oom: a run with run metadata: whose tensors have the sizes of the chunks, and what would help; "
          "export: executions,allocations: these tables too"),

      OptionSpec{"job", "NAME",
                 "what the runs belong to; default the folder around them; history: this one's alone",
                 OptionGroup::kCommand,
                 [](Options& o, std::string_view t) { return o.job = std::string(t), Status(); },
                 [](const Options& o) { return o.job; }},
      OptionSpec{"date", "YYYY-MM-DD", "the day of the runs; default the one they were recorded on",
                 OptionGroup::kCommand, [](Options& o, std::string_view t) { return SetDate(t, &o.date); },
                 [](const Options& o) { return o.date; }},
      Number<&Options::last>("last", "runs of each job to tell of, the newest ones; 0: all",
                             OptionGroup::kCommand),

      Word<&Options::view, kViewNames>("view", "VIEW", OptionGroup::kCommand,
                                       "compare the rows of this view: scope, graph, op or code"),
      OptionSpec{"min_size", "SIZE", "show rows with at least this much memory, as 500B, 10KB, 1MB, 2GB",
                 OptionGroup::kCommand,
                 [](Options& o, std::string_view t) { return SetMinSize(t, &o.min_size); },
                 [](const Options& o) { return GetMinSize(o.min_size); }},
      OptionSpec{"delta", "RATIO", "show rows that differ by more than this, relatively; 0.1 is 10%",
                 OptionGroup::kCommand, [](Options& o, std::string_view t) { return SetDelta(t, &o.delta); },
                 [](const Options& o) { return fmt::format("{}", o.delta); }},
      Switch<&Options::swap_files>(
          "swap_files", OptionGroup::kCommand,
          "differences the other way round: first less last input (of scope files, last less first)"),
      Adding<&Options::node_names>("node_names", "REGEX...", true, "show only rows that match"),
      Adding<&Options::hide_nodes>("hide_nodes", "REGEX...", true,
                                   "do not show what is below rows that match"),
      Adding<&Options::extra_files>("extra_files", "INPUT...", true, "more inputs, behind the first two"),
      Adding<&Options::extra_names>("extra_names", "NAME...", true, "what to call them"),
      Adding<&Options::rename>("rename", "REGEX=NEW", false,
                               "compare names that match under another name, as 'unit_(\\d)=block_\\1'"),
      Switch<&Options::match_renames>("match_renames", OptionGroup::kCommand,
                                      "match renamed nodes by op type, shapes and neighbours"),
      Adding<&Options::fail_if>("fail_if", "LIMIT", false,
                                "exit status 1 when it is broken: 'bytes>+5%', 'micros>+10%@gradients/.*', "
                                "'peak_bytes:GPU:0>+100MB'"),
      Path<&Options::limits>("limits", OptionGroup::kCommand, "a file of such limits, one on a line"),

      PrintWord<&PrintOptions::format, kFormatNames>(
          "format", "FORMAT",
          "text, json, csv, markdown or html; of a timeline chrome or perfetto; of tables sqlite or csv"),
      PrintPath<&PrintOptions::outfile>("outfile",
                                        "write the report to a file instead of standard output (also -o)"),
      PrintWord<&PrintOptions::color, kWhenNames>("color", "WHEN", "auto, always or never"),
      PrintWord<&PrintOptions::defuse, kWhenNames>("defuse", "WHEN",
                                                   "put ' before texts of CSV that a spreadsheet would run "
                                                   "(=, +, -, @): auto (in files), always or never"),
      PrintSwitch<&PrintOptions::pager>("pager", "page long output on a terminal (--no-pager: never)"),
      OfPage(PrintNumber<&PrintOptions::port>("port", "of the page; 0: any that is free")),
      OfPage(PrintText<&PrintOptions::address>(
          "address", "ADDRESS", "that the page is served at, as 127.0.0.1: others would let others in")),
      OfPage(
          PrintSwitch<&PrintOptions::no_open>("no_open", "print the address of the page, open no browser")),
      OfPage(PrintFolders<&PrintOptions::source>("source",
                                                 "show source files below this folder beside lines of code")),
      PrintSwitch<&PrintOptions::viz>("viz", "accepted for old scripts; has no effect"),
  };
  table.insert(table.end(), std::begin(others), std::end(others));
  return table;
}

}  // namespace

std::span<const OptionSpec> OptionsTable() {
  static const std::vector<OptionSpec> kTable = MakeTable();
  return kTable;
}

const OptionSpec* FindOption(std::string_view name) {
  for (const OptionSpec& option : OptionsTable()) {
    if (option.name == name) return &option;
  }
  return nullptr;
}

std::vector<std::string_view> OptionNames() {
  std::vector<std::string_view> names;
  for (const OptionSpec& option : OptionsTable()) names.push_back(option.name);
  return names;
}

Status SetOption(Options& options, PrintOptions* print, std::string_view name, std::string_view text) {
  const OptionSpec* option = FindOption(name);
  if (!option || (!option->set && !print)) {
    return Error::Usage(
        fmt::format("unknown option -{}{}", Printable(name), DidYouMean(name, OptionNames())));
  }
  if (Status s = option->set ? option->set(options, text) : option->set_print(*print, text); !s) {
    return Error{s.error().kind, fmt::format("-{}: {}", name, s.error().message)};
  }
  return {};
}

bool TakesOption(std::string_view list, const OptionSpec& option) {
  constexpr std::string_view kGroups[] = {"@input", "@view", "@command", "@print"};
  const std::string_view group = kGroups[static_cast<size_t>(option.group)];
  bool takes = false;
  for (const std::string& word : SplitList(list, ',')) {
    if (word == option.name || word == group) takes = true;
    if (word[0] == '-' && std::string_view(word).substr(1) == option.name) takes = false;
  }
  return takes;
}

std::string_view ViewName(ViewKind view) { return kViewNames[static_cast<size_t>(view)]; }

std::optional<ViewKind> ViewNamed(std::string_view name) {
  const auto found = std::find(kViewNames.begin(), kViewNames.end(), name);
  if (found == kViewNames.end()) return std::nullopt;
  return static_cast<ViewKind>(found - kViewNames.begin());
}

}  // namespace tfprof
