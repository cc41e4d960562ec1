// The formats of `tfprof model`, and what they share.
#pragma once

#include <string>

#include "export/output.h"
#include "tfprof/model.h"

namespace tfprof {

void WriteModelText(const ModelReport& model, Output& out);
void WriteModelJson(const ModelReport& model, Output& out);
void WriteModelCsv(const ModelReport& model, Output& out);
void WriteModelMarkdown(const ModelReport& model, Output& out);
void WriteModelHtml(const ModelReport& model, Output& out);

// Layers worth a row: they hold parameters or compute something.
bool IsShown(const ModelLayer& layer);
// The scope that the names of all of these begin with, '/' included: it says nothing in a table.
std::string CommonScope(const ModelReport& model);

std::string ShapeText(const ModelShape& shape);        // (?, 224, 224, 3)
std::string Grouped(int64_t number);                   // 1,234,567
std::string GroupedOr(std::optional<int64_t> number);  // n/a where there is none
std::string SizeText(std::optional<int64_t> bytes);    // 1.23MB, n/a
std::string_view FlopsRulesName(FlopsRules rules);

}  // namespace tfprof
