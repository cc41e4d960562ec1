// The HTML pages of what is neither a view nor memory over time.
#pragma once

#include "export/output.h"
#include "tfprof/advise.h"
#include "tfprof/info.h"
#include "tfprof/summary.h"

namespace tfprof {

void WriteInfoHtml(const ProfileInfo& info, Output& out);
void WriteAdviceHtml(const Advice& advice, Output& out);
void WriteSummaryHtml(const Summary& summary, Output& out);

}  // namespace tfprof
