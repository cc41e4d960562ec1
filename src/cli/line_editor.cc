#include "cli/line_editor.h"

#include <errno.h>
#include <fmt/format.h>
#include <histedit.h>
#include <locale.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <new>
#include <utility>

#include "base/text.h"
#include "cli/history.h"
#include "cli/terminal.h"

namespace tfprof::cli {
namespace {

constexpr char kPrompt[] = "tfprof> ";

std::FILE* PromptStream() { return StdoutIsTerminal() ? stdout : stderr; }

class LineEditor : public LineReader {
 public:
  LineEditor(EditLine* editor, History* history, std::string_view history_path, Completer completer)
      : editor_(editor),
        history_(history),
        file_(std::string(history_path)),
        completer_(std::move(completer)) {
    HistEvent event;
    ::history(history_.get(), &event, H_SETSIZE, static_cast<int>(kHistoryLines));
    ::history(history_.get(), &event, H_SETUNIQUE, 1);
    for (const std::string& line : file_.Load()) ::history(history_.get(), &event, H_ENTER, line.c_str());
    SetUp();
  }

  Outcome Read(std::string* line) override {
    el_resize(editor_.get());  // the window may have changed while a report or its pager was up
    el_set(editor_.get(), EL_PREP_TERM,
           1);  // before the prompt is seen, so that no key meets the old settings
    int count = 0;
    errno = 0;
    const char* text = el_gets(editor_.get(), &count);
    if (!text || count <= 0) {
      const bool interrupted = count < 0 && errno == EINTR;
      Say(PromptStream(), "\n");
      return interrupted ? Outcome::kInterrupted : Outcome::kEnd;
    }
    *line = std::string_view(text, static_cast<size_t>(count));
    while (line->ends_with('\n')) line->pop_back();
    Remember(*line);
    return Outcome::kLine;
  }

 private:
  static LineEditor* Self(EditLine* editor) {
    void* self = nullptr;
    el_get(editor, EL_CLIENTDATA, &self);
    return static_cast<LineEditor*>(self);
  }

  static char* Prompt(EditLine*) {
    return const_cast<char*>(kPrompt);  // NOLINT: libedit only reads it
  }

  void SetUp() {
    EditLine* editor = editor_.get();
    el_set(editor, EL_CLIENTDATA, static_cast<void*>(this));
    el_set(editor, EL_PROMPT, &LineEditor::Prompt);
    el_set(editor, EL_SIGNAL, 1);
    el_set(editor, EL_HIST, ::history, history_.get());
    el_set(editor, EL_EDITOR, "emacs");
    // As people know them from their shell, where libedit's own choice differs.
    el_set(editor, EL_BIND, "^W", "ed-delete-prev-word", nullptr);
    el_set(editor, EL_BIND, "^R", "em-inc-search-prev", nullptr);
    el_source(editor, nullptr);  // ~/.editrc
    // The wide form keeps these pointers; the narrow one would copy, and leak the copies.
    el_wset(editor, EL_ADDFN, L"tfprof-complete", L"complete the word", &LineEditor::OnTab);
    el_set(editor, EL_BIND, "^I", "tfprof-complete", nullptr);
    // Ctrl-C and Ctrl-Z are keys while a line is edited: a signal that comes between two reads would be lost.
    el_set(editor, EL_SETTY, "-d", "-isig", nullptr);
    el_wset(editor, EL_ADDFN, L"tfprof-void-line", L"forget the line", &LineEditor::OnCtrlC);
    el_set(editor, EL_BIND, "^C", "tfprof-void-line", nullptr);
    el_wset(editor, EL_ADDFN, L"tfprof-suspend", L"stop as a job of the shell", &LineEditor::OnCtrlZ);
    el_set(editor, EL_BIND, "^Z", "tfprof-suspend", nullptr);
  }

  void Remember(const std::string& line) {
    if (line.find_first_not_of(" \t") == std::string::npos) return;
    HistEvent event;
    const bool again = ::history(history_.get(), &event, H_FIRST) == 0 && event.str && line == event.str;
    if (again) return;
    ::history(history_.get(), &event, H_ENTER, line.c_str());
    file_.Append(line);
  }

