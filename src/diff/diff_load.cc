#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <mutex>
#include <numeric>
#include <optional>
#include <utility>

#include "base/checked.h"
#include "base/options_table.h"
#include "base/parallel.h"
#include "base/paths.h"
#include "diff/diff_graph.h"
#include "diff/diff_inputs.h"
#include "diff/fold_instructions.h"
#include "diff/limits.h"
#include "diff/scope_file.h"
#include "load/input_file.h"
#include "model/memory_timeline.h"
#include "model/profile.h"
#include "model/time.h"
#include "model/totals.h"
#include "tfprof/diff.h"
#include "tfprof/view.h"

namespace tfprof {
namespace {

// Standard input and pipes can be read once, thus not be tried first as this, then as that.
bool IsPipe(const std::string& path) {
  struct stat st {};
  return path == "-" || (stat(path.c_str(), &st) == 0 && !S_ISREG(st.st_mode));
}

// Saved text has no control characters but those that order lines.
bool BeginsAsText(std::string_view bytes) {
  return std::none_of(
      bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(std::min<size_t>(bytes.size(), 4096)),
      [](char c) { return c >= 0 && c < ' ' && c != '\n' && c != '\r' && c != '\t' && c != '\x1b'; });
}

bool NeedsTimes(ColumnId figure) { return ColumnOf(figure).needs == ColumnNeeds::kTimes; }

class DiffLoader {
 public:
  DiffLoader(const Options& options, const Progress& progress) : options_(options), progress_(progress) {}

  Result<DiffInputs> Run() {
    Result<std::vector<GivenInput>> given = FindDiffInputs(options_);
    if (!given) return given.error();
    Result<std::vector<Limit>> limits = ReadLimits(options_);
    if (!limits) return limits.error();
    for (const Limit& limit : *limits) {
      wants_peaks_ |= !limit.device.empty();
      wants_times_ |= NeedsTimes(limit.figure);
    }
    NoteUnused();
    for (const GivenInput& input : *given) {
      if (Status s = AddInput(input); !s) return s.error();
    }
    if (Status s = LoadProfiles(); !s) return s.error();
    if (Status s = ChooseView(); !s) return s.error();
    if (Status s = ForEachProfile([this](Side& side) { return ReadProfile(&side); }); !s) return s.error();
    if (wants_times_ || ComparesTime()) AddTimes();
    for (Side& side : sides_) out_.inputs.push_back(std::move(side.input));
    return std::move(out_);
  }

 private:
  struct Side {
    GivenInput given;
    DiffInput input;
    std::shared_ptr<const Profile> profile;  // none: a scope file
  };

  void NoteUnused() {
    static const Options kDefaults;
    for (const std::string_view name : {"start_name_regexes", "trim_name_regexes", "show_name_regexes",
                                        "hide_name_regexes", "device_regexes", "account_displayed_op_only"}) {
      const OptionSpec* option = FindOption(name);
      if (option->get(options_) != option->get(kDefaults))
        out_.notes.push_back(
            fmt::format("-{} has no effect in diff; it has -node_names and -hide_nodes", name));
    }
  }

  Status AddInput(const GivenInput& given) {
    Side side;
    side.given = given;
    side.input.name = given.name;
    side.input.source = given.source;
    // What is no Profile is read here into a Report of its own.
    Result<bool> is_scope_file = ReadAsScopeFile(given, &side.input);
    if (!is_scope_file) return is_scope_file.error();
    sides_.push_back(std::move(side));
    return {};
  }

  // False: it is none, or not a file at all.
  Result<bool> ReadAsScopeFile(const GivenInput& given, DiffInput* side) {
    if (given.paths.size() != 1 || IsDirectory(given.paths[0])) return false;
    const bool memory = FindMemoryFile(given.paths[0], options_) != nullptr;
    if (!memory && given.paths[0] != "-" && !PathExists(given.paths[0]))
      return false;  // a checkpoint's prefix, or nothing
    Result<OpenInput> file = OpenBytes(given.paths[0], options_);
    if (!file) return file.error();
    if (!file->damage.empty()) return false;  // what cannot be unpacked is for the importers to explain
    if (!BeginsAsText(file->bytes()) || !IsScopeFile(file->bytes())) {
      if (memory || !IsPipe(given.paths[0])) return false;
      return Error::Input(
          fmt::format("{}: what comes through a pipe must be a scope file (a saved report of the "
                      "scope view); give other inputs as files",
                      given.paths[0] == "-" ? "standard input" : given.source));
    }
    if (given.step)
      return Error::Usage(
          fmt::format("{}: a scope file is of one step, or a mean; @step has no meaning", given.source));
    if (options_.view != ViewKind::kScope)
      return Error::Usage(fmt::format("{}: a scope file has the scope view alone, not -view {}", given.source,
                                      ViewName(options_.view)));
    Result<Report> report = ReadScopeFile(given.source, std::move(file->buffer));
    if (!report) return report.error();
    side->is_scope_file = true;
    side->report = std::make_shared<const Report>(std::move(*report));
    return true;
  }

