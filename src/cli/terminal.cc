#include "cli/terminal.h"

#include <errno.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "base/atomic_file.h"
#include "base/system_error.h"
#include "base/text.h"

namespace tfprof::cli {
namespace {

class FileOutput : public ReportOutput {
 public:
  explicit FileOutput(AtomicFile file) : file_(std::move(file)) {}
  void Write(std::string_view text) override { file_.Write(text); }
  Status Finish() override { return file_.Commit(); }

 private:
  AtomicFile file_;
};

class NoOutput : public ReportOutput {
 public:
  void Write(std::string_view) override {}
  Status Finish() override { return {}; }
};

class StdoutOutput : public ReportOutput {
 public:
  void Write(std::string_view text) override {
    failed_ |= fwrite(text.data(), 1, text.size(), stdout) != text.size();
  }
  Status Finish() override {
    failed_ |= fflush(stdout) != 0;
    if (!failed_) return {};
    return SystemError("standard output", "written");
  }

 private:
  bool failed_ = false;
};

volatile sig_atomic_t pager_pipe = -1;  // what the handler below has to close
volatile sig_atomic_t stop_asked = 0;   // Ctrl-C came while the pager was being started

void WaitForPager() {
  while (wait(nullptr) >= 0 || errno == EINTR) {
  }
}

// Ctrl-C reaches the pager too, and most pagers live on. Ending at once would leave two readers at one
// terminal: the pager and whoever started us. So the report ends here, and we end when the pager does.
void StopPaging(int) {
  if (pager_pipe < 0) {
    stop_asked = 1;
    return;
  }
  signal(SIGINT, SIG_IGN);
  close(pager_pipe);
  WaitForPager();
  signal(SIGINT, SIG_DFL);
  raise(SIGINT);
}

// The person has left the pager: no need to make the rest of the report, and nothing went wrong.
void PagerLeft(int) {
  WaitForPager();
  _exit(0);
}

void HandleSignal(int number, void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = SA_NODEFER | SA_RESTART;
  sigaction(number, &action, nullptr);
}

// Holds the report back until it is longer than the screen; only then is a pager worth it.
class PagedOutput : public ReportOutput {
 public:
  explicit PagedOutput(std::string pager) : pager_(std::move(pager)) {
    winsize size{};
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0) screen_ = size.ws_row;
  }
  ~PagedOutput() override {
    if (pipe_) pclose(pipe_);
  }
  void Write(std::string_view text) override {
    if (pipe_) {
      fwrite(text.data(), 1, text.size(), pipe_);
      return;
    }
    held_ += text;
    lines_ += static_cast<size_t>(std::count(text.begin(), text.end(), '\n'));
    if (lines_ + 1 < screen_) return;
    fflush(stdout);
    StartPager();
    fwrite(held_.data(), 1, held_.size(), pipe_ ? pipe_ : stdout);
    if (!pipe_) lines_ = 0;
    held_.clear();
  }
  Status Finish() override {
    if (pipe_) {
      fflush(pipe_);
      signal(SIGINT, SIG_IGN);  // all is written; Ctrl-C is now the pager's business
      pclose(std::exchange(pipe_, nullptr));
      signal(SIGINT, SIG_DFL);
      signal(SIGPIPE, SIG_DFL);
    } else {
      fwrite(held_.data(), 1, held_.size(), stdout);
      fflush(stdout);
    }
    return {};
  }

 private:
  void StartPager() {
    HandleSignal(SIGINT, StopPaging);
    HandleSignal(SIGPIPE, PagerLeft);
    pipe_ = popen(pager_.c_str(), "w");
    if (pipe_) pager_pipe = fileno(pipe_);
    if (pipe_ && !stop_asked) return;
    if (pipe_) StopPaging(SIGINT);  // ends the program
    signal(SIGINT, SIG_DFL);
    signal(SIGPIPE, SIG_DFL);
    if (stop_asked) raise(SIGINT);
  }

