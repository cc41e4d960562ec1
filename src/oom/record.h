// One event of a log while the log is read.
#pragma once

#include <optional>
#include <string>

#include "oom/dump.h"
#include "tfprof/oom.h"

namespace tfprof::oom {

struct Record {
  explicit Record(Budget* budget) : dump(budget) {}

  OomEvent event;  // what lines gave so far; the figures come from `dump` in the end
  Dump dump;
  struct Request {
    int64_t bytes = 0, uncertainty = 0;
  };
  std::optional<Request> size;         // printed by the request line, or by the error where there is none
  std::optional<int64_t> exact_bytes;  // printed by an error beside a request line with dropped digits
  std::string request_op;
  std::string identity;  // of its error
  bool has_request = false, has_error = false;
  bool fixed_pool = false, garbage_collection = false, wants_node_report = false;
};

}  // namespace tfprof::oom