  static unsigned char OnTab(EditLine* editor, int) {
    const LineInfo* info = el_line(editor);
    const std::string_view line(info->buffer, static_cast<size_t>(info->cursor - info->buffer));
    const Completion completion = Self(editor)->completer_(line);
    if (completion.candidates.empty()) return CC_ERROR;
    if (const std::string text = Insertion(completion); !text.empty()) {
      if (completion.inside) el_deletestr(editor, static_cast<int>(completion.prefix.size()));
      return el_insertstr(editor, text.c_str()) == 0 ? CC_REFRESH : CC_ERROR;
    }
    if (completion.candidates.size() == 1) return CC_ERROR;
    winsize size{};
    std::FILE* out = PromptStream();
    if (ioctl(fileno(out), TIOCGWINSZ, &size) != 0 || size.ws_col == 0) size.ws_col = 80;
    const size_t rows = size.ws_row > 4 ? size.ws_row - 3u : 20u;
    Say(out, fmt::format("\n{}", EscapedLines(CandidateColumns(completion, size.ws_col - 1u, rows))));
    return CC_REDISPLAY;
  }

  static unsigned char OnCtrlC(EditLine*, int) {
    // The cursor may stand on an upper row of a long line: wipe the rows below, which the prompt takes.
    Say(PromptStream(), "^C\n\x1b[J");
    return CC_FATAL;  // libedit's word for: forget all, begin anew
  }

  static unsigned char OnCtrlZ(EditLine*, int) {
    raise(SIGTSTP);  // libedit's handler puts the terminal right and lets the default action happen
    return CC_REDISPLAY;
  }

  struct Free {
    void operator()(EditLine* editor) const { el_end(editor); }
    void operator()(History* history) const { history_end(history); }
  };
  std::unique_ptr<EditLine, Free> editor_;
  std::unique_ptr<History, Free> history_;
  HistoryFile file_;
  Completer completer_;
};

class PlainReader : public LineReader {
 public:
  explicit PlainReader(bool shows_prompt) : shows_prompt_(shows_prompt) {}
  ~PlainReader() override { free(text_); }  // NOLINT: getline's own

  Outcome Read(std::string* line) override {
    const bool interrupted = shows_prompt_ && !AskForLine();
    const ssize_t length = interrupted ? -1 : GetLine();
    if (length < 0) {
      if (shows_prompt_) Say(PromptStream(), "\n");
      return interrupted ? Outcome::kInterrupted : Outcome::kEnd;
    }
    *line = std::string_view(text_, static_cast<size_t>(length));
    while (line->ends_with('\n') || line->ends_with('\r')) line->pop_back();
    return Outcome::kLine;
  }

 private:
  // -1: the end, or what ferror() tells of.
  ssize_t GetLine() {
    for (;;) {
      errno = 0;
      const ssize_t length = getline(&text_, &room_, stdin);
      if (length >= 0 || feof(stdin) != 0) return length;
      if (errno == ENOMEM) throw std::bad_alloc();
      if (errno != EINTR || shows_prompt_) return length;
      clearerr(stdin);
    }
  }

  // Shows the prompt and waits for a line. False: Ctrl-C came instead. It is let through only while waiting,
  // since one that came just before would go unnoticed.
  static bool AskForLine() {
    sigset_t interrupt, before;
    sigemptyset(&interrupt);
    sigaddset(&interrupt, SIGINT);
    sigprocmask(SIG_BLOCK, &interrupt, &before);
    Say(PromptStream(), kPrompt);
    fd_set input;
    FD_ZERO(&input);
    FD_SET(STDIN_FILENO, &input);
    const bool interrupted =
        pselect(STDIN_FILENO + 1, &input, nullptr, nullptr, nullptr, &before) < 0 && errno == EINTR;
    sigprocmask(SIG_SETMASK, &before, nullptr);
    return !interrupted;
  }

  bool shows_prompt_;
  char* text_ = nullptr;
  size_t room_ = 0;
};

}  // namespace

bool StdinIsTerminal() { return isatty(STDIN_FILENO) == 1; }

bool TerminalCanEdit() {
  const char* term = getenv("TERM");
  const bool sees_prompt = isatty(fileno(PromptStream())) == 1;
  return StdinIsTerminal() && sees_prompt && term && *term && std::string_view(term) != "dumb";
}

std::unique_ptr<LineReader> MakeLineEditor(std::string_view history_path, Completer completer) {
  // libedit works in wide characters; in the C locale it would drop everything beyond ASCII.
  if (!setlocale(LC_CTYPE, "") || MB_CUR_MAX == 1) setlocale(LC_CTYPE, "C.UTF-8");
  EditLine* editor = el_init("tfprof", stdin, PromptStream(), stderr);
  if (!editor) return nullptr;
  return std::make_unique<LineEditor>(editor, history_init(), history_path, std::move(completer));
}

std::unique_ptr<LineReader> MakePlainReader(bool shows_prompt) {
  return std::make_unique<PlainReader>(shows_prompt);
}

}  // namespace tfprof::cli
