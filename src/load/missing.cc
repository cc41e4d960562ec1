#include "load/missing.h"

namespace tfprof {

std::vector<const Lack*> FindLacks(const Profile& profile, const Coverage& coverage) {
  std::vector<const Lack*> out;
  if (profile.live_memory) return out;  // there is nothing that could be recorded with it
  for (const InputFormat& format : InputFormats()) {
    if (!format.without) continue;
    for (const Lack& lack : format.without()) {
      if (lack.lacks(profile, coverage)) out.push_back(&lack);
    }
  }
  return out;
}

}  // namespace tfprof
