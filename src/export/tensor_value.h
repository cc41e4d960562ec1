// The value of a row's variable, from the checkpoint: read here, while the report is written. Where that
// fails the text says so, and Report::unreadable gets the message.
#pragma once

#include <rapidjson/writer.h>

#include <string>

#include "export/output.h"
#include "tfprof/report.h"

namespace tfprof {

// As TensorFlow's tfprof prints values: nested brackets, each closing one followed by a comma and a newline;
// two digits; cut after 10,000 characters.
std::string TensorValueText(const Report& report, const Row& row);

// The same on one line, for cells of tables.
std::string TensorValueLine(const Report& report, const Row& row);

// TFProfTensorProto: dtype, value_double, value_int64, value_str; every value, exact.
void WriteTensorValueJson(const Report& report, const Row& row, rapidjson::Writer<Output>& json);

}  // namespace tfprof
