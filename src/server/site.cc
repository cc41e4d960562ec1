// The table of addresses.
#include "tfprof/site.h"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <new>
#include <set>
#include <system_error>
#include <thread>

#include "base/text.h"
#include "server/context.h"
#include "tfprof/page.h"

namespace tfprof {
namespace server {
namespace {

Answer AnswerPage(Context&, std::string_view, const Query&) {
  return {200, "text/html; charset=utf-8", PageHtml(), ""};
}
Answer AnswerScript(Context&, std::string_view, const Query&) {
  return {200, "text/javascript; charset=utf-8", std::string(PageScript()), ""};
}
Answer AnswerStyle(Context&, std::string_view, const Query&) {
  return {200, "text/css; charset=utf-8", std::string(PageStyle()), ""};
}

struct Route {
  std::string_view path;  // one that ends in a slash takes what follows it
  AnswerFunction* answer;
  bool keeps = false;  // the same question gets the same answer, as long as the files are the same
};
constexpr Route kRoutes[] = {
    {"", AnswerPage},
    {"index.html", AnswerPage},
    {"app.js", AnswerScript},
    {"app.css", AnswerStyle},
    {"api/runs", AnswerRuns},
    {"api/run", AnswerRun, true},
    {"api/report/", AnswerReport, true},
    {"api/tree/", AnswerTree},
    {"api/flame/", AnswerFlame},
    {"api/sandwich/", AnswerSandwich},
    {"api/memory/layers", AnswerMemoryLayers},
    {"api/memory/live", AnswerMemoryLive},
    {"api/timeline", AnswerTimeline},
    {"api/timeline/find", AnswerTimelineFind},
    {"api/trace", AnswerTrace},
    {"api/source", AnswerSource},
};

// What people look at next: made while they look at the first page, so that it is there when they ask.
constexpr std::string_view kAhead[] = {"api/report/summary?format=page&run=",
                                       "api/report/advise?format=page&run=",
                                       "api/tree/op?run=",
                                       "api/tree/graph?run=",
                                       "api/tree/code?run=",
                                       "api/memory/layers?run=",
                                       "api/timeline?run="};

class TheSite : public Site {
 public:
  explicit TheSite(SiteOptions options) : context_(std::move(options)) {
    try {
      ahead_ = std::thread([this] { WorkAhead(); });
    } catch (const std::system_error&) {  // no room for a thread: nothing is made ahead
    }
  }
  ~TheSite() override {
    {
      const std::lock_guard lock(mutex_);
      ending_ = true;
    }
    wake_.notify_all();
    if (ahead_.joinable()) ahead_.join();
  }

  Context& context() { return context_; }

  Answer Get(std::string_view path, std::string_view query) override {
    const std::optional<std::string> decoded = Decoded(path, false);
    if (!decoded) return ErrorAnswer(400, "the path is not percent-encoded text");
    const Result<Query> parsed = Query::Parse(query);
    if (!parsed) return ErrorAnswer(parsed.error());
    for (const Route& route : kRoutes) {
      const bool takes_rest = route.path.ends_with('/');
      if (takes_rest ? !decoded->starts_with(route.path) : *decoded != route.path) continue;
      try {
        Answer answer = AnswerBy(route, *decoded, *parsed);
        if (route.answer == AnswerRun && answer.status == 200) Expect(parsed->Get("run"));
        return answer;
      } catch (const std::bad_alloc&) {  // one request that wants too much does not end the others
        return ErrorAnswer(507, "there is not enough memory for this answer");
      }
    }
    return ErrorAnswer(404, fmt::format("{}: there is nothing at this address", Printable(*decoded)));
  }

 private:
  Answer AnswerBy(const Route& route, const std::string& path, const Query& query) {
    const std::string_view rest = std::string_view(path).substr(route.path.size());
    if (!route.keeps) return route.answer(context_, rest, query);
    std::string key = "answer " + path;
    auto fields = query.fields();  // the order of names is no matter, that of several runs is
    std::stable_sort(fields.begin(), fields.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [name, value] : fields) {
      key += '\n' + name + '=' + value;
      if (name != "run") continue;
      const Result<RunPlace> place = context_.PlaceOf(value);
      if (place) key += '\n' + KeyOf(*place);
    }
    Answer failed;
    const auto kept = context_.cache().Get<Answer>(key, [&]() -> Result<Sized<Answer>> {
      auto made = std::make_shared<Answer>(route.answer(context_, rest, query));
      if (made->status == 200) return Sized<Answer>{made, made->body.size()};
      failed = std::move(*made);
      return Error::Nothing("");
    });
    return kept ? **kept : failed;
  }

  void Expect(const std::string& run) {
    const Result<RunPlace> place = context_.PlaceOf(run);
    if (!place) return;
    const std::lock_guard lock(mutex_);
    if (!expected_.insert(KeyOf(*place)).second) return;
    waiting_.push_back(run);
    wake_.notify_all();
  }

  void WorkAhead() {
    for (;;) {
      std::string run;
      {
        std::unique_lock lock(mutex_);
        wake_.wait(lock, [this] { return ending_ || !waiting_.empty(); });
        if (ending_) return;
        run = std::move(waiting_.back());  // the one that was opened last is the one that is looked at
        waiting_.pop_back();
      }
      for (const std::string_view address : kAhead) {
        GetAhead(address, run);
        const std::lock_guard lock(mutex_);
        if (ending_) return;
      }
    }
  }

  void GetAhead(std::string_view address, const std::string& run) {
    try {
      const size_t question = address.find('?');
      (void)Get(address.substr(0, question), fmt::format("{}{}", address.substr(question + 1), run));
    } catch (const std::exception&) {  // nobody asked for it yet
    }
  }

  Context context_;
  std::mutex mutex_;  // of what follows
  std::condition_variable wake_;
  bool ending_ = false;
  std::set<std::string> expected_;
  std::vector<std::string> waiting_;
  std::thread ahead_;  // the last: it uses the others
};

}  // namespace
}  // namespace server

Result<std::unique_ptr<Site>> Site::Open(SiteOptions options) {
  const std::vector<std::string> given = options.options.inputs;
  auto site = std::make_unique<server::TheSite>(std::move(options));
  const std::vector<RunPlace> runs = site->context().Runs();
  if (runs.empty()) return Error::Usage("no input: give a run, a folder of runs, a model, a checkpoint");
  for (const RunPlace& run : runs) {
    if (!run.error.empty() && std::find(given.begin(), given.end(), run.path) != given.end())
      return Error::Input(run.error);
  }
  return std::unique_ptr<Site>(std::move(site));
}

std::string_view ContentSecurityPolicy() {
  return "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src "
         "'self'; "
         "base-uri 'none'; form-action 'none'; frame-ancestors 'self'";
}

}  // namespace tfprof
