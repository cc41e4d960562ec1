// Where the time goes: the costliest op types, scopes and lines of code.
#include <fmt/format.h>

#include <algorithm>

#include "advise/checker.h"
#include "advise/step_facts.h"
#include "base/units.h"
#include "tfprof/view.h"

namespace tfprof::advise {
namespace {

constexpr size_t kTop = 3;
constexpr int64_t kMinScopeMicros = 100;
constexpr int64_t kMinCodeMicros = 1000;
constexpr uint32_t kCodeLevels = 4;

std::string Times(const Figures& figures) {
  return fmt::format("cpu: {}, accelerator: {}, total: {}", FormatTime(figures[ColumnId::kCpuMicros]),
                     FormatTime(figures[ColumnId::kAcceleratorMicros]),
                     FormatTime(figures[ColumnId::kMicros]));
}

void AddLine(std::string_view line, std::string* report) {
  if (!report->empty()) *report += '\n';
  *report += line;
}

Options ByTime(const Subject& subject) {
  Options options;
  options.classic = subject.classic;
  options.order_by = ColumnId::kMicros;
  options.select = {ColumnId::kMicros};
  return options;
}

std::string TopOpTypes(const Subject& subject) {
  const Result<Report> report = MakeReport(subject.shared, ViewKind::kOp, ByTime(subject));
  std::string out;
  if (!report) return out;
  const int64_t grand = report->Total(report->rows[0])[ColumnId::kMicros];
  for (size_t r = 1; r < std::min(report->rows.size(), kTop + 1); ++r) {
    const Figures& own = report->Own(report->rows[r]);
    if (own[ColumnId::kMicros] <= 0) break;  // what took no time costs nothing
    AddLine(fmt::format("top {} operation type: {}, {} ({:.2f}%)", r, report->rows[r].name, Times(own),
                        100 * Share(own[ColumnId::kMicros], grand)),
            &out);
  }
  return out;
}

std::string TopScopes(const Subject& subject) {
  Options options = ByTime(subject);
  options.max_depth = 2;
  options.minimum[IndexOf(ColumnId::kMicros)] = kMinScopeMicros;
  const Result<Report> report = MakeReport(subject.shared, ViewKind::kScope, options);
  std::string out;
  if (!report) return out;
  const int64_t grand = report->Total(report->rows[0])[ColumnId::kMicros];
  for (size_t r = 1; r < std::min(report->rows.size(), kTop + 1); ++r) {
    const Figures& total = report->Total(report->rows[r]);
    AddLine(fmt::format("top {} scope: {}, {} ({:.2f}%)", r, report->rows[r].name, Times(total),
                        100 * Share(total[ColumnId::kMicros], grand)),
            &out);
  }
  return out;
}

// Below the point where call stacks first part, the costliest frames of each level; a frame from which the
// stacks do not part any more says all there is to say.
class CodePaths {
 public:
  explicit CodePaths(const Report& report) : report_(report), children_(report.rows.size()) {
    for (uint32_t r = 1; r < report.rows.size(); ++r) children_[report.rows[r].parent].push_back(r);
  }

  std::string Describe() {
    uint32_t at = 0;
    while (children_[at].size() == 1) at = children_[at][0];
    Descend(at, 1);
    if (out_.empty()) return out_;
    return fmt::format("code paths of {} or more:\n{}", FormatTime(kMinCodeMicros), out_);
  }

 private:
  void Descend(uint32_t row, uint32_t level) {
    const size_t shown = std::min(children_[row].size(), kTop);
    for (size_t i = 0; i < shown; ++i) {
      const uint32_t child = children_[row][i];
      AddLine(fmt::format("{:{}}{}, {}", "", 2 * level, report_.rows[child].name,
                          Times(report_.Total(report_.rows[child]))),
              &out_);
      if (level < kCodeLevels && children_[child].size() > 1) Descend(child, level + 1);
    }
  }

  const Report& report_;
  std::vector<std::vector<uint32_t>> children_;
  std::string out_;
};

}  // namespace

void CheckExpensiveOperations(const Subject& subject, CheckerAdvice* out) {
  if (!subject.step) {
    out->not_checked = kNoRunMetadata;
    return;
  }
  if (std::string types = TopOpTypes(subject); !types.empty()) out->reports.push_back(std::move(types));
  if (std::string scopes = TopScopes(subject); !scopes.empty()) out->reports.push_back(std::move(scopes));
  Options options = ByTime(subject);
  options.max_depth = std::numeric_limits<int64_t>::max();
  options.minimum[IndexOf(ColumnId::kMicros)] = kMinCodeMicros;
  const Result<Report> report = MakeReport(subject.shared, ViewKind::kCode, options);
  if (!report) {
    out->not_checked = "code paths, since the input has no call stacks";
    return;
  }
  if (std::string paths = CodePaths(*report).Describe(); !paths.empty())
    out->reports.push_back(std::move(paths));
}

}  // namespace tfprof::advise
