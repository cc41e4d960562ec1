#include "report/oom_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/units.h"

namespace tfprof {
namespace {

std::string Bytes(std::optional<int64_t> bytes) { return bytes ? FormatBinary(*bytes) : "n/a"; }

std::string Chunks(int64_t count, int64_t size) {
  return fmt::format("{} {} of {}", FormatGrouped(count), count == 1 ? "chunk" : "chunks",
                     FormatBinary(size));
}

bool Has(const std::vector<std::string>& list, std::string_view what) {
  return std::find(list.begin(), list.end(), what) != list.end();
}

// The chunks in use with the most bytes; none: there are none.
const OomChunks* LargestHeld(const OomEvent& event) {
  for (const OomChunks& chunks : event.chunks) {
    if (chunks.in_use) return &chunks;
  }
  return nullptr;
}

std::string Unknown(const OomEvent& event) {
  if (event.kind == OomKind::kMemoryDump) {
    return event.pool_bytes ? fmt::format("State of the pool: {} of {} in use, {} free, the largest hole {}.",
                                          Bytes(event.in_use_bytes), Bytes(event.pool_bytes),
                                          Bytes(event.free_bytes), Bytes(event.largest_free_bytes))
                            : "State of a pool, cut short: the file ends before its end.";
  }
  if (event.kind == OomKind::kMessage) {
    return fmt::format(
        "Out of memory: a request of {} failed. The log has no dump of the allocator, so it does not say "
        "why.",
        Bytes(event.requested_bytes));
  }
  std::string why =
      event.missing.empty()
          ? "a block that is large enough was free when the dump was printed: another thread gave it back"
          : fmt::format("the log lacks {}", fmt::join(event.missing, ", "));
  if (!event.missing.empty() && event.evidence.largest && event.evidence.request &&
      *event.evidence.largest >= *event.evidence.request) {
    why = "a block that is large enough was free when the dump was printed: another thread gave it back";
  }
  return fmt::format("Out of memory: a request of {} failed; why cannot be told, {}.",
                     Bytes(event.requested_bytes), why);
}

std::string ByTotals(const OomEvent& event) {
  return event.judged_by == "chunks" || event.judged_by == "limit"
             ? ""
             : " (by the totals; the list of chunks is not complete)";
}

}  // namespace

std::string OomRequestWords(const OomEvent& event) {
  std::string out = Bytes(event.requested_bytes);
  if (event.rounded_bytes && event.rounded_bytes != event.requested_bytes) {
    out += fmt::format(" (rounded to {})", Bytes(event.rounded_bytes));
  }
  if (event.shape)
    out += fmt::format(", {}[{}]", event.dtype.value_or("shape "), fmt::join(*event.shape, ","));
  return out;
}

std::string OomHeadline(const OomEvent& event) {
  const OomEvidence& e = event.evidence;
  switch (event.likely) {
    case OomVerdict::kRequestLargerThanPool:
      return fmt::format(
          "The request is larger than the pool: {} wanted, at most {} there, so {} too much even for an "
          "empty pool.",
          Bytes(e.request), Bytes(e.ceiling), Bytes(event.short_by));
    case OomVerdict::kPoolCouldNotGrow:
      return fmt::format(
          "The pool could not grow{}: {} wanted, its limit of {} allows it, but the device or system had no "
          "more memory{}.",
          ByTotals(event), Bytes(e.request), Bytes(event.limit_bytes),
          event.short_by ? fmt::format("; its largest hole is {} short", Bytes(event.short_by)) : "");
    case OomVerdict::kFragmented:
      if (!e.largest) {
        return fmt::format("Fragmented{}: {} wanted in one piece, {} free in all.", ByTotals(event),
                           Bytes(e.request),
                           Bytes(event.pool_bytes && event.in_use_bytes
                                     ? std::optional(*event.pool_bytes - *event.in_use_bytes)
                                     : std::nullopt));
      }
      return fmt::format(
          "Fragmented: {} wanted in one piece, {} free in all, but the largest hole has {}: {} short.",
          Bytes(e.request), Bytes(e.available), Bytes(e.largest), Bytes(event.short_by));
    case OomVerdict::kTooMuchHeld:
      return fmt::format("Too much is held{}: {} of {} in use, {} wanted, {} short.", ByTotals(event),
                         Bytes(event.in_use_bytes), Bytes(e.ceiling ? e.ceiling : event.pool_bytes),
                         Bytes(e.request), Bytes(event.short_by));
    case OomVerdict::kUnknown:
      break;
  }
  return Unknown(event);
}

namespace {

void AdviseOnVerdict(const OomEvent& event, std::vector<std::string>& out) {
  switch (event.likely) {
    case OomVerdict::kRequestLargerThanPool:
      out.push_back(fmt::format("No freeing helps: make this one tensor smaller by {} or the pool larger.",
                                Bytes(event.short_by)));
      if (event.shape && !event.shape->empty()) {
        const double part =
            static_cast<double>(*event.evidence.ceiling) / static_cast<double>(*event.evidence.request);
        const double first = std::floor(static_cast<double>((*event.shape)[0]) * part);
        out.push_back(
            first >= 1 ? fmt::format("With a first dimension of {:.0f} in place of {} it fits an empty pool.",
                                     first, (*event.shape)[0])
                       : "Even with a first dimension of 1 it does not fit an empty pool.");
      }
      break;
    case OomVerdict::kPoolCouldNotGrow:
      out.push_back(
          "Look who else uses the device or the machine (nvidia-smi, top): the allocator was refused what "
          "its limit "
          "allows. Or lower the limit, so that it fails early.");
      break;
    case OomVerdict::kFragmented:
      if (event.obstacle) {
        out.push_back(fmt::format(
            "{} in use ({}) in region {} stand between free blocks: without them there is a hole of "
            "{}.",
            FormatGrouped(event.obstacle->chunks) + (event.obstacle->chunks == 1 ? " chunk" : " chunks"),
            Bytes(event.obstacle->bytes), event.obstacle->region + 1, Bytes(event.obstacle->hole_bytes)));
      }
      out.emplace_back(
          "Allocate what lives long before what lives short, keep shapes the same from step to step, or free "
          "in the "
          "order of allocation.");
      break;
    case OomVerdict::kTooMuchHeld:
      if (const OomChunks* held = LargestHeld(event)) {
        const int64_t missing = event.short_by.value_or(0), size = std::max<int64_t>(held->size, 0);
        const int64_t go = size > 0 ? missing / size + (missing % size > 0 ? 1 : 0) : 0;  // rounded up
        out.push_back(fmt::format(
            "Most is held by {} ({}){}.", Chunks(held->count, held->size), Bytes(held->bytes),
            go > 0 && go <= held->count
                ? fmt::format("; at least {} of them {} to go", FormatGrouped(go), go == 1 ? "has" : "have")
                : ""));
      }
      break;
    case OomVerdict::kUnknown:
      break;
  }
}

void AdviseOnHints(const OomEvent& event, std::vector<std::string>& out) {
  if (Has(event.hints, "cuda_malloc_async")) {
    out.emplace_back(
        "TF_GPU_ALLOCATOR=cuda_malloc_async in the environment uses an allocator that moves less room away.");
  }
  if (Has(event.hints, "fixed_pool")) {
    out.emplace_back(
        "The pool has a fixed size: XLA_PYTHON_CLIENT_MEM_FRACTION (0.75 of the device by default) sets it, "
        "XLA_PYTHON_CLIENT_PREALLOCATE=false lets it grow.");
  }
  if (Has(event.hints, "device_larger_than_pool")) {
    out.push_back(fmt::format("The device has {}, the pool may have {}: raise the memory limit or fraction.",
                              Bytes(event.device_bytes), Bytes(event.limit_bytes)));
  }
  if (event.refused) {
    out.push_back(fmt::format(
        "The device itself refused memory {} (line {}{}): something else uses it.",
        event.refused->count == 1 ? "once" : fmt::format("{} times", event.refused->count),
        event.refused->line, event.refused->bytes ? ", the least " + Bytes(event.refused->bytes) : ""));
  }
  if (event.program_need) {
    out.push_back(fmt::format(
        "The compiler could not bring the program below {} (line {}), it aimed at {}: no recomputation "
        "of its own saves that, the shapes have to shrink.",
        Bytes(event.program_need->reduced_to_bytes), event.program_need->line,
        Bytes(event.program_need->limit_bytes)));
  }
  if (Has(event.hints, "garbage_collection")) {
    out.emplace_back("The allocator gave back unused regions before it gave up; that did not help.");
  }
  if (Has(event.hints, "report_tensor_allocations")) {
    out.emplace_back(
        "Run again with report_tensor_allocations_upon_oom=True in RunOptions (not in eager mode): the log "
        "then says who "
        "holds what, by node.");
  }
}

}  // namespace

std::vector<std::string> OomAdvice(const OomEvent& event) {
  std::vector<std::string> out;
  AdviseOnVerdict(event, out);
  AdviseOnHints(event, out);
  if (event.kind == OomKind::kMessage) {
    out.emplace_back(
        "The dump goes to standard error at the same time as the message: keep that too (python train.py "
        "2>&1 | tee "
        "log), with TF_CPP_MIN_LOG_LEVEL not above 0.");
  }
  return out;
}

std::string OomPicture(const OomRegion& region, int64_t largest_region, size_t width) {
  double seen = 0;
  for (const OomRun& run : region.runs) seen += static_cast<double>(run.bytes);
  const double total = std::max(seen, static_cast<double>(region.size));
  if (seen <= 0 || largest_region <= 0) return "";
  const double share = static_cast<double>(region.size) / static_cast<double>(largest_region);
  const size_t cells =
      std::clamp<size_t>(static_cast<size_t>(share * static_cast<double>(width) + 0.5), 1, width);
  const double cell = total / static_cast<double>(cells);
  std::string out;
  size_t run = 0;
  double begin = 0;  // of the run
  for (size_t i = 0; i < cells; ++i) {
    const double from = cell * static_cast<double>(i), to = from + cell;
    double used = 0, free = 0;
    for (;; ++run) {
      const double end = begin + static_cast<double>(region.runs[run].bytes);
      const double part = std::min(end, to) - std::max(begin, from);
      (region.runs[run].in_use ? used : free) += std::max(part, 0.0);
      if (end >= to || run + 1 == region.runs.size()) break;
      begin = end;
    }
    const double little = 0.02 * cell;
    out += used + free <= 0.5 * cell ? '?' : used <= little ? '.' : free <= little ? '#' : '+';
  }
  return out;
}

}  // namespace tfprof