  // All at the same time; two steps of one input are read once.
  Status LoadProfiles() {
    std::vector<const GivenInput*> distinct;
    for (const Side& side : sides_) {
      const auto same = [&side](const GivenInput* g) { return g->SameFiles(side.given); };
      if (!side.input.is_scope_file && std::none_of(distinct.begin(), distinct.end(), same))
        distinct.push_back(&side.given);
    }
    std::vector<std::optional<Result<Loaded>>> loaded(distinct.size());
    std::vector<double> done(distinct.size());
    std::mutex progress_mutex;
    ParallelFor(distinct.size(), [&](size_t i) {
      Options options = options_;
      options.inputs = distinct[i]->paths;
      if (!distinct[i]->run.empty()) options.run = distinct[i]->run;
      if (!distinct[i]->host.empty()) options.host = distinct[i]->host;
      Progress progress;
      if (progress_) {
        progress = [&, i](std::string_view file, double part) {
          const std::lock_guard lock(progress_mutex);
          done[i] = part;
          progress_(file, std::accumulate(done.begin(), done.end(), 0.0) / static_cast<double>(done.size()));
        };
      }
      loaded[i] = Load(options, DetailOf(*distinct[i]), progress);
    });
    for (size_t i = 0; i < distinct.size(); ++i) {
      Result<Loaded>& one = *loaded[i];
      if (!one) return Explain(*distinct[i], one.error());
      out_.notes.insert(out_.notes.end(), one->notes.begin(), one->notes.end());
      for (Side& side : sides_) {
        if (!side.input.is_scope_file && side.given.SameFiles(*distinct[i])) side.profile = one->profile;
      }
    }
    return {};
  }

  // Of many steps their mean and the times of nodes are enough, unless steps are named or rows are no nodes.
  LoadDetail DetailOf(const GivenInput& given) const {
    if (wants_peaks_) return LoadDetail::kExecutions;
    const bool names_steps = std::any_of(sides_.begin(), sides_.end(), [&](const Side& side) {
      return side.given.SameFiles(given) && StepsOf(side).by_number();
    });
    return names_steps || !HasNodes(options_.view) ? LoadDetail::kFigures : LoadDetail::kStepTimes;
  }

  const StepChoice& StepsOf(const Side& side) const {
    return side.given.step ? *side.given.step : options_.step;
  }
  static bool HasNodes(ViewKind view) { return view == ViewKind::kScope || view == ViewKind::kGraph; }

  // Memory profiles have lines of code, no scopes.
  Status ChooseView() {
    const auto is_live = [](const Side& side) { return side.profile && side.profile->live_memory; };
    const auto live = std::count_if(sides_.begin(), sides_.end(), is_live);
    view_ = options_.view;
    if (live == 0) return {};
    if (static_cast<size_t>(live) < sides_.size())
      return Error::Usage("a memory profile can be compared with memory profiles alone");
    if (view_ == ViewKind::kScope) view_ = ViewKind::kCode;
    return {};
  }

  template <class Work>
  Status ForEachProfile(Work work) {
    std::vector<Status> statuses(sides_.size());
    ParallelFor(sides_.size(), [&](size_t i) {
      if (sides_[i].profile) statuses[i] = work(sides_[i]);
    });
    for (Status& status : statuses) {
      if (!status) return std::move(status);
    }
    return {};
  }

  static Error Explain(const GivenInput& given, const Error& error) {
    if (error.message.find("not recognised") == std::string::npos) return error;
    return Error::Input(
        fmt::format("{}; diff also reads scope files, which have a line that begins with _TFProfRoot "
                    "(saved text of tfprof scope -select bytes)",
                    error.message.empty() ? given.source : error.message));
  }

  // The whole view: what is shown is decided after the comparison.
  Options ViewOptions(const StepChoice& step) const {
    Options view;
    view.max_depth = std::numeric_limits<int64_t>::max();
    view.account_type_regexes = options_.account_type_regexes;
    view.frames = options_.frames;
    view.source_text = options_.source_text;
    view.step = step;
    view.classic = options_.classic;
    // Always recorded: no warning, no column of text; what is said of parameters is for who asks for them.
    view.select = {options_.Selects(ColumnId::kParams) ? ColumnId::kParams : ColumnId::kDefined};
    return view;
  }

  Status ReadProfile(Side* side) const {
    const Options view = ViewOptions(StepsOf(*side));
    Result<Report> report = MakeReport(side->profile, view_, view);
    if (!report)
      return Error{report.error().kind, fmt::format("{}: {}", side->given.source, report.error().message)};
    FoldInstructions(*side->profile, &*report);
    side->input.report = std::make_shared<const Report>(std::move(*report));
    // Rows of framework ops are no nodes, and their names do not change with a compilation.
    if (!side->profile->capture && !side->profile->live_memory)
      side->input.graph = MakeDiffGraph(side->profile);
    side->input.steps = side->input.report->steps;
    if (wants_peaks_) AddPeaks(*side->profile, view.step, &side->input);
    return {};
  }

