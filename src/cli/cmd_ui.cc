// tfprof ui: the page, served until it is stopped.
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

#include "base/emergency.h"
#include "base/paths.h"
#include "cli/command.h"
#include "cli/http_server.h"
#include "cli/terminal.h"
#include "tfprof/big_vector.h"

extern char** environ;

namespace tfprof::cli {
namespace {

constexpr int64_t kMostPorts = 65535;

// The first of these that is there. xdg-open knows the user's own choice; the others are what it would find.
std::string FindBrowser() {
  const char* path = std::getenv("PATH");
  std::vector<std::string> names = {"xdg-open", "open", "wslview", "sensible-browser"};
  if (const char* chosen = std::getenv("BROWSER"); chosen && *chosen) names.insert(names.begin(), chosen);
  for (const std::string& name : names) {
    if (name.find('/') != std::string::npos && access(name.c_str(), X_OK) == 0) return name;
    for (std::string_view rest = path ? path : ""; !rest.empty();) {
      const size_t colon = std::min(rest.find(':'), rest.size());
      const std::string file = fmt::format("{}/{}", rest.substr(0, colon), name);
      if (colon > 0 && access(file.c_str(), X_OK) == 0) return file;
      rest.remove_prefix(std::min(colon + 1, rest.size()));
    }
  }
  return "";
}

// Starts it and does not wait: it may be the browser itself.
void OpenBrowser(const std::string& url) {
  const std::string browser = FindBrowser();
  if (browser.empty()) return PrintNote("no browser was found: open the address yourself");
  std::string name = browser, argument = url;
  char* const words[] = {name.data(), argument.data(), nullptr};
  pid_t child = 0;
  posix_spawn_file_actions_t quiet;
  posix_spawn_file_actions_init(&quiet);
  posix_spawn_file_actions_addopen(&quiet, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&quiet, 2, "/dev/null", O_WRONLY, 0);
  if (posix_spawn(&child, browser.c_str(), &quiet, nullptr, words, environ) != 0)
    PrintNote(fmt::format("{} does not start: open the address yourself", browser));
  posix_spawn_file_actions_destroy(&quiet);
}

}  // namespace

Status RunUi(Context& context) {
  const PrintOptions& print = context.print;
  if (print.port < 0 || print.port > kMostPorts)
    return Error::Usage(
        fmt::format("-port {}: ports are 1 to {}; 0 is any that is free", print.port, kMostPorts));
  for (const std::string& folder : print.source) {
    if (!IsDirectory(folder)) return Error::Usage(fmt::format("-source {}: there is no such folder", folder));
  }
  DoNotExplainTruncatedMappings();  // a server ends as any other would
  KeepFreedPages(false);            // and lives on
  SiteOptions options;
  options.options = context.options;
  options.options.max_rows = 0;
  options.source = print.source;
  Result<std::unique_ptr<Site>> site = Site::Open(std::move(options));
  if (!site) return site.error();
  ServeOptions serve;
  serve.address = print.address;
  serve.port = static_cast<int>(print.port);
  serve.signals = true;
  serve.ready = [&](const std::string& url) {
    Say(stdout, url + "\n");
    PrintNote("the page is served until Ctrl-C");
    if (!print.no_open) OpenBrowser(url);
  };
  return Serve(**site, serve);
}

}  // namespace tfprof::cli
