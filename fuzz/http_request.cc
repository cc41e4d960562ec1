// Requests as HTTP brings them: a line with the Host header, a line with the address; what is no GET begins
// with '!'.
#include <algorithm>

#include "cli/http_server.h"
#include "small_site.h"

namespace tfprof {

void FuzzHttpRequest(std::string_view text) {
  static const std::unique_ptr<Site> kSite = SmallSite();
  const bool is_get = !text.starts_with('!');
  const size_t newline = std::min(text.find('\n'), text.size());
  const std::string host(text.substr(0, newline)), uri(text.substr(std::min(newline + 1, text.size())));
  for (const char* address : {"127.0.0.1", "10.0.0.1"}) {
    const cli::HttpRequest request{is_get, host.empty() ? nullptr : host.c_str(), uri};
    const Answer answer = cli::AnswerTo(*kSite, address, "token", request);
    CheckAnswer(answer);
    Require(is_get || answer.status >= 400, "what is no GET is refused");
    Require(uri.starts_with("/token/") || answer.status >= 400, "what lacks the token is refused");
  }
}

}  // namespace tfprof
