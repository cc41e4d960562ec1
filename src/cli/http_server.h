// The HTTP server of `tfprof ui`, thin around a Site. Loopback alone unless told, a token in every address,
// GET alone.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "tfprof/result.h"
#include "tfprof/site.h"

namespace tfprof::cli {

struct ServeOptions {
  std::string address = "127.0.0.1";
  int port = 0;       // 0: any that is free
  std::string token;  // first part of every path; "": a random one
  int threads = 4;
  bool signals = false;                                    // SIGINT, SIGTERM and SIGHUP end it
  std::function<void(const std::string& url)> ready = {};  // it listens
  std::function<bool()> stop = {};                         // asked a few times a second
};

// What is looked at of a request.
struct HttpRequest {
  bool is_get = true;
  const char* host = nullptr;  // the header Host; null: there is none
  std::string_view uri;        // as it was sent
};

// The answer of a server at `address`, whose paths begin with `token`: the site's, or a refusal.
Answer AnswerTo(Site& site, const std::string& address, std::string_view token, const HttpRequest& request);

// Serves until `stop` or a signal ends it. Errors: an address that cannot be listened at.
Status Serve(Site& site, const ServeOptions& options);

}  // namespace tfprof::cli
