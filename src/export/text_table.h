// A small table in a text page: columns as wide as their widest cell, numbers to the right.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "export/output.h"

namespace tfprof {

class TextTable {
 public:
  // One letter per column: 'l' or 'r'.
  explicit TextTable(std::string_view alignment) : alignment_(alignment), width_(alignment.size()) {}

  void Add(std::vector<std::string> cells) {
    for (size_t i = 0; i < cells.size(); ++i) width_[i] = std::max(width_[i], cells[i].size());
    rows_.push_back(std::move(cells));
  }

  void Write(Output& out) const {
    for (const auto& row : rows_) {
      std::string line = " ";
      for (size_t i = 0; i < row.size(); ++i) {
        line += alignment_[i] == 'r' ? fmt::format(" {:>{}} ", row[i], width_[i])
                                     : fmt::format(" {:<{}} ", row[i], width_[i]);
      }
      line.resize(line.find_last_not_of(' ') + 1);
      out.Format("{}\n", line);
    }
  }

 private:
  std::string alignment_;
  std::vector<size_t> width_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace tfprof
