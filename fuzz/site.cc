// Requests to the site, over a small run: whatever is asked, there is an answer, and it is JSON or a page.
#include <algorithm>

#include "small_site.h"

namespace tfprof {

void FuzzSite(std::string_view text) {
  static const std::unique_ptr<Site> kSite = SmallSite();
  const size_t question = std::min(text.find('?'), text.size());
  CheckAnswer(kSite->Get(text.substr(0, question), text.substr(std::min(question + 1, text.size()))));
}

}  // namespace tfprof