  std::string pager_;
  size_t screen_ = 24, lines_ = 0;
  std::string held_;
  std::FILE* pipe_ = nullptr;
};

bool IsInPath(std::string_view program) {
  if (program.find('/') != std::string_view::npos) return access(std::string(program).c_str(), X_OK) == 0;
  const char* path = getenv("PATH");
  for (const std::string& directory : SplitList(path ? path : "", ':')) {
    if (access(fmt::format("{}/{}", directory, program).c_str(), X_OK) == 0) return true;
  }
  return false;
}

// Empty: none. A small machine may lack less, PAGER may be misspelt, and the report must not vanish in a
// pager that is not there. PAGER is a line for the shell; what is more than words is the shell's to
// understand.
std::string PagerCommand() {
  const char* pager = getenv("PAGER");
  if (!pager) return IsInPath("less") ? "less -R" : "";
  const std::string_view line = pager;
  const size_t begin = std::min(line.find_first_not_of(' '), line.size());
  const std::string_view program = line.substr(begin, line.find(' ', begin) - begin);
  if (program.empty()) return "";
  const bool is_word = program.find_first_of("=$~'\"`\\(){};&|<>*?[") == std::string_view::npos;
  return is_word && !IsInPath(program) ? "" : std::string(line);
}

void PrintLines(std::string_view label, std::string_view text) {
  ClearProgressBar();
  Say(stderr, fmt::format("tfprof: {}{}\n", label, EscapedLines(text)));
}

bool bar_is_drawn = false;  // the one thing on the screen that must be wiped before anything else is printed

}  // namespace

bool StdoutIsTerminal() { return isatty(STDOUT_FILENO) == 1; }

bool SpeaksUnicode() {
  const char* term = getenv("TERM");
  if (term && std::string_view(term) == "dumb") return false;
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {  // the first that is set decides
    const char* value = getenv(name);
    if (!value || !*value) continue;
    const std::string locale = ToLower(value);
    return locale.find("utf-8") != std::string::npos || locale.find("utf8") != std::string::npos;
  }
  return false;
}

bool UsesColor(const Context& context) {
  if (context.print.color != Color::kAuto) return context.print.color == Color::kAlways;
  const char* term = getenv("TERM");
  const bool plain = !context.print.outfile.empty() || context.options.output != "stdout" ||
                     getenv("NO_COLOR") || !term || std::string_view(term) == "dumb";
  return StdoutIsTerminal() && !plain;
}

size_t ReportWidth(const Context& context) {
  if (!StdoutIsTerminal() || context.options.classic || !context.print.outfile.empty() ||
      context.options.output != "stdout")
    return 0;
  winsize size{};
  return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

void Say(std::FILE* stream, std::string_view text) {
  fwrite(text.data(), 1, text.size(), stream);
  fflush(stream);
}

void PrintError(const Error& error) { PrintLines("error: ", error.message); }
void PrintNote(std::string_view text) { PrintLines("", text); }
void PrintWarning(std::string_view text) { PrintLines("warning: ", text); }

Result<std::unique_ptr<ReportOutput>> ReportOutput::Open(const Context& context) {
  const Options& options = context.options;
  std::string path = context.print.outfile;
  constexpr std::string_view kFile = "file:outfile=";
  if (path.empty() && options.output.starts_with(kFile)) path = options.output.substr(kFile.size());
  if (!path.empty()) {
    Result<AtomicFile> file = AtomicFile::Create(path);
    if (!file) return file.error();
    return std::unique_ptr<ReportOutput>(new FileOutput(std::move(*file)));
  }
  if (options.output == "none") return std::unique_ptr<ReportOutput>(new NoOutput);
  const std::string pager = PagerCommand();
  if (StdoutIsTerminal() && context.print.pager && !pager.empty()) {
    return std::unique_ptr<ReportOutput>(new PagedOutput(pager));
  }
  return std::unique_ptr<ReportOutput>(new StdoutOutput);
}

Progress ProgressBar() {
  if (isatty(STDERR_FILENO) != 1) return {};
  const auto start = std::chrono::steady_clock::now();
  return [start, last = -1](std::string_view file, double done) mutable {
    const int percent = static_cast<int>(done * 100);
    if (percent == last || std::chrono::steady_clock::now() - start < std::chrono::seconds(1)) return;
    last = percent;
    bar_is_drawn = true;
    const std::string bar(static_cast<size_t>(percent) * 3 / 10, '#');
    Say(stderr, fmt::format("\r\x1b[K[{:<30}] {:3}% {}", bar, percent, Escaped(file)));
  };
}

void ClearProgressBar() {
  if (bar_is_drawn) Say(stderr, "\r\x1b[K");
  bar_is_drawn = false;
}

}  // namespace tfprof::cli
