// What a profile lacks because an input was not given, in the words of the table of inputs.
#pragma once

#include <vector>

#include "import/input_format.h"

namespace tfprof {

std::vector<const Lack*> FindLacks(const Profile& profile, const Coverage& coverage);

}  // namespace tfprof
