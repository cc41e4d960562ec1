// One function per format of the memory report; WriteMemory() in memory_writer.cc chooses.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "export/output.h"
#include "tfprof/memory.h"

namespace tfprof {

void WriteMemoryText(const MemoryReport& report, bool ascii, Output& out);
void WriteMemoryJson(const MemoryReport& report, Output& out);
void WriteMemoryHtml(const MemoryReport& report, Output& out);

std::string_view EvidenceName(MemoryEvidence evidence);

// "device, allocator NAME"
std::string MemoryTitle(const std::string& device, const std::string& allocator);

// A plot of a series, one string per line: axis labels, bars, and the time below.
std::vector<std::string> PlotMemory(const std::vector<MemoryPoint>& series, int64_t span_micros, bool ascii);

}  // namespace tfprof
