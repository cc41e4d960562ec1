// A site over a small graph, which is enough for every address that looks at options.
#pragma once

#include <rapidjson/document.h>

#include <memory>
#include <string>
#include <utility>

#include "target.h"
#include "tfprof/site.h"

namespace tfprof {

inline std::unique_ptr<Site> SmallSite() {
  SiteOptions options;
  const auto graph = std::make_shared<const std::string>(
      "node { name: \"a/x\" op: \"Placeholder\" }\nnode { name: \"a/y\" op: \"Relu\" input: \"a/x\" }\n");
  options.options.memory_files = {{"graph.pbtxt", graph}};
  options.options.inputs = {"graph.pbtxt"};
  Result<std::unique_ptr<Site>> site = Site::Open(std::move(options));
  Require(site.ok(), "the site opens");
  return std::move(*site);
}

inline void CheckAnswer(const Answer& answer) {
  Require(answer.status >= 200 && answer.status < 600, "an answer has a status");
  Require(!answer.body.empty(), "an answer says something");
  if (answer.type != "application/json" || !answer.file_name.empty()) return;
  rapidjson::Document json;
  json.Parse<rapidjson::kParseValidateEncodingFlag>(answer.body.data(), answer.body.size());
  Require(!json.HasParseError(), "JSON is valid");
}

}  // namespace tfprof
