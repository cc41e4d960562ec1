// Records of one log into its events, when the log is read to its end: figures, hints, what is missing,
// verdicts; dumps that say the same become one event. And what grew between the events of one pool.
#pragma once

#include <deque>
#include <vector>

#include "oom/record.h"
#include "tfprof/oom.h"

namespace tfprof::oom {

// Appends the events of one file to report->events, and what grew between them to report->growth.
void Settle(std::deque<Record> records, OomReport* report);

}  // namespace tfprof::oom
