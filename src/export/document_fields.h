// The fields of a Document as programs see them, as events: Key, Begin, End, Text, Number... JSON writes them
// nested, CSV each on a line of its own.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "base/units.h"
#include "report/document.h"
#include "tfprof/version.h"

namespace tfprof {

template <class Writer>
void WriteCell(const Cell& cell, Writer& out) {
  switch (cell.kind()) {
    case Cell::Kind::kEmpty:
    case Cell::Kind::kMissing:
      return out.Null();
    case Cell::Kind::kText:
      return out.Text(cell.text());
    case Cell::Kind::kNumber:
      if (cell.quantity() == Quantity::kNanos) return out.Decimal(DecimalMicros(cell.number()));
      if (cell.quantity() == Quantity::kUnsigned) return out.Unsigned(static_cast<uint64_t>(cell.number()));
      return out.Number(cell.number());
    case Cell::Kind::kReal:
    case Cell::Kind::kShare:
      return out.Real(cell.real());
    case Cell::Kind::kFlag:
      return out.Bool(cell.flag());
    case Cell::Kind::kList:
      out.BeginArray();
      for (size_t i = 0; i < cell.size(); ++i) WriteCell(cell.At(i), out);
      return out.EndArray();
    case Cell::Kind::kObject:
      out.BeginObject();
      for (const auto& [key, value] : cell.fields()) {
        out.Key(key);
        WriteCell(value, out);
      }
      return out.EndObject();
  }
}

template <class Writer>
class DocumentFields {
 public:
  DocumentFields(Writer& out, Problems& problems) : out_(out), problems_(problems) {}

  void Write(const Document& document) {
    out_.BeginObject();
    out_.Key("tool");
    out_.Text(std::string("tfprof ") + kVersion);
    const auto has_inputs = [](const Block& block) { return block.id == "inputs"; };  // in its own words
    if (std::none_of(document.blocks.begin(), document.blocks.end(), has_inputs)) Inputs(document.inputs);
    Blocks(document.blocks);
    out_.Key("warnings");
    out_.BeginArray();
    for (const std::string& warning : document.warnings) out_.Text(warning);
    out_.EndArray();
    out_.EndObject();
  }

 private:
  void Inputs(const std::vector<DocumentInput>& inputs) {
    if (inputs.empty()) return;
    out_.Key("inputs");
    out_.BeginArray();
    for (const DocumentInput& input : inputs) {
      if (input.format.empty()) {
        out_.Text(input.path);
        continue;
      }
      out_.BeginObject();
      out_.Key("path");
      out_.Text(input.path);
      out_.Key("format");
      out_.Text(input.format);
      out_.EndObject();
    }
    out_.EndArray();
  }

  void Blocks(const std::vector<Block>& blocks) {
    for (const Block& block : blocks) {
      if (block.formats & kInJson) std::visit([&](const auto& body) { Body(block, body); }, block.body);
    }
  }

  void Body(const Block& block, const Facts& facts) {
    Begin(block);
    for (const Fact& fact : facts) Field(fact.id, fact.value);
    End(block);
  }

  void Body(const Block& block, const Group& group) {
    if (group.layout == Layout::kItems) {
      out_.Key(block.id);
      out_.BeginArray();
      Items(group);
      out_.EndArray();
    } else {
      Begin(block);
      Blocks(group.blocks);
      End(block);
    }
  }

  void Items(const Group& group) {
    for (const Block& block : group.blocks) {
      const Group* item = std::get_if<Group>(&block.body);
      if (!item || !(block.formats & kInJson)) continue;
      if (item->layout == Layout::kBeside) {
        Items(*item);
      } else {
        out_.BeginObject();
        Blocks(item->blocks);
        out_.EndObject();
      }
    }
  }

  void Body(const Block& block, const Prose& prose) {
    if (block.id.empty()) return;
    out_.Key(block.id);
    out_.BeginArray();
    for (size_t i = 0; i < prose.size; ++i) out_.Text(prose.paragraph(i, problems_));
    out_.EndArray();
  }

  void Body(const Block& block, const Series& series) {
    if (block.id.empty()) return;
    out_.Key(block.id);
    out_.BeginObject();
    out_.Key("exact");
    out_.Bool(series.exact);
    out_.Key("points");
    out_.BeginArray();
    for (size_t i = 0; i < series.size; ++i) {
      const auto [time, value] = series.point(i);
      out_.BeginArray();
      if (series.nanos) {
        out_.Decimal(DecimalMicros(time));
      } else {
        out_.Number(time);
      }
      out_.Number(value);
      out_.EndArray();
    }
    out_.EndArray();
    out_.EndObject();
  }

  void Body(const Block& block, const Table& table) {
    if (block.id.empty()) return;
    out_.Key(block.id);
    if (table.depth) {
      Tree(table);
    } else {
      out_.BeginArray();
      RowCells row(problems_);
      for (size_t r = 0; r < table.Shown(); ++r) {
        out_.BeginObject();
        RowFields(table, r, row);
        out_.EndObject();
      }
      out_.EndArray();
    }
    if (table.Shown() == table.rows) return;
    out_.Key(block.id + "_left_out");
    out_.Number(static_cast<int64_t>(table.rows - table.Shown()));
  }

  void RowFields(const Table& table, size_t r, RowCells& row) {
    row.cells.clear();
    table.fill(r, row);
    for (size_t c = 0; c < row.cells.size(); ++c) Field(table.columns[c].id, row.cells[c]);
  }

  // Rows come parents first; an object stays open until a row that is not below it arrives.
  void Tree(const Table& table) {
    if (table.rows == 0) return out_.Null();
    RowCells row(problems_);
    std::vector<uint32_t> open;  // depths of the rows whose children are being written
    for (size_t r = 0; r < table.Shown(); ++r) {
      const uint32_t depth = table.depth(r);
      for (; !open.empty() && open.back() >= depth; open.pop_back()) CloseRow();
      out_.BeginObject();
      RowFields(table, r, row);
      out_.Key("children");
      out_.BeginArray();
      open.push_back(depth);
    }
    for (size_t i = 0; i < open.size(); ++i) CloseRow();
  }
  void CloseRow() {
    out_.EndArray();
    out_.EndObject();
  }

  // What has no id lies in the object around it.
  void Begin(const Block& block) {
    if (block.id.empty()) return;
    out_.Key(block.id);
    out_.BeginObject();
  }
  void End(const Block& block) {
    if (!block.id.empty()) out_.EndObject();
  }

  void Field(const std::string& id, const Cell& cell) {
    if (id.empty() || cell.kind() == Cell::Kind::kEmpty) return;
    out_.Key(id);
    WriteCell(cell, out_);
  }

  Writer& out_;
  Problems& problems_;
};

}  // namespace tfprof
