#include "diff/align.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "base/text.h"
#include "diff/rename_matcher.h"

namespace tfprof {
namespace {

constexpr int kMostRounds = 64;  // a call stack is rarely deeper, and a frame a round is matched

// "file.py:12:f:text" without its line number; "" when it has none.
std::string WithoutLine(std::string_view frame) {
  const size_t colon = frame.find(':');
  if (colon == std::string_view::npos) return {};
  const size_t end = frame.find_first_not_of("0123456789", colon + 1);
  if (end == std::string_view::npos || end == colon + 1 || frame[end] != ':') return {};
  return std::string(frame.substr(0, colon)) + std::string(frame.substr(end));
}

int64_t LineOf(std::string_view frame) {
  int64_t line = 0;
  for (char c : frame.substr(frame.find(':') + 1)) {
    if (c < '0' || c > '9' || line > 1'000'000'000) break;
    line = line * 10 + (c - '0');
  }
  return line;
}

class Aligner {
 public:
  Aligner(const std::vector<DiffInput>& inputs, ViewKind view, const std::vector<ColumnId>& figures,
          const Options& options)
      : inputs_(inputs), view_(view), figures_(figures), options_(options) {
    out_.names.resize(inputs.size());
    out_.texts = std::make_shared<std::deque<std::string>>();
  }

  Result<Aligned> Run() {
    for (const std::string& rule : options_.rename) {
      if (Status s = RenameByHand(rule); !s) return s.error();
    }
    Unite();
    if (options_.match_renames && view_ == ViewKind::kCode) {
      for (int round = 0; round < kMostRounds && MatchMovedLines(); ++round) Unite();
    } else if (options_.match_renames && view_ != ViewKind::kOp && MatchNodes()) {
      Unite();
    }
    return std::move(out_);
  }

 private:
  // The order decides where a node hangs that two graphs have in different places (graph view): in the larger
  // one, so that it does not depend on which input comes first.
  std::vector<size_t> Order() const {
    std::vector<size_t> order(inputs_.size());
    std::iota(order.begin(), order.end(), size_t{0});
    if (view_ != ViewKind::kGraph) return order;
    std::stable_sort(order.begin(), order.end(), [this](size_t a, size_t b) {
      const auto& left = inputs_[a].report->rows;
      const auto& right = inputs_[b].report->rows;
      if (left.size() != right.size()) return left.size() > right.size();
      const auto less = [](const Row& x, const Row& y) {
        return std::pair(x.name, x.parent) < std::pair(y.name, y.parent);
      };
      return std::lexicographical_compare(left.begin(), left.end(), right.begin(), right.end(), less);
    });
    return order;
  }

  void Unite() {
    out_.tree = std::make_unique<UnionTree>(view_, figures_, inputs_.size());
    for (size_t input : Order()) out_.tree->Add(input, inputs_[input], out_.names[input]);
  }

  RowNames& NamesOf(size_t input) {
    RowNames& names = out_.names[input];
    if (names.empty()) names.resize(inputs_[input].report->rows.size());
    return names;
  }

  std::string_view Keep(std::string text) { return out_.texts->emplace_back(std::move(text)); }

  Status RenameByHand(const std::string& rule) {
    const size_t equals = rule.rfind('=');
    if (equals == std::string::npos || equals == 0) {
      return Error::Usage(
          fmt::format("--rename: '{}' is no REGEX=NEW, as in 'unit_(\\d)=block_\\1'", Printable(rule)));
    }
    RE2::Options quiet;
    quiet.set_log_errors(false);
    const RE2 pattern(rule.substr(0, equals), quiet);
    const std::string rewrite = rule.substr(equals + 1);
    std::string why = pattern.error();
    if (!pattern.ok() || !pattern.CheckRewriteString(rewrite, &why))
      return Error::Usage(fmt::format("--rename: '{}': {}", Printable(rule), why));
    int64_t renamed = 0;
    for (size_t i = 0; i < inputs_.size(); ++i) {
      const int64_t here = ApplyRule(i, pattern, rewrite);
      if (here > 0) out_.renames.push_back({i, pattern.pattern(), rewrite, here, "given by --rename"});
      renamed += here;
    }
    if (renamed > 0) return {};
    return Error::Usage(fmt::format("--rename: '{}' matches no name of any input", Printable(rule)));
  }

  int64_t ApplyRule(size_t input, const RE2& pattern, const std::string& rewrite) {
    const BigVector<Row>& rows = inputs_[input].report->rows;
    int64_t renamed = 0;
    for (size_t r = 1; r < rows.size(); ++r) {
      const RowNames& names = out_.names[input];
      std::string name(names.empty() || names[r].empty() ? rows[r].name : names[r]);
      if (RE2::GlobalReplace(&name, pattern, rewrite) == 0 || name == rows[r].name) continue;
      NamesOf(input)[r] = Keep(std::move(name));
      renamed += rows[r].node != kNoIndex || inputs_[input].is_scope_file || view_ > ViewKind::kGraph;
    }
    return renamed;
  }

  // Nodes of each input against those of the last.
  bool MatchNodes() {
    const size_t last = inputs_.size() - 1;
    bool any = false;
    for (size_t i = 0; i < last; ++i) {
      if (inputs_[i].graph && inputs_[last].graph) any |= MatchNodes(i, last);
    }
    return any;
  }

  struct NodeRows {
    std::vector<uint32_t> row_of_node, node_of_entry;
  };

  NodeRows RowsOf(size_t input) const {
    NodeRows out;
    const BigVector<Row>& rows = inputs_[input].report->rows;
    out.row_of_node.assign(inputs_[input].graph->size(), kNoIndex);
    out.node_of_entry.assign(out_.tree->size(), kNoIndex);
    for (uint32_t r = 0; r < rows.size(); ++r) {
      const uint32_t entry = out_.tree->entry_of_row[input][r];
      if (rows[r].node == kNoIndex || entry == kNoIndex) continue;
      out.row_of_node[rows[r].node] = r;
      out.node_of_entry[entry] = rows[r].node;
    }
    return out;
  }

  bool MatchNodes(size_t input, size_t last) {
    bool only_here = false, only_there = false;  // as most often, nothing to match
    for (size_t e = 1; e < out_.tree->size(); ++e) {
      const bool here = out_.tree->Present(e, input), there = out_.tree->Present(e, last);
      only_here |= here && !there;
      only_there |= there && !here;
    }
    if (!only_here || !only_there) return false;
    const NodeRows from = RowsOf(input), to = RowsOf(last);
    std::vector<uint32_t> partner(inputs_[input].graph->size(), kNoIndex);
    std::vector<uint32_t> partner_there(inputs_[last].graph->size(), kNoIndex);
    for (size_t e = 0; e < out_.tree->size(); ++e) {
      const uint32_t a = from.node_of_entry[e], b = to.node_of_entry[e];
      if (a == kNoIndex || b == kNoIndex) continue;
      partner[a] = b;
      partner_there[b] = a;
    }
    PairRest(input, from, last, to, &partner, &partner_there);
    std::vector<FoundRename> found =
        MatchRenamed(*inputs_[input].graph, *inputs_[last].graph, &partner, &partner_there);
    if (found.empty()) return false;
    for (uint32_t n = 0; n < partner.size(); ++n) {
      const uint32_t row_there = partner[n] == kNoIndex ? kNoIndex : to.row_of_node[partner[n]];
      if (row_there == kNoIndex || from.row_of_node[n] == kNoIndex) continue;
      const std::string_view name = out_.tree->name[out_.tree->entry_of_row[last][row_there]];
      const uint32_t row = from.row_of_node[n];
      if (out_.tree->name[out_.tree->entry_of_row[input][row]] != name) NamesOf(input)[row] = name;
    }
    for (FoundRename& rename : found) {
      rename.input = input;
      out_.renames.push_back(std::move(rename));
    }
    return true;
  }

  // Nodes that the reports leave out (-account_type_regexes) are neighbours all the same.
  void PairRest(size_t input, const NodeRows& from, size_t last, const NodeRows& to,
                std::vector<uint32_t>* partner, std::vector<uint32_t>* partner_there) const {
    std::unordered_map<std::string_view, uint32_t> rest;
    for (uint32_t n = 0; n < to.row_of_node.size(); ++n) {
      if (to.row_of_node[n] == kNoIndex) rest.emplace(inputs_[last].graph->Name(n), n);
    }
    for (uint32_t n = 0; n < from.row_of_node.size() && !rest.empty(); ++n) {
      if (from.row_of_node[n] != kNoIndex) continue;
      const auto same = rest.find(inputs_[input].graph->Name(n));
      if (same == rest.end()) continue;
      (*partner)[n] = same->second;
      (*partner_there)[same->second] = n;
    }
  }

  // Below each frame that both have: frames that differ in their line number alone, in the order of lines.
  bool MatchMovedLines() {
    const size_t last = inputs_.size() - 1;
    bool any = false;
    for (size_t i = 0; i < last; ++i) any |= MatchMovedLines(i, last);
    return any;
  }

  bool MatchMovedLines(size_t input, size_t last) {
    const UnionTree& tree = *out_.tree;
    struct Moved {
      std::vector<uint32_t> here, there;
    };
    std::map<std::pair<uint32_t, std::string>, Moved> groups;
    for (uint32_t e = 1; e < tree.size(); ++e) {
      const bool here = tree.Present(e, input), there = tree.Present(e, last);
      const uint32_t above = tree.parent[e];
      if (here == there || !tree.Present(above, input) || !tree.Present(above, last)) continue;
      const std::string key = WithoutLine(tree.name[e]);
      if (key.empty()) continue;
      Moved& group = groups[{above, key}];
      (here ? group.here : group.there).push_back(e);
    }
    std::map<uint32_t, uint32_t> moved;
    for (auto& [key, group] : groups) {
      if (group.here.size() != group.there.size()) continue;
      const auto by_line = [&tree](uint32_t a, uint32_t b) {
        return LineOf(tree.name[a]) < LineOf(tree.name[b]);
      };
      std::stable_sort(group.here.begin(), group.here.end(), by_line);
      std::stable_sort(group.there.begin(), group.there.end(), by_line);
      for (size_t k = 0; k < group.here.size(); ++k) moved.emplace(group.here[k], group.there[k]);
    }
    const std::vector<uint32_t>& entries = tree.entry_of_row[input];
    for (size_t r = 1; r < entries.size() && !moved.empty(); ++r) {
      const auto to = moved.find(entries[r]);
      if (to == moved.end()) continue;
      out_.renames.push_back({input, std::string(tree.name[to->first]), std::string(tree.name[to->second]), 1,
                              "same file and function, called from the same place; the line moved"});
      NamesOf(input)[r] = tree.name[to->second];
    }
    return !moved.empty();
  }

  const std::vector<DiffInput>& inputs_;
  ViewKind view_;
  const std::vector<ColumnId>& figures_;
  const Options& options_;
  Aligned out_;
};

}  // namespace

Result<Aligned> Align(const std::vector<DiffInput>& inputs, ViewKind view,
                      const std::vector<ColumnId>& figures, const Options& options) {
  return Aligner(inputs, view, figures, options).Run();
}

}  // namespace tfprof
