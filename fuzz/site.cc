// Requests to the site, over a small run: whatever is asked, there is an answer, and it is JSON or a page.
#include "tfprof/site.h"

#include <rapidjson/document.h>

#include "target.h"

namespace {

// A graph, which is enough for every address that looks at options.
std::unique_ptr<tfprof::Site> Opened() {
  tfprof::SiteOptions options;
  const auto graph = std::make_shared<const std::string>(
      "node { name: \"a/x\" op: \"Placeholder\" }\nnode { name: \"a/y\" op: \"Relu\" input: \"a/x\" }\n");
  options.options.memory_files = {{"graph.pbtxt", graph}};
  options.options.inputs = {"graph.pbtxt"};
  tfprof::Result<std::unique_ptr<tfprof::Site>> site = tfprof::Site::Open(std::move(options));
  tfprof::Require(site.ok(), "the site opens");
  return std::move(*site);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tfprof;
  static const std::unique_ptr<Site> kSite = Opened();
  const std::string_view text = Bytes(data, size);
  const size_t question = std::min(text.find('?'), text.size());
  const Answer answer = kSite->Get(text.substr(0, question), text.substr(std::min(question + 1, size)));
  Require(answer.status >= 200 && answer.status < 600, "an answer has a status");
  Require(!answer.body.empty(), "an answer says something");
  if (answer.type == "application/json" && answer.file_name.empty()) {
    rapidjson::Document json;
    json.Parse<rapidjson::kParseValidateEncodingFlag>(answer.body.data(), answer.body.size());
    Require(!json.HasParseError(), "JSON is valid");
  }
  return 0;
}
