// The site behind `tfprof ui`: a path and a query go in, an answer comes out. It opens no socket: the command
// line has an HTTP server around it, TensorBoard and notebooks have theirs. docs/server.md lists the
// addresses.
//
//   Result<std::unique_ptr<Site>> site = Site::Open(options);
//   Answer answer = (*site)->Get("api/report/summary", "run=0");
//
// Safe to ask from several threads. Loaded profiles and the reports made of them are kept, the least recently
// used go when they take more than `memory`.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tfprof/options.h"
#include "tfprof/result.h"

namespace tfprof {

struct SiteOptions {
  Options options;                  // inputs, and how they are read
  std::vector<std::string> source;  // folders whose files may be shown as source text
  size_t memory = size_t{4} << 30;  // bytes that are kept, about
};

struct Answer {
  int status = 200;
  std::string type = "application/json";
  std::string body;
  std::string file_name;  // to be saved as; "": to be shown
};

class Site {
 public:
  // Errors: no input, or one that is not there.
  static Result<std::unique_ptr<Site>> Open(SiteOptions options);
  virtual ~Site() = default;

  // `path` is relative to the page's own address, without the query; both as they were sent, percent signs
  // and all.
  virtual Answer Get(std::string_view path, std::string_view query) = 0;
};

// The policy of the page, for whoever serves it: a header of every answer.
std::string_view ContentSecurityPolicy();

}  // namespace tfprof
