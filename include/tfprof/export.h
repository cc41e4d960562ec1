// Printing Reports. Output is streamed in pieces to a Sink, so that a report of a million rows needs no
// second copy.
#pragma once

#include <functional>
#include <string_view>

#include "tfprof/advise.h"
#include "tfprof/info.h"
#include "tfprof/memory.h"
#include "tfprof/model.h"
#include "tfprof/options.h"
#include "tfprof/report.h"
#include "tfprof/summary.h"

namespace tfprof {

using Sink = std::function<void(std::string_view)>;

// In report.options.format. HTML is one self-contained page that fetches nothing.
void WriteReport(const Report& report, const Sink& sink);

// Text, JSON or HTML; the other formats give text.
void WriteInfo(const ProfileInfo& info, Format format, const Sink& sink);
void WriteAdvice(const Advice& advice, Format format, const Sink& sink);
void WriteSummary(const Summary& summary, Format format, const Sink& sink);

// In model.options.format.
void WriteModel(const ModelReport& model, const Sink& sink);

// In report.options.format. ascii: the plot of the text report without Unicode.
void WriteMemory(const MemoryReport& report, bool ascii, const Sink& sink);

}  // namespace tfprof
