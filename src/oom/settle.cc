#include "oom/settle.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <tuple>
#include <utility>

#include "base/checked.h"
#include "oom/error_lines.h"
#include "oom/size.h"
#include "oom/verdict.h"

namespace tfprof::oom {
namespace {

// Bytes of the tensor that the error line is about; none where its shape or type is not known.
std::optional<int64_t> TensorBytes(const OomEvent& event) {
  const int64_t element = event.dtype ? DtypeSize(*event.dtype) : 0;
  if (!event.shape || element == 0) return std::nullopt;
  int64_t bytes = element;
  for (const int64_t dim : *event.shape) {
    if (dim < 0) return std::nullopt;
    bytes = SaturatingMul(bytes, dim);
  }
  return bytes;
}

std::optional<int64_t> RequestedBytes(const Record& record) {
  const std::optional<int64_t> tensor = TensorBytes(record.event);
  if (!record.size) return tensor;
  const int64_t printed = record.exact_bytes.value_or(record.size->bytes);
  if (tensor && std::abs(static_cast<double>(*tensor) - static_cast<double>(printed)) <=
                    0.01 * static_cast<double>(printed)) {
    return tensor;
  }
  return std::min(printed, record.event.rounded_bytes.value_or(printed));
}

void SetHints(const Record& record, OomEvent* event) {
  const auto add = [&](bool holds, const char* hint) {
    if (holds) event->hints.emplace_back(hint);
  };
  add(record.wants_node_report, "report_tensor_allocations");
  add(event->verdict == OomVerdict::kFragmented && event->allocator && event->allocator->starts_with("GPU_"),
      "cuda_malloc_async");
  add(record.fixed_pool, "fixed_pool");
  add(record.garbage_collection, "garbage_collection");
  add(event->unallocated_bytes.value_or(0) > 0, "pool_below_limit");
  add(event->limit_bytes && event->device_bytes &&
          static_cast<double>(*event->limit_bytes) < 0.9 * static_cast<double>(*event->device_bytes),
      "device_larger_than_pool");
}

void SetMissing(const Record& record, OomEvent* event) {
  if (event->kind == OomKind::kMessage) {
    event->missing = {"dump"};
    return;
  }
  const auto add = [&](bool lacks, const char* what) {
    if (lacks) event->missing.emplace_back(what);
  };
  add(!record.has_request, "request");
  add(!record.dump.Complete(), "chunks");
  add(!record.dump.summary_done(), "summary");
  add(record.dump.StatsMissing(), "stats");
  add(!record.has_error, "error");
}

template <class T>
void FillIn(std::optional<T>* value, const std::optional<T>& other) {
  if (!*value) *value = other;
}

// `again` shows the state of `first` once more; its figures are the same, what is around them may say more.
void Merge(const Record& again, Record* first) {
  OomEvent& event = first->event;
  ++event.count;
  first->has_error |= again.has_error;
  first->wants_node_report |= again.wants_node_report;
  first->fixed_pool |= again.fixed_pool;
  first->garbage_collection |= again.garbage_collection;
  FillIn(&event.device, again.event.device);
  FillIn(&event.program, again.event.program);
  FillIn(&event.shape, again.event.shape);
  FillIn(&event.dtype, again.event.dtype);
  FillIn(&event.device_bytes, again.event.device_bytes);
  FillIn(&event.refused, again.event.refused);
  FillIn(&event.program_need, again.event.program_need);
  if (event.by_node.empty()) event.by_node = again.event.by_node;
}

bool SaysTheSame(const Record& a, const Record& b) {
  return a.has_request && b.has_request && a.size->bytes == b.size->bytes &&
         a.event.rounded_bytes == b.event.rounded_bytes && a.request_op == b.request_op &&
         a.dump.Complete() && b.dump.Complete() && a.dump.table() == b.dump.table();
}

using PoolKey = std::tuple<std::optional<std::string>, std::optional<std::string>, std::optional<int64_t>>;
PoolKey KeyOf(const OomEvent& event) { return {event.prefix, event.allocator, event.limit_bytes}; }

OomGrowth Growth(const Dump::Table& before, const Dump::Table& after) {
  std::map<int64_t, int64_t> more;
  OomGrowth growth;
  const auto add = [&](const Dump::Table& table, int64_t sign) {
    for (const auto& [key, count] : table) {
      if (!key.second) continue;
      more[key.first] += sign * count;
      growth.in_use_bytes = SaturatingAdd(growth.in_use_bytes, sign * SaturatingMul(key.first, count));
    }
  };
  add(after, 1);
  add(before, -1);
  for (const auto& [size, count] : more) {
    if (count != 0) growth.sizes.push_back({size, count});
  }
  std::sort(growth.sizes.begin(), growth.sizes.end(), [](const OomGrowth::Size& a, const OomGrowth::Size& b) {
    const auto weight = [](const OomGrowth::Size& s) {
      return std::pair(SaturatingMul(s.size, std::abs(s.count)), s.size);
    };
    return weight(a) > weight(b);
  });
  return growth;
}

// Those that stay, in order.
std::vector<Record*> Merged(std::deque<Record>& records) {
  std::vector<Record*> kept;
  std::map<PoolKey, Record*> latest;
  for (Record& record : records) {
    record.dump.Fill(&record.event);
    record.event.requested_bytes = RequestedBytes(record);
    Record*& before = latest[KeyOf(record.event)];
    if (before != nullptr && SaysTheSame(record, *before)) {
      Merge(record, before);
      continue;
    }
    before = &record;
    kept.push_back(&record);
  }
  return kept;
}

}  // namespace

void Settle(std::deque<Record> records, OomReport* report) {
  std::map<PoolKey, std::pair<size_t, const Record*>> latest;
  for (Record* record : Merged(records)) {
    OomEvent& event = record->event;
    Judge(&event);
    SetHints(*record, &event);
    SetMissing(*record, &event);
    const size_t index = report->events.size();
    if (event.kind == OomKind::kLog) {
      auto& [from, before] = latest[KeyOf(event)];
      if (before != nullptr && before->dump.Complete() && record->dump.Complete()) {
        OomGrowth growth = Growth(before->dump.table(), record->dump.table());
        growth.from = from;
        growth.to = index;
        report->growth.push_back(std::move(growth));
      }
      from = index;
      before = record;
    }
    report->events.push_back(std::move(event));
  }
}

}  // namespace tfprof::oom
