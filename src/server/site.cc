// The table of addresses.
#include "tfprof/site.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>

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
};
constexpr Route kRoutes[] = {
    {"", AnswerPage},
    {"index.html", AnswerPage},
    {"app.js", AnswerScript},
    {"app.css", AnswerStyle},
    {"api/runs", AnswerRuns},
    {"api/run", AnswerRun},
    {"api/report/", AnswerReport},
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

class TheSite : public Site {
 public:
  explicit TheSite(SiteOptions options) : context_(std::move(options)) {}

  Context& context() { return context_; }

  Answer Get(std::string_view path, std::string_view query) override {
    const std::optional<std::string> decoded = Decoded(path, false);
    if (!decoded) return ErrorAnswer(400, "the path is not percent-encoded text");
    const Result<Query> parsed = Query::Parse(query);
    if (!parsed) return ErrorAnswer(parsed.error());
    for (const Route& route : kRoutes) {
      const bool takes_rest = route.path.ends_with('/');
      if (takes_rest ? !decoded->starts_with(route.path) : *decoded != route.path) continue;
      const std::string_view rest = std::string_view(*decoded).substr(route.path.size());
      try {
        return route.answer(context_, rest, *parsed);
      } catch (const std::bad_alloc&) {  // one request that wants too much does not end the others
        return ErrorAnswer(507, "there is not enough memory for this answer");
      }
    }
    return ErrorAnswer(404, fmt::format("{}: there is nothing at this address", Printable(*decoded)));
  }

 private:
  Context context_;
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
