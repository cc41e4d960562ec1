// The value of a row's variable, from the checkpoint: read here, while the report is printed. Where that
// fails the value says so, and `problems` gets the message.
#pragma once

#include <string>

#include "report/document.h"
#include "tfprof/checkpoint.h"
#include "tfprof/report.h"

namespace tfprof {

// As TensorFlow's tfprof prints values: nested brackets, each closing one followed by a comma and a newline;
// two digits; cut after 10,000 characters.
std::string TensorValueText(const Report& report, const Row& row, Problems& problems);

// The same on one line, for cells of tables.
std::string TensorValueLine(const Report& report, const Row& row, Problems& problems);

// TFProfTensorProto: dtype, value_double, value_int64, value_str; every value, exact.
Cell TensorValueCell(const Report& report, const Row& row, Problems& problems);

// One element, as exact as JSON can have it.
Cell ElementCell(const Element& element);

}  // namespace tfprof
