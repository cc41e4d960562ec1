#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/checked.h"
#include "base/units.h"
#include "report/documents.h"
#include "report/oom_words.h"

namespace tfprof {
namespace {

constexpr size_t kPicture = 64;  // characters of the largest region
constexpr size_t kOomNameWidth = 64, kBarWidth = 20;
constexpr size_t kRowsShown = 15, kEventsShown = 30, kDetailsShown = 8, kStretches = 16;

// Bytes as allocators print them: the report stands beside the log.
Cell BinarySize(std::optional<int64_t> bytes) {
  return bytes ? cell::Bytes(bytes).Says(FormatBinary(*bytes)) : cell::Missing();
}
Cell TextOrMissing(const std::optional<std::string>& text) {
  return text ? cell::Text(*text) : cell::Missing();
}
const char* VerdictName(OomVerdict verdict) { return kOomVerdictNames[static_cast<size_t>(verdict)]; }

std::string Place(const OomEvent& event) {
  return event.line ? fmt::format("{}:{}", event.file, *event.line) : event.file;
}

std::string Words(OomVerdict verdict) {
  std::string out = VerdictName(verdict);
  std::replace(out.begin(), out.end(), '_', ' ');
  return out;
}

int64_t Total(const OomEvent& event) {
  int64_t sum = 0;
  bool saturated = false;
  for (const OomChunks& chunks : event.chunks) sum = SaturatingAdd(sum, chunks.bytes, &saturated);
  return event.pool_bytes.value_or(sum);
}

// For programs: every figure under its name.
Block FiguresOf(const OomEvent& e) {
  return Fields({
      {"file", cell::Text(e.file)},
      {"kind", cell::Text(kOomKindNames[static_cast<size_t>(e.kind)])},
      {"line", cell::Plain(e.line)},
      {"count", cell::Count(e.count)},
      {"prefix", TextOrMissing(e.prefix)},
      {"allocator", TextOrMissing(e.allocator)},
      {"device", TextOrMissing(e.device)},
      {"op", TextOrMissing(e.op)},
      {"program", TextOrMissing(e.program)},
      {"shape", e.shape ? cell::Dims(*e.shape) : cell::Missing()},
      {"dtype", TextOrMissing(e.dtype)},
      {"requested_bytes", cell::Bytes(e.requested_bytes)},
      {"rounded_bytes", cell::Bytes(e.rounded_bytes)},
      {"limit_bytes", cell::Bytes(e.limit_bytes)},
      {"pool_bytes", cell::Bytes(e.pool_bytes)},
      {"unallocated_bytes", cell::Bytes(e.unallocated_bytes)},
      {"in_use_bytes", cell::Bytes(e.in_use_bytes)},
      {"max_in_use_bytes", cell::Bytes(e.max_in_use_bytes)},
      {"num_allocs", cell::Count(e.num_allocs)},
      {"largest_alloc_bytes", cell::Bytes(e.largest_alloc_bytes)},
      {"free_bytes", cell::Bytes(e.free_bytes)},
      {"largest_free_bytes", cell::Bytes(e.largest_free_bytes)},
      {"fragmentation", cell::Real(e.fragmentation)},
      {"device_bytes", cell::Bytes(e.device_bytes)},
      {"verdict", cell::Text(VerdictName(e.verdict))},
      {"evidence", cell::Object({{"line", cell::Plain(e.evidence.line)},
                                 {"request", cell::Bytes(e.evidence.request)},
                                 {"ceiling", cell::Bytes(e.evidence.ceiling)},
                                 {"available", cell::Bytes(e.evidence.available)},
                                 {"largest", cell::Bytes(e.evidence.largest)}})},
      {"short_by", cell::Bytes(e.short_by)},
      {"likely_verdict", cell::Text(VerdictName(e.likely))},
      {"judged_by", cell::Text(e.judged_by)},
      {"hints", cell::Texts(e.hints)},
      {"missing", cell::Texts(e.missing)},
      {"says", cell::Text(OomHeadline(e))},
  });
}

std::string OwnerWords(const OomMatch& match) {
  if (match.tensors == 0) return "no tensor of the run has this size";
  std::string out;
  for (const OomMatch::Owner& owner : match.owners) {
    out += fmt::format("{}{}{}", out.empty() ? "" : ", ", owner.node,
                       owner.kind == match.kind ? "" : " (" + owner.kind + ")");
  }
  const int64_t more = match.nodes - static_cast<int64_t>(match.owners.size());
  return more > 0 ? fmt::format("{} and {} more", out, FormatGrouped(more)) : out;
}

// With a run: whose tensors have the sizes of the chunks in use.
Block Matches(const OomEvent& e) {
  Table table = TableOf(
      Heads(Right("size", "chunks in use"), Right("count", "count"), Right("bytes", "bytes"),
            Right("tensors", "of the run"), Left("kind", "mostly"),
            Left("", "who makes tensors of this size"), Left("nodes", ""), Left("owners", "")),
      e.matches,
      [](const OomMatch& m, RowCells& out) {
        out.Add(BinarySize(m.size), cell::Count(m.count), BinarySize(m.bytes), cell::Count(m.tensors),
                m.kind.empty() ? cell::Missing().Says("") : cell::Text(m.kind), cell::Text(OwnerWords(m)),
                cell::Count(m.nodes), cell::List(m.owners.size(), [&m](size_t i) {
                  const OomMatch::Owner& owner = m.owners[i];
                  return cell::Object({{"node", cell::Text(owner.node)},
                                       {"op", cell::Text(owner.op)},
                                       {"kind", cell::Text(owner.kind)},
                                       {"tensors", cell::Count(owner.tensors)}});
                }));
      },
      kRowsShown, "sizes");
  return {"matches", "", std::move(table)};
}

Block Help(const OomEvent& e) {
  Table table = TableOf(
      Heads(Left("what", ""), Right("frees_bytes", "frees"), Left("suffices", "enough"),
            Left("says", "what would help"), Left("batch", ""), Left("assumption", "if")),
      e.help, [](const OomHelp& h, RowCells& out) {
        out.Add(cell::Text(h.what), BinarySize(h.frees_bytes), cell::Flag(h.suffices), cell::Text(h.says),
                h.what == "smaller_batch" ? cell::Count(h.batch) : Cell(), cell::Text(h.assumption));
      });
  return {"help", "", std::move(table), kInJson | kInHtml | kInMarkdown};
}

// The same as lines: sentences make wide tables.
Block HelpLines(const OomEvent& e) {
  Prose prose{e.help.size(), [&e](size_t i, Problems&) {
                const OomHelp& h = e.help[i];
                return fmt::format("- {}{}; if {}.", h.says,
                                   !h.suffices   ? ""
                                   : *h.suffices ? ", which is enough"
                                                 : ", which is not enough alone",
                                   h.assumption);
              }};
  return {"", "what would help, from the run", std::move(prose), kInText};
}

// What only some events have; for programs.
Block Extras(const OomEvent& e) {
  const auto object = [](const auto& optional, auto fields) {
    return optional ? cell::Object(fields(*optional)) : cell::Missing();
  };
  Cell::Fields out = {{"obstacle", object(e.obstacle,
                                          [](const OomObstacle& o) -> Cell::Fields {
                                            return {{"region", cell::Count(static_cast<int64_t>(o.region))},
                                                    {"chunks", cell::Count(o.chunks)},
                                                    {"bytes", cell::Bytes(o.bytes)},
                                                    {"hole_bytes", cell::Bytes(o.hole_bytes)}};
                                          })},
                      {"refused", object(e.refused,
                                         [](const OomRefusal& r) -> Cell::Fields {
                                           return {{"line", cell::Plain(r.line)},
                                                   {"count", cell::Count(r.count)},
                                                   {"bytes", cell::Bytes(r.bytes)}};
                                         })},
                      {"program_need", object(e.program_need, [](const OomProgramNeed& n) -> Cell::Fields {
                         return {{"line", cell::Plain(n.line)},
                                 {"limit_bytes", cell::Bytes(n.limit_bytes)},
                                 {"reduced_to_bytes", cell::Bytes(n.reduced_to_bytes)}};
                       })}};
  if (e.kind != OomKind::kMemoryDump) return Fields(std::move(out));
  out.emplace_back("requested_in_use_bytes", cell::Bytes(e.requested_in_use_bytes));
  out.emplace_back("recorded_fragmentation", cell::Real(e.recorded_fragmentation));
  out.emplace_back("snapshots", object(e.snapshots, [](const OomSnapshots& s) -> Cell::Fields {
                     return {{"count", cell::Count(s.count)},
                             {"first_action", cell::Count(s.first_action)},
                             {"last_action", cell::Count(s.last_action)},
                             {"max_size", cell::Bytes(s.max_size)},
                             {"last_size", cell::Bytes(s.last_size)}};
                   }));
  return Fields(std::move(out));
}

std::string PoolNote(const OomEvent& e) {
  if (!e.limit_bytes) return "";
  if (e.limit_bytes == e.pool_bytes) return ", all that its limit allows";
  return fmt::format(
      "of a limit of {}{}", FormatBinary(*e.limit_bytes),
      e.unallocated_bytes ? fmt::format(", {} not allocated", FormatBinary(*e.unallocated_bytes)) : "");
}

// For people: only what is known.
Block Overview(const OomEvent& e) {
  Facts facts;
  const auto add = [&](const char* title, bool known, Cell value, std::string note = "") {
    if (known) facts.push_back({"", title, std::move(value), std::move(note)});
  };
  add("request", e.requested_bytes.has_value(), cell::Text(OomRequestWords(e)));
  for (const auto& [title, text] : {std::pair("op", &e.op),
                                    {"program", &e.program},
                                    {"device", &e.device},
                                    {"allocator", &e.allocator},
                                    {"process", &e.prefix}})
    add(title, text->has_value(), TextOrMissing(*text));
  add("pool", e.pool_bytes.has_value(), BinarySize(e.pool_bytes), PoolNote(e));
  add("limit", !e.pool_bytes && e.limit_bytes, BinarySize(e.limit_bytes));
  add("in use", e.in_use_bytes.has_value(), BinarySize(e.in_use_bytes),
      (e.pool_bytes ? ", " + Percent(*e.in_use_bytes, *e.pool_bytes) + " of the pool" : "") +
          (e.max_in_use_bytes ? fmt::format(", at most {} so far", FormatBinary(*e.max_in_use_bytes)) : ""));
  add("asked for", e.requested_in_use_bytes.has_value(), BinarySize(e.requested_in_use_bytes),
      ", of what is in use");
  add("free", e.free_bytes.has_value(), BinarySize(e.free_bytes),
      e.free_bytes.value_or(0) > 0
          ? fmt::format(", the largest block {}", FormatBinary(*e.largest_free_bytes))
          : "");
  add("evidence", true, cell::Text(Place(e)),
      e.count > 1 ? fmt::format(", and {} more that say the same", e.count - 1) : "");
  std::vector<std::string> missing = e.missing;
  if (e.kind == OomKind::kMemoryDump) missing.erase(missing.begin());  // no file of that kind has a request
  add("missing", !missing.empty(), cell::Text(fmt::format("{}", fmt::join(missing, ", "))));
  return {"", "", std::move(facts), kForPeople};
}

Block Chunks(const OomEvent& e) {
  const int64_t total = Total(e);
  Table table = TableOf(
      Heads(Left("state", "chunks by size"), Right("size", "size"), Right("count", "count"),
            Right("bytes", "bytes"), Right("share", "share"), Bar(kBarWidth)),
      e.chunks,
      [total](const OomChunks& c, RowCells& out) {
        out.Add(cell::Text(c.in_use ? "in_use" : "free"), BinarySize(c.size), cell::Count(c.count),
                BinarySize(c.bytes), cell::ShareOf(c.bytes, total), cell::ShareOf(c.bytes, total));
      },
      kRowsShown, "sizes");
  return {"chunks", "", std::move(table)};
}

Block Regions(const OomEvent& e) {
  int64_t largest = 0;
  for (const OomRegion& region : e.regions) largest = std::max(largest, region.size);
  Table table{
      Heads(Right("", "region"), Right("size", "size"), Right("in_use_bytes", "in use"),
            Left("in_use_chunks", ""), Right("free_bytes", "free"), Left("free_chunks", ""),
            Right("largest_free_bytes", "largest hole"), Code("", "# in use  . free  + both  ? not seen")),
      e.regions.size(),
      [&e, largest](size_t r, RowCells& out) {
        const OomRegion& region = e.regions[r];
        out.Add(cell::Plain(static_cast<int64_t>(r + 1)), BinarySize(region.size),
                BinarySize(region.in_use_bytes), cell::Count(region.in_use_chunks),
                BinarySize(region.free_bytes), cell::Count(region.free_chunks),
                BinarySize(region.largest_free_bytes), cell::Text(OomPicture(region, largest, kPicture)));
      },
      0,
      2 * kRowsShown,
      "regions"};
  return {"regions", "", std::move(table)};
}

Block HeldBy(const OomEvent& e) {
  const int64_t total = Total(e);
  Table table = TableOf(
      Heads(Left("name", "held by", kOomNameWidth), Right("count", "count"), Right("bytes", "bytes"),
            Right("", "share"), Bar(kBarWidth)),
      e.held_by,
      [total](const OomHolder& h, RowCells& out) {
        out.Add(h.name ? cell::Text(*h.name) : cell::Missing().Says("(not named)"), cell::Count(h.count),
                BinarySize(h.bytes), cell::ShareOf(h.bytes, total), cell::ShareOf(h.bytes, total));
      },
      kRowsShown, "holders");
  return {"held_by", "", std::move(table)};
}

// Bytes by the first two parts of names, for people: a list of hundreds of nodes has a shape.
Block Scopes(const OomNodeList& list) {
  struct Scope {
    std::string name;
    int64_t nodes = 0, bytes = 0;
  };
  std::map<std::string, Scope> found;
  bool saturated = false;
  for (const OomNodeList::Node& node : list.nodes) {
    const size_t first = node.node.find('/');
    const size_t end = first == std::string::npos ? first : node.node.find('/', first + 1);
    Scope& scope = found[node.node.substr(0, end == std::string::npos ? first : end)];
    ++scope.nodes;
    scope.bytes = SaturatingAdd(scope.bytes, node.bytes, &saturated);
  }
  std::vector<Scope> scopes;
  for (auto& [name, scope] : found) scopes.push_back({name, scope.nodes, scope.bytes});
  std::stable_sort(scopes.begin(), scopes.end(),
                   [](const Scope& a, const Scope& b) { return a.bytes > b.bytes; });
  if (scopes.size() == list.nodes.size()) scopes.clear();  // says no more than the nodes
  return ForPeople("", TableOf(
                           Heads(Left("", "by scope", kOomNameWidth), Right("", "nodes"), Right("", "bytes")),
                           std::move(scopes),
                           [](const Scope& scope, RowCells& out) {
                             out.Add(cell::Text(scope.name), cell::Count(scope.nodes),
                                     BinarySize(scope.bytes));
                           },
                           kRowsShown, "scopes"));
}

Block ByNode(const OomEvent& e) {
  Group lists{{}, Layout::kItems};
  for (const OomNodeList& list : e.by_node) {
    Group group;
    group.Add(Fields({{"device", cell::Text(list.device)},
                      {"allocator", cell::Text(list.allocator)},
                      {"remaining_nodes", cell::Count(list.remaining_nodes)},
                      {"remaining_bytes", cell::Bytes(list.remaining_bytes)}}));
    Table table = TableOf(
        Heads(Left("node", fmt::format("by node, {}", list.device), kOomNameWidth), Right("bytes", "bytes")),
        list.nodes,
        [](const OomNodeList::Node& node, RowCells& out) {
          out.Add(cell::Text(node.node), BinarySize(node.bytes));
        },
        kRowsShown, "nodes");
    if (list.remaining_nodes > 0) {
      table.sums = 1;
      table.fill = [fill = table.fill, &list](size_t r, RowCells& out) {
        if (r < list.nodes.size()) return fill(r, out);
        out.Add(
            cell::Text(fmt::format("({} more, not listed in the log)", FormatGrouped(list.remaining_nodes))),
            BinarySize(list.remaining_bytes));
      };
    }
    group.Add({"nodes", "", std::move(table)});
    group.Add(Scopes(list));
    lists.Add({"", "", std::move(group)});
  }
  return {"by_node", "", std::move(lists)};
}

// The time line of a MemoryDump, in a few stretches.
Block TimeLine(const OomEvent& e) {
  const OomSnapshots& snapshots = *e.snapshots;
  const size_t rows = std::min<size_t>(snapshots.sizes.size(), kStretches);
  Table table{Heads(Right("", "from action"), Right("", "at most"), Bar(2 * kBarWidth)), rows,
              [&snapshots, rows](size_t r, RowCells& out) {
                const auto& sizes = snapshots.sizes;
                const auto at = [&](size_t i) {
                  return sizes.begin() + static_cast<int64_t>(i * sizes.size() / rows);
                };
                const int64_t most = *std::max_element(at(r), at(r + 1));
                const double part = static_cast<double>(r) / static_cast<double>(rows);
                const double actions = static_cast<double>(snapshots.last_action) -
                                       static_cast<double>(snapshots.first_action) + 1;
                out.Add(cell::Plain(snapshots.first_action + static_cast<int64_t>(part * actions)),
                        BinarySize(most), cell::ShareOf(most, snapshots.max_size));
              }};
  return ForPeople(fmt::format("{} snapshots", FormatGrouped(snapshots.count)), std::move(table));
}

Block Event(const OomEvent& e, bool alone) {
  Group group;
  group.Add(ForPeople("", ProseOf(OomHeadline(e))));
  group.Add(FiguresOf(e));
  group.Add(Overview(e));
  group.Add(Chunks(e));
  group.Add(Regions(e));
  group.Add(HeldBy(e));
  group.Add(ByNode(e));
  if (e.snapshots) group.Add(TimeLine(e));
  if (!e.matches.empty()) {
    group.Add(Matches(e));
    group.Add(Help(e));
    group.Add(HelpLines(e));
  }
  group.Add(Extras(e));
  std::vector<std::string> advice = OomAdvice(e);
  Prose prose{advice.size(), [advice](size_t i, Problems&) { return "- " + advice[i]; }};
  group.Add({"", "what to do next", std::move(prose), kInText | kInHtml});
  group.Add({"advice", "", ProseOf(std::move(advice)), kInJson | kInMarkdown});
  return {"", alone ? "" : fmt::format("{}: {}", Place(e), Words(e.likely)), std::move(group)};
}

// Several events: one row each comes first.
Block Index(const OomReport& report) {
  Table table{Heads(Right("", "#"), Left("", "where", kOomNameWidth), Left("", "verdict"),
                    Right("", "wanted"), Right("", "short by"), Right("", "in use"), Left("", "op", 40)),
              report.events.size(),
              [&report](size_t r, RowCells& out) {
                const OomEvent& e = report.events[r];
                out.Add(cell::Plain(static_cast<int64_t>(r)), cell::Text(Place(e)),
                        cell::Text(Words(e.likely)), BinarySize(e.requested_bytes), BinarySize(e.short_by),
                        BinarySize(e.in_use_bytes), e.op ? cell::Text(*e.op) : Cell());
              },
              0,
              kEventsShown,
              "events"};
  return ForPeople("", std::move(table));
}

Block Growth(const OomReport& report, const OomGrowth& growth) {
  const int64_t grew = std::max(growth.in_use_bytes, -INT64_MAX);
  Group group;
  group.Add(Fields({{"from", cell::Plain(static_cast<int64_t>(growth.from))},
                    {"to", cell::Plain(static_cast<int64_t>(growth.to))},
                    {"in_use_bytes", cell::Bytes(growth.in_use_bytes)}}));
  Table table = TableOf(
      Heads(Right("size", "size"), Right("count", "more"), Right("", "bytes")), growth.sizes,
      [](const OomGrowth::Size& s, RowCells& out) {
        const double bytes = static_cast<double>(s.size) * static_cast<double>(s.count);
        out.Add(BinarySize(s.size), cell::Count(s.count).Says(fmt::format("{:+}", s.count)),
                std::abs(bytes) < 9e18 ? BinarySize(s.size * s.count) : cell::Missing());
      },
      kRowsShown, "sizes");
  group.Add({"sizes", "", std::move(table), kEverywhere, "the same chunks are in use"});
  return {"",
          fmt::format("what grew from #{} ({}) to #{} ({}): {}{} in use", growth.from,
                      Place(report.events[growth.from]), growth.to, Place(report.events[growth.to]),
                      grew < 0 ? "" : "+", FormatBinary(grew)),
          std::move(group)};
}

// One row per event.
Table CsvTable(const OomReport& report) {
  return TableOf(
      Ids("file", "line", "kind", "count", "verdict", "likely_verdict", "short_by", "requested_bytes",
          "rounded_bytes", "limit_bytes", "pool_bytes", "unallocated_bytes", "in_use_bytes", "free_bytes",
          "largest_free_bytes", "prefix", "device", "allocator", "op", "program"),
      report.events, [](const OomEvent& e, RowCells& out) {
        out.Add(cell::Text(e.file), cell::Plain(e.line),
                cell::Text(kOomKindNames[static_cast<size_t>(e.kind)]), cell::Plain(e.count),
                cell::Text(VerdictName(e.verdict)), cell::Text(VerdictName(e.likely)));
        for (const auto& bytes : {e.short_by, e.requested_bytes, e.rounded_bytes, e.limit_bytes, e.pool_bytes,
                                  e.unallocated_bytes, e.in_use_bytes, e.free_bytes, e.largest_free_bytes})
          out.Add(cell::Bytes(bytes));
        for (const auto* text : {&e.prefix, &e.device, &e.allocator, &e.op, &e.program})
          out.Add(TextOrMissing(*text));
      });
}

std::string Headline(const OomReport& report) {
  if (report.events.empty()) {
    return report.not_failures == 0
               ? fmt::format("No allocation failed in these {} lines.", FormatGrouped(report.lines))
               : fmt::format("No allocation failed for good in these {} lines; {} that had another way.",
                             FormatGrouped(report.lines), FormatGrouped(report.not_failures));
  }
  const size_t more = report.events.size() > kDetailsShown ? report.events.size() - kDetailsShown : 0;
  return fmt::format(
      "{} requests failed{}. The first: {}{}", FormatGrouped(static_cast<int64_t>(report.events.size())),
      report.events_left_out > 0
          ? fmt::format(", and {} that are left out here", FormatGrouped(report.events_left_out))
          : "",
      OomHeadline(report.events[0]),
      more > 0 ? fmt::format(" Details of the first {} are below, those of all in JSON.", kDetailsShown)
               : "");
}

}  // namespace

Document OomDocument(OomReport made) {
  Document out;
  const OomReport& report = Keep(std::move(made), out);
  out.title = "Out of memory";
  out.inputs = InputsOf(report.files);
  const bool alone = report.events.size() == 1;
  if (!alone) out.Add(ForPeople("", ProseOf(Headline(report))));
  if (report.events.size() > 1) out.Add(Index(report));
  Group events{{}, Layout::kItems};
  for (const OomEvent& event : report.events) {
    events.Add(Event(event, alone));
    // A page of thousands helps nobody; the list above has every one, and programs see all.
    if (events.blocks.size() > kDetailsShown) events.blocks.back().formats = kInJson;
  }
  out.Add({"events", "", std::move(events)});
  Group growth{{}, Layout::kItems};
  for (const OomGrowth& one : report.growth) growth.Add(Growth(report, one));
  out.Add({"growth", "", std::move(growth)});
  out.Add(Fields({{"not_failures", cell::Count(report.not_failures)},
                  {"events_left_out", cell::Count(report.events_left_out)},
                  {"lines", cell::Count(report.lines)},
                  {"bytes", cell::Bytes(report.bytes)},
                  {"unreadable", cell::Texts(report.unreadable)}}));
  out.csv = CsvTable(report);
  return out;
}

}  // namespace tfprof
