#include "oom/log_reader.h"

#include <algorithm>

#include "base/checked.h"
#include "base/text.h"
#include "oom/line.h"
#include "oom/utf8.h"

namespace tfprof::oom {
namespace {

using Kind = DumpLine::Kind;

std::optional<std::string> TextOrNone(std::string_view text) {
  return text.empty() ? std::nullopt : std::optional(std::string(text));
}

// Sizes are compared as bytes; one that is exact also agrees with one that lost its digits.
bool SameSize(const Record::Request& a, const Size& b) {
  if (a.bytes == b.bytes) return true;
  if (a.uncertainty > 0 && b.uncertainty > 0) return false;
  return std::max(a.bytes, b.bytes) - std::min(a.bytes, b.bytes) <= a.uncertainty + b.uncertainty;
}

bool IsNode(const std::string& op, std::string_view node) {
  return op == node ||
         (op.size() > node.size() && op.ends_with(node) && op[op.size() - node.size() - 1] == '/');
}

}  // namespace

LogReader::Place LogReader::Locate(std::string_view line, int64_t number) {
  Place place;
  place.line = number;
  const Header header = FindHeader(line);
  const size_t begin = header.found ? header.begin : FindRequest(line);
  const bool has_prefix = begin != std::string_view::npos;
  if (has_prefix && !IsProgressBar(line.substr(0, begin))) {
    place.text = line.substr(0, begin);
    place.prefix = prefixes_.Seen(place.text);
  } else {
    size_t length = 0;
    place.prefix = prefixes_.Longest(line, &length);
    place.text = line.substr(0, length);
  }
  if (header.found) {
    place.thread = header.thread;
    if (place.prefix != nullptr) place.prefix->last_thread = header.thread;
  } else if (place.prefix != nullptr) {
    place.thread = place.prefix->last_thread;
  }
  place.body = line.substr(header.found ? header.end : has_prefix ? begin : place.text.size());
  DropBlanks(&place.body);
  return place;
}

Prefix& LogReader::GetPrefix(Place& place) {
  if (place.prefix == nullptr) place.prefix = prefixes_.Get(place.text);
  return *place.prefix;
}

LogReader::Stream* LogReader::FindStream(const Place& place) {
  if (place.prefix == nullptr) return nullptr;
  const auto at = streams_.find({place.prefix, place.thread});
  return at == streams_.end() ? nullptr : &at->second;
}

LogReader::Stream& LogReader::GetStream(Place& place) {
  if (Stream* stream = FindStream(place)) return *stream;
  if (streams_.size() >= kMostStreams) return spare_ = Stream();  // of a log that was made to be hostile
  return streams_[{&GetPrefix(place), place.thread}];
}

Record* LogReader::NewRecord(OomKind kind, Place& place) {
  if (records_.size() >= kMostRecords) return nullptr;
  Prefix& prefix = GetPrefix(place);
  Stream& stream = GetStream(place);
  const size_t index = records_.size();
  Record& record = records_.emplace_back(budget_);
  record.event.file = file_;
  record.event.kind = kind;
  record.event.line = place.line;
  record.event.prefix = TextOrNone(WithoutBlanksBehind(place.text));
  record.event.device_bytes = prefix.device_bytes;
  record.event.refused = prefix.refused;
  record.event.program_need = prefix.program_need;
  record.garbage_collection = prefix.garbage_collection;
  prefix.events.push_back(index);
  stream.latest = index;
  if (kind == OomKind::kLog) stream.open = stream.latest_dump = index;
  return &record;
}

void LogReader::HeaderLine(std::string_view text) {
  if (!IsValidUtf8(text)) text = repaired_ = ReplaceInvalidUtf8(text);
  Locate(WithoutTimeStamp(text), 0);
}

void LogReader::Line(std::string_view text, int64_t number, bool cut) {
  if (!IsValidUtf8(text)) text = repaired_ = ReplaceInvalidUtf8(text);
  Place place = Locate(WithoutTimeStamp(text), number);
  if (Stream* stream = FindStream(place); stream != nullptr && TakeListLine(*stream, place, cut)) return;
  const DumpLine line = ReadDumpLine(place.body);
  const bool whole =
      line.kind == Kind::kRequest || line.kind == Kind::kLateRequest || line.kind == Kind::kDumpFor;
  if (line.kind == Kind::kNone) {
    TakeErrorLine(place);
  } else if (!cut || whole) {  // of a line that was cut the figures may be cut
    TakeDumpLine(line, place);
  }
}

bool LogReader::TakeListLine(Stream& stream, const Place& place, bool cut) {
  if (stream.list_of == kNone) return false;
  const UsageLine line = ReadUsageLine(place.body);
  if (line.kind == UsageLine::Kind::kNone) {
    CloseList(stream);
    return false;
  }
  OomNodeList& list = records_[stream.list_of].event.by_node[stream.list];
  if (cut) return true;
  if (line.kind == UsageLine::Kind::kNode && budget_->Spend()) {
    list.nodes.push_back({std::string(line.node), line.bytes});
  } else {  // also those for which there is no room
    list.remaining_nodes =
        SaturatingAdd(list.remaining_nodes, line.kind == UsageLine::Kind::kNode ? 1 : line.nodes);
    list.remaining_bytes = SaturatingAdd(list.remaining_bytes, line.bytes);
  }
  return true;
}

void LogReader::CloseList(Stream& stream) {
  if (stream.list_of != kNone) --open_lists_;
  stream.list_of = kNone;
}

// ---- dumps

void LogReader::TakeDumpLine(const DumpLine& line, Place& place) {
  switch (line.kind) {
    case Kind::kRequest:
    case Kind::kLateRequest:
      return TakeRequest(line, place);
    case Kind::kDumpFor:
      return TakeDumpHead(line, place);
    case Kind::kStatsBegin:
    case Kind::kStat:
    case Kind::kPicture:
      return TakeStats(line, place);
    default:
      break;
  }
  Record* record = OpenDump(place);
  if (record == nullptr) return;
  Dump& dump = record->dump;
  if (line.kind == Kind::kRegion) dump.AddRegion(line.bytes);
  if (line.kind == Kind::kChunk) dump.AddChunk(line.in_use, line.address, line.bytes, line.holder);
  if (line.kind == Kind::kSummaryBegins) dump.BeginSummary();
  if (line.kind == Kind::kSummaryRow) dump.AddRow(line.bytes, line.count);
  if (line.kind == Kind::kSummaryDone) dump.EndSummary();
  if (line.kind == Kind::kPool) dump.SetPool(line);
  if (line.kind == Kind::kFixedPool) record->fixed_pool = true;
}

Record* LogReader::OpenDump(Place& place) {
  if (Stream* stream = FindStream(place); stream != nullptr && stream->open != kNone)
    return &records_[stream->open];
  return NewRecord(OomKind::kLog, place);
}

void LogReader::TakeRequest(const DumpLine& line, Place& place) {
  if (line.not_a_failure) {
    ++not_failures_;
    return;
  }
  Stream* stream = FindStream(place);
  Record* latest =
      stream != nullptr && stream->latest_dump != kNone ? &records_[stream->latest_dump] : nullptr;
  const bool late = line.kind == Kind::kLateRequest;
  if (line.repeats && latest != nullptr && latest->size && latest->size->bytes == line.size.bytes &&
      (late || latest->event.allocator == line.name)) {
    return;
  }
  Record* record =
      late && latest != nullptr && !latest->has_request ? latest : NewRecord(OomKind::kLog, place);
  if (record == nullptr) {
    ++left_out_;
    if (stream != nullptr) stream->open = kNone;
    return;
  }
  record->has_request = true;
  record->size = {line.size.bytes, line.size.uncertainty};
  record->event.rounded_bytes = line.rounded;
  record->request_op = line.op;
  if (!record->event.op) record->event.op = TextOrNone(line.op);
  if (late) {
    GetStream(place).open = kNone;
  } else {
    record->event.allocator = TextOrNone(line.name);
  }
}

void LogReader::TakeDumpHead(const DumpLine& line, Place& place) {
  Stream* stream = FindStream(place);
  Record* record = stream != nullptr && stream->open != kNone ? &records_[stream->open] : nullptr;
  if (record == nullptr || record->dump.HasChunksOrRows()) record = NewRecord(OomKind::kLog, place);
  if (record != nullptr && !record->event.allocator) record->event.allocator = TextOrNone(line.name);
}

void LogReader::TakeStats(const DumpLine& line, Place& place) {
  Stream* stream = FindStream(place);
  if (stream == nullptr || stream->open == kNone) return;
  Dump& dump = records_[stream->open].dump;
  if (line.kind == Kind::kStatsBegin) dump.BeginStats();
  if (line.kind == Kind::kStat) dump.SetStat(line.name, line.size);
  if (line.kind == Kind::kPicture) stream->open = kNone;
}

// ---- errors

void LogReader::TakeErrorLine(Place& place) {
  if (const std::optional<ErrorMessage> error = FindError(place.body)) TakeError(*error, place);
  if (const std::string_view node = FindNode(place.body); !node.empty()) TakeNode(node, place);
  TakeListHead(place);
  if (Record* current = Current(place)) {
    if (place.body.starts_with("Hint: If you want to see a list of allocated tensors")) {
      current->wants_node_report = true;
    }
    if (const std::string_view name = FindCallOp(place.body); !name.empty()) {
      std::optional<std::string>& where =
          name.starts_with("__inference_") ? current->event.program : current->event.op;
      if (!where) where = std::string(name);
    }
  }
  TakeNotes(place);
}

Record* LogReader::Current(const Place& place) {
  const Stream* stream = FindStream(place);
  return stream == nullptr || stream->current == kNone ? nullptr : &records_[stream->current];
}

// The event that an error line is about; a new one where it is about none that is known.
size_t LogReader::ErrorOwner(const ErrorMessage& error, Place& place) {
  Prefix& prefix = GetPrefix(place);
  const Stream* stream = FindStream(place);
  size_t latest = stream != nullptr ? stream->latest : kNone;
  if (latest == kNone && !prefix.events.empty()) latest = prefix.events.back();
  if (latest != kNone) {
    Record& record = records_[latest];
    const bool says_nothing = !error.shape && !error.size;  // it is about what was just said
    const bool allocator =
        error.allocator.empty() || !record.event.allocator || record.event.allocator == error.allocator;
    const bool size = !error.size || !record.size || SameSize(*record.size, *error.size);
    if (says_nothing || (!record.has_error && allocator && size) || record.identity == error.identity)
      return latest;
  }
  if (const auto same = prefix.by_error.find(error.identity); same != prefix.by_error.end()) {
    return same->second;
  }
  if (NewRecord(OomKind::kMessage, place) != nullptr) return records_.size() - 1;
  ++left_out_;
  return kNone;
}

void LogReader::TakeError(const ErrorMessage& error, Place& place) {
  const size_t index = ErrorOwner(error, place);
  if (index == kNone) return;
  Record* record = &records_[index];
  GetStream(place).current = index;
  if (record->has_error) return;
  record->has_error = true;
  record->identity = error.identity;
  size_t& with_same = GetPrefix(place).by_error[error.identity];
  with_same = std::max(with_same, index);
  OomEvent& event = record->event;
  event.shape = error.shape;
  event.dtype = TextOrNone(error.dtype);
  event.device = TextOrNone(error.device);
  if (!event.program) event.program = TextOrNone(error.program);
  if (!event.allocator) event.allocator = TextOrNone(error.allocator);
  if (!error.size) return;
  if (!record->size) {
    record->size = {error.size->bytes, error.size->uncertainty};
  } else if (error.size->uncertainty == 0 && record->size->bytes != error.size->bytes) {
    record->exact_bytes = error.size->bytes;
  }
}

void LogReader::TakeNode(std::string_view node, Place& place) {
  Record* current = Current(place);
  if (current == nullptr) return;
  if (!current->event.op) {
    current->event.op = std::string(node);
    return;
  }
  if (IsNode(*current->event.op, node)) return;
  const std::vector<size_t>& events = GetPrefix(place).events;
  const size_t oldest = events.size() > 1000 ? events.size() - 1000 : 0;
  size_t found = kNone;
  for (size_t i = events.size(); i > oldest && found == kNone; --i) {
    const std::optional<std::string>& op = records_[events[i - 1]].event.op;
    if (op && IsNode(*op, node)) found = events[i - 1];
  }
  GetStream(place).current = found;
}

void LogReader::TakeListHead(Place& place) {
  std::string_view device, allocator;
  Record* current = Current(place);
  if (current == nullptr || !ReadUsageHead(place.body, &device, &allocator)) return;
  for (const OomNodeList& list : current->event.by_node) {
    if (list.device == device && list.allocator == allocator) return;  // printed again
  }
  Stream& stream = GetStream(place);
  CloseList(stream);
  if (!budget_->Spend()) return;
  current->event.by_node.push_back({std::string(device), std::string(allocator), {}, 0, 0});
  stream.list_of = stream.current;
  stream.list = current->event.by_node.size() - 1;
  ++open_lists_;
}

// What holds for all events that come later.
void LogReader::TakeNotes(Place& place) {
  if (place.body.starts_with("Garbage collection: deallocate free memory regions")) {
    GetPrefix(place).garbage_collection = true;
  }
  if (const std::optional<int64_t> bytes = FindDeviceMemory(place.body))
    GetPrefix(place).device_bytes = bytes;
  if (const std::optional<Refusal> refusal = FindRefusal(place.body)) {
    std::optional<OomRefusal>& refused = GetPrefix(place).refused;
    if (!refused) refused.emplace();
    refused->line = place.line;
    ++refused->count;
    if (refusal->bytes) refused->bytes = std::min(refused->bytes.value_or(*refusal->bytes), *refusal->bytes);
  }
  if (const std::optional<ProgramNeed> need = FindProgramNeed(place.body)) {
    GetPrefix(place).program_need = OomProgramNeed{place.line, need->limit, need->reduced_to};
  }
}

}  // namespace tfprof::oom
