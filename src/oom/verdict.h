// Why a request failed, from the figures of its event.
#pragma once

#include "tfprof/oom.h"

namespace tfprof::oom {

// Sets verdict, evidence, likely, judged_by, short_by and obstacle.
void Judge(OomEvent* event);

}  // namespace tfprof::oom
