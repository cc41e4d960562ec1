// A plot of a series in text.
#pragma once

#include <string>
#include <vector>

#include "report/document.h"

namespace tfprof {

// One string per line: axis labels, bars, and the time below.
std::vector<std::string> PlotSeries(const Series& series, bool ascii);

}  // namespace tfprof
