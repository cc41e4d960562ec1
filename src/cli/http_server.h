// The HTTP server of `tfprof ui`, thin around a Site. Loopback alone unless told, a token in every address,
// GET alone.
#pragma once

#include <functional>
#include <string>

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

// Serves until `stop` or a signal ends it. Errors: an address that cannot be listened at.
Status Serve(Site& site, const ServeOptions& options);

}  // namespace tfprof::cli
