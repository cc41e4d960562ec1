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
      return out.Array("", [&] {
        for (size_t i = 0; i < cell.size(); ++i) WriteCell(cell.At(i), out);
      });
    case Cell::Kind::kObject:
      return out.Object("", [&] {
        for (const auto& [key, value] : cell.fields()) {
          out.Key(key);
          WriteCell(value, out);
        }
      });
  }
}

template <class Writer>
class DocumentFields {
 public:
  DocumentFields(Writer& out, Problems& problems) : out_(out), problems_(problems) {}

  void Write(const Document& document) {
    out_.Object("", [&] {
      out_.Field("tool", std::string("tfprof ") + kVersion);
      const auto has_inputs = [](const Block& block) { return block.id == "inputs"; };  // in its own words
      if (std::none_of(document.blocks.begin(), document.blocks.end(), has_inputs)) Inputs(document.inputs);
      Blocks(document.blocks);
      out_.TextList("warnings", document.warnings);
    });
  }

 private:
  void Inputs(const std::vector<DocumentInput>& inputs) {
    if (inputs.empty()) return;
    out_.List("inputs", inputs, [this](const DocumentInput& input) {
      if (input.format.empty()) return out_.Text(input.path);
      out_.Object("", [&] {
        out_.Field("path", input.path);
        out_.Field("format", input.format);
      });
    });
  }

  void Blocks(const std::vector<Block>& blocks) {
    for (const Block& block : blocks) {
      if (block.formats & kInJson) std::visit([&](const auto& body) { Body(block, body); }, block.body);
    }
  }

  void Body(const Block& block, const Facts& facts) {
    Around(block, [&] {
      for (const Fact& fact : facts) Field(fact.id, fact.value);
    });
  }

  void Body(const Block& block, const Group& group) {
    if (group.layout == Layout::kItems) return out_.Array(block.id, [&] { Items(group); });
    Around(block, [&] { Blocks(group.blocks); });
  }

  void Items(const Group& group) {
    for (const Block& block : group.blocks) {
      const Group* item = std::get_if<Group>(&block.body);
      if (!item || !(block.formats & kInJson)) continue;
      if (item->layout == Layout::kBeside) {
        Items(*item);
      } else {
        out_.Object("", [&] { Blocks(item->blocks); });
      }
    }
  }

  void Body(const Block& block, const Prose& prose) {
    if (block.id.empty()) return;
    out_.Array(block.id, [&] {
      for (size_t i = 0; i < prose.size; ++i) out_.Text(prose.paragraph(i, problems_));
    });
  }

  void Body(const Block& block, const Series& series) {
    if (block.id.empty()) return;
    out_.Object(block.id, [&] {
      out_.Key("exact");
      out_.Bool(series.exact);
      out_.Array("points", [&] {
        for (size_t i = 0; i < series.size; ++i) {
          const auto [time, value] = series.point(i);
          out_.Array("", [&, time = time, value = value] {
            series.nanos ? out_.Decimal(DecimalMicros(time)) : out_.Number(time);
            out_.Number(value);
          });
        }
      });
    });
  }

  void Body(const Block& block, const Table& table) {
    if (block.id.empty()) return;
    RowCells row(problems_);
    const auto fields = [&](size_t r) { RowFields(table, r, row); };
    if (!table.depth) {
      out_.Array(block.id, [&] {
        for (size_t r = 0; r < table.Shown(); ++r) out_.Object("", [&] { fields(r); });
      });
    } else {
      out_.Key(block.id);
      table.rows == 0 ? out_.Null() : out_.Tree(table.Shown(), true, table.depth, fields);
    }
    if (table.Shown() < table.rows)
      out_.Field(block.id + "_left_out", static_cast<int64_t>(table.rows - table.Shown()));
  }

  void RowFields(const Table& table, size_t r, RowCells& row) {
    row.cells.clear();
    table.fill(r, row);
    for (size_t c = 0; c < row.cells.size(); ++c) Field(table.columns[c].id, row.cells[c]);
  }

  // What has no id lies in the object around it.
  template <class Fill>
  void Around(const Block& block, Fill fill) {
    block.id.empty() ? fill() : out_.Object(block.id, fill);
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
