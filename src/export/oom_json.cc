#include <string>

#include "export/json_fields.h"
#include "tfprof/oom.h"

namespace tfprof {
namespace {

class OomJson : JsonFields {
 public:
  explicit OomJson(Output& out) : JsonFields(out) {}

  void Write(const OomReport& report) {
    json_.StartObject();
    List("events", report.events, [&](const OomEvent& event) { Event(event); });
    List("growth", report.growth, [&](const OomGrowth& growth) {
      Number("from", static_cast<int64_t>(growth.from));
      Number("to", static_cast<int64_t>(growth.to));
      Number("in_use_bytes", growth.in_use_bytes);
      List("sizes", growth.sizes, [&](const OomGrowth::Size& size) {
        Number("size", size.size);
        Number("count", size.count);
      });
    });
    Number("not_failures", report.not_failures);
    json_.EndObject();
  }

 private:
  void OptionalText(const char* key, const std::optional<std::string>& text) {
    json_.Key(key);
    if (text) {
      String(*text);
    } else {
      json_.Null();
    }
  }
  void Real(const char* key, const std::optional<double>& value) {
    json_.Key(key);
    if (value) {
      json_.Double(*value);
    } else {
      json_.Null();
    }
  }

  void Event(const OomEvent& event) {
    Text("file", event.file);
    Text("kind", kOomKindNames[static_cast<size_t>(event.kind)]);
    Number("line", event.line);
    Number("count", event.count);
    OptionalText("prefix", event.prefix);
    OptionalText("allocator", event.allocator);
    OptionalText("device", event.device);
    OptionalText("op", event.op);
    OptionalText("program", event.program);
    json_.Key("shape");
    if (event.shape) {
      json_.StartArray();
      for (const int64_t dim : *event.shape) json_.Int64(dim);
      json_.EndArray();
    } else {
      json_.Null();
    }
    OptionalText("dtype", event.dtype);
    Number("requested_bytes", event.requested_bytes);
    Number("rounded_bytes", event.rounded_bytes);
    Number("limit_bytes", event.limit_bytes);
    Number("pool_bytes", event.pool_bytes);
    Number("unallocated_bytes", event.unallocated_bytes);
    Number("in_use_bytes", event.in_use_bytes);
    Number("max_in_use_bytes", event.max_in_use_bytes);
    Number("num_allocs", event.num_allocs);
    Number("largest_alloc_bytes", event.largest_alloc_bytes);
    Number("free_bytes", event.free_bytes);
    Number("largest_free_bytes", event.largest_free_bytes);
    Real("fragmentation", event.fragmentation);
    Lists(event);
    Text("verdict", kOomVerdictNames[static_cast<size_t>(event.verdict)]);
    Object("evidence", [&] {
      Number("line", event.evidence.line);
      Number("request", event.evidence.request);
      Number("ceiling", event.evidence.ceiling);
      Number("available", event.evidence.available);
      Number("largest", event.evidence.largest);
    });
    Number("short_by", event.short_by);
    Text("likely_verdict", kOomVerdictNames[static_cast<size_t>(event.likely)]);
    Text("judged_by", event.judged_by);
    Strings("hints", event.hints);
    Strings("missing", event.missing);
    Number("requested_in_use_bytes", event.requested_in_use_bytes);
    Real("recorded_fragmentation", event.recorded_fragmentation);
    json_.Key("snapshots");
    if (!event.snapshots) {
      json_.Null();
    } else {
      json_.StartObject();
      Number("count", event.snapshots->count);
      Number("first_action", event.snapshots->first_action);
      Number("last_action", event.snapshots->last_action);
      Number("max_size", event.snapshots->max_size);
      Number("last_size", event.snapshots->last_size);
      json_.EndObject();
    }
  }

  void Lists(const OomEvent& event) {
    List("chunks", event.chunks, [&](const OomChunks& chunks) {
      Text("state", chunks.in_use ? "in_use" : "free");
      Number("size", chunks.size);
      Number("count", chunks.count);
      Number("bytes", chunks.bytes);
    });
    List("regions", event.regions, [&](const OomRegion& region) {
      Number("size", region.size);
      Number("in_use_bytes", region.in_use_bytes);
      Number("in_use_chunks", region.in_use_chunks);
      Number("free_bytes", region.free_bytes);
      Number("free_chunks", region.free_chunks);
      Number("largest_free_bytes", region.largest_free_bytes);
    });
    List("held_by", event.held_by, [&](const OomHolder& holder) {
      OptionalText("name", holder.name);
      Number("count", holder.count);
      Number("bytes", holder.bytes);
    });
    List("by_node", event.by_node, [&](const OomNodeList& list) {
      Text("device", list.device);
      Text("allocator", list.allocator);
      List("nodes", list.nodes, [&](const OomNodeList::Node& node) {
        Text("node", node.node);
        Number("bytes", node.bytes);
      });
      Number("remaining_nodes", list.remaining_nodes);
      Number("remaining_bytes", list.remaining_bytes);
    });
  }
};

}  // namespace

void WriteOom(const OomReport& report, const Sink& sink) {
  Output out(sink);
  OomJson(out).Write(report);
  out.Put('\n');
}

}  // namespace tfprof