  // Without memory there are no peaks, and the limit that asks for them says so.
  static void AddPeaks(const Profile& profile, const StepChoice& step, DiffInput* side) {
    for (const HighestPeak& peak : HighestPeaks(profile, step)) {
      const auto allocator = peak.allocator ? profile.strings[peak.allocator] : std::string_view();
      side->peaks.push_back({std::string(profile.DeviceName(peak.device)), std::string(allocator),
                             peak.evidence, peak.bytes, peak.step});
    }
  }

  bool ComparesTime() const {
    if (!options_.select.empty()) {
      return std::any_of(Columns().begin(), Columns().end(), [this](const ColumnSpec& column) {
        return options_.Selects(column.id) && NeedsTimes(column.id);
      });
    }
    const auto all = [this](ColumnId f) {
      return std::all_of(sides_.begin(), sides_.end(),
                         [f](const Side& side) { return side.input.report->Recorded(f); });
    };
    return !all(ColumnId::kBytes) && all(ColumnId::kMicros);
  }

  // Each step's own times, by the rows of the mean: which rows a view has does not depend on the step.
  void AddTimes() {
    size_t most = 0;
    for (const Side& side : sides_) most = std::max(most, side.input.steps.counted.size());
    if (most < 2) return;
    for (Side& side : sides_) {
      if (!side.profile) continue;
      if (HasNodes(view_) && !side.profile->capture) {
        side.input.times_of_step = TimesOfNodes(side.profile, *side.input.report);
      } else {
        side.input.times_of_step = TimesOfReports(side.profile, side.input.report);
      }
    }
  }

  static std::function<Result<TimesOfRows>(int64_t)> TimesOfNodes(std::shared_ptr<const Profile> profile,
                                                                  const Report& report) {
    std::vector<uint32_t> row_of_node(profile->size(), kNoIndex);
    for (size_t r = 0; r < report.rows.size(); ++r) {
      if (const uint32_t node = report.rows[r].node; node != kNoIndex)
        row_of_node[node] = static_cast<uint32_t>(r);
    }
    return [profile = std::move(profile), row_of_node = std::move(row_of_node),
            rows = report.rows.size()](int64_t number) -> Result<TimesOfRows> {
      TimesOfRows out(rows);
      const Step* const step = profile->FindStep(number);
      if (!step) return out;
      const std::vector<NodeTimes> own = step->folded ? std::vector<NodeTimes>() : TimesOf(*step);
      for (const NodeTimes& times : step->folded ? step->folded_times : own) {
        const uint32_t row = row_of_node[times.node.value];
        if (row == kNoIndex) continue;
        bool ignored = false;
        const int64_t picos = SaturatingAdd(times.accelerator_picos, times.cpu_picos, &ignored);
        out[row] = {MicrosOfPicos(picos), MicrosOfPicos(times.accelerator_picos),
                    MicrosOfPicos(times.cpu_picos)};
      }
      return out;
    };
  }

  std::function<Result<TimesOfRows>(int64_t)> TimesOfReports(std::shared_ptr<const Profile> profile,
                                                             std::shared_ptr<const Report> mean) const {
    std::map<RowKey, size_t> rows;
    for (size_t r = 0; r < mean->rows.size(); ++r) rows.emplace(KeyOf(view_, mean->rows[r]), r);
    return [profile = std::move(profile), mean = std::move(mean), rows = std::move(rows), view = view_,
            options = ViewOptions({})](int64_t number) -> Result<TimesOfRows> {
      Options of_step = options;
      of_step.step = number;
      Result<Report> report = MakeReport(profile, view, of_step);
      if (!report) return report.error();
      FoldInstructions(*profile, &*report);
      TimesOfRows out(mean->rows.size());
      for (const Row& row : report->rows) {
        const auto found = rows.find(KeyOf(view, row));
        if (found == rows.end()) continue;
        const Figures& own = report->Own(row);
        out[found->second] = {own[ColumnId::kMicros], own[ColumnId::kAcceleratorMicros],
                              own[ColumnId::kCpuMicros]};
      }
      return out;
    };
  }

  // What a row is, whatever the step: its order among others is that of the step's figures. Lines of code are
  // told by their place in the tree, which all steps share; other rows have names of their own.
  using RowKey = std::pair<std::string_view, uint32_t>;
  static RowKey KeyOf(ViewKind view, const Row& row) {
    return view == ViewKind::kCode ? RowKey({}, row.own) : RowKey(row.name, 0);
  }

  const Options& options_;
  const Progress& progress_;
  ViewKind view_ = ViewKind::kScope;
  bool wants_peaks_ = false, wants_times_ = false;
  std::vector<Side> sides_;
  DiffInputs out_;
};

}  // namespace

Result<DiffInputs> LoadDiff(const Options& options, const Progress& progress) {
  return DiffLoader(options, progress).Run();
}

}  // namespace tfprof
