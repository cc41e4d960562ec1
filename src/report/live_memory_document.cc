#include "report/documents.h"

namespace tfprof {
namespace {

constexpr size_t kLiveNameWidth = 60;

std::string Blocks(std::optional<int64_t> count) {
  return count ? fmt::format("in {} {}", *count, *count == 1 ? "block" : "blocks") : std::string();
}

Block Head(const LiveMemoryReport& live) {
  std::optional<int64_t> sized = live.sum.count;
  if (sized) *sized -= live.without_size.count.value_or(0);
  Facts facts = {
      {"source", "what", cell::Text(live.source),
       "(a snapshot: what was live when it was written. No time axis, no peak)"},
      {"sample_type", "bytes are", cell::Text(live.sample_type), "(as the file calls them)"},
      {"epoch_micros", "", cell::Plain(live.epoch_micros)},
      {"bytes", "live", cell::Bytes(live.sum.bytes), Blocks(sized)},
      {"count", "", cell::Count(live.sum.count)},
      {"bytes_without_stack", "no call stack", cell::Bytes(live.not_attributed.bytes.value_or(0)),
       Blocks(live.not_attributed.count)},
      {"count_without_size", live.without_size.count ? "size not told" : "",
       cell::Count(live.without_size.count.value_or(0)),
       "blocks, in no sum of bytes: JAX writes 0 for a program whose size the device does not tell"},
  };
  return {"", "Memory profile", std::move(facts)};
}

Block Sums(const char* id, const char* title, const std::vector<LiveMemorySum>& sums,
           const LiveMemorySum& all) {
  return {id, "",
          TableOf(Heads(Left("name", title, kLiveNameWidth), Right("bytes", "bytes"), Right("share", "share"),
                        Right("count", "count"), Bar()),
                  sums, [&all](const LiveMemorySum& sum, RowCells& out) {
                    const bool known = sum.bytes && all.bytes.value_or(0) > 0;
                    const auto share = [&] { return known ? cell::ShareOf(*sum.bytes, *all.bytes) : Cell(); };
                    out.Add(cell::Text(sum.name), cell::Bytes(sum.bytes), known ? share() : cell::Missing(),
                            cell::Count(sum.count), share());
                  })};
}

Block Rows(const MemoryReport& report, const LiveDeviceReport& d) {
  const bool by_code = report.options.by == MemoryBy::kCode;
  Table table{Heads(Left("name", by_code ? "live, by code line" : "live, by kind", kLiveNameWidth),
                    Right("bytes", "bytes"), Right("share", "share"), Right("count", "count"), Bar(),
                    Left("folded", "")),
              d.rows.size(),
              [&d](size_t r, RowCells& out) {
                if (r > d.rows.size()) return out.Add(cell::Text("total"), cell::Bytes(d.sum.bytes));
                const MemoryRow& row = r < d.rows.size() ? d.rows[r] : d.not_attributed;
                out.Add(cell::Text(row.name), cell::Bytes(row.bytes), cell::Share(row.share),
                        cell::Count(row.count), cell::Share(row.share),
                        row.folded > 0 ? cell::Count(row.folded) : Cell());
              },
              by_code ? size_t{2} : size_t{0}};
  return {"rows", "", std::move(table)};
}

Block Device(const MemoryReport& report, const LiveDeviceReport& d) {
  Group group;
  group.Add(Fields({{"device", cell::Text(d.sum.name)},
                    {"bytes", cell::Bytes(d.sum.bytes)},
                    {"count", cell::Count(d.sum.count)},
                    {"not_attributed", cell::Object({{"bytes", cell::Bytes(d.not_attributed.bytes)},
                                                     {"share", cell::Share(d.not_attributed.share)}})}}));
  if (d.sum.bytes) group.Add(Rows(report, d));
  return {"", d.sum.bytes ? d.sum.name : "", std::move(group)};
}

// As that of memory over time; there is neither step nor moment.
Table CsvTable(const LiveMemoryReport& live) {
  struct Line {
    const LiveDeviceReport* device;
    size_t row;  // behind the last: what is not attributed
  };
  std::vector<Line> lines;
  for (const LiveDeviceReport& device : live.devices) {
    for (size_t r = 0; r <= device.rows.size() && device.sum.bytes; ++r) lines.push_back({&device, r});
  }
  return TableOf(MemoryCsvColumns(), std::move(lines), [](const Line& line, RowCells& out) {
    const LiveDeviceReport& d = *line.device;
    out.Add(cell::Missing(), cell::Text(d.sum.name), cell::Text(""), cell::Text("snapshot"), cell::Missing(),
            cell::Bytes(d.sum.bytes));
    AddMemoryRow(d.rows, d.not_attributed, line.row, out);
  });
}

}  // namespace

Document LiveMemoryDocument(MemoryReport made) {
  Document out;
  const MemoryReport& report = Keep(std::move(made), out);
  const LiveMemoryReport& live = *report.live;
  out.title = "Live memory";
  out.inputs = InputsOf(report.input_files);
  out.warnings = report.warnings;
  out.Add(OptionsBlock(report.options, {"by", "top", "device_regexes"}));
  Group group, devices{{}, Layout::kItems};
  group.Add(Head(live));
  group.Add(Sums("kinds", "kind", live.kinds, live.sum));
  auto sums = std::make_shared<std::vector<LiveMemorySum>>();
  for (const LiveDeviceReport& device : live.devices) {
    sums->push_back(device.sum);
    devices.Add(Device(report, device));
  }
  Block by_device = Sums("", "device", *sums, live.sum);
  auto& table = std::get<Table>(by_device.body);
  table.fill = [sums, fill = table.fill](size_t r, RowCells& row) { fill(r, row); };
  by_device.formats = kForPeople;
  group.Add(std::move(by_device));
  group.Add({"devices", "", std::move(devices)});
  out.Add({"live", "", std::move(group)});
  out.csv = CsvTable(live);
  return out;
}

}  // namespace tfprof
