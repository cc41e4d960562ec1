// A Profile's nodes as renames are found in them.
#pragma once

#include <memory>

#include "tfprof/diff.h"

namespace tfprof {

std::shared_ptr<const DiffGraph> MakeDiffGraph(std::shared_ptr<const Profile> profile);

}  // namespace tfprof
