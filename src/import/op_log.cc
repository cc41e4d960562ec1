#include "import/op_log.h"

#include <algorithm>
#include <vector>

#include "import/code_def.h"
#include "import/records_ahead.h"
#include "import/sniff.h"

namespace tfprof {
namespace {

struct EntryRecord {
  std::string_view source;
  std::string_view name, code_def;
  StringId known_name, known_code_def;  // none: was not known when the entry was decoded
  int64_t float_ops = kNotRecorded;
  uint32_t types_begin = 0, types_end = 0;  // of the batch
  bool damaged = false;
};

struct EntryBatch {
  std::vector<EntryRecord> records;
  std::vector<std::string_view> types;
  FoundTexts names, code_defs;

  void Clear() {
    records.clear();
    types.clear();
  }
};

// Throws on malformed bytes.
void DecodeEntry(EntryRecord* entry, EntryBatch* batch) {
  entry->types_begin = static_cast<uint32_t>(batch->types.size());
  protozero::pbf_reader reader = Reader(entry->source);
  while (reader.next()) {
    switch (reader.tag_and_type()) {
      case BytesTag(1):
        entry->name = View(reader.get_view());
        break;
      case VarintTag(2):
        entry->float_ops = reader.get_int64();
        break;
      case BytesTag(3):
        batch->types.push_back(View(reader.get_view()));
        break;
      case BytesTag(4):
        entry->code_def = View(reader.get_view());
        break;
      default:
        reader.skip();
    }
  }
  entry->types_end = static_cast<uint32_t>(batch->types.size());
}

class OpLogReader {
 public:
  OpLogReader(const WireFile& file, ProfileBuilder& builder)
      : size_(file.bytes.size()),
        builder_(builder),
        stacks_(builder),
        names_(&builder.profile().strings),
        code_defs_(&stacks_.code_defs()),
        ahead_(file.bytes, FieldsOf(file.bytes, 1), [this](EntryBatch* batch) { Decode(batch); }) {}

  CodeDefReader& stacks() { return stacks_; }

  Status ReadEntry(std::string_view bytes) {
    if (const EntryRecord* entry = ahead_.Find(bytes)) {
      if (!expects_) stacks_.Expect(std::min(ahead_.AboutAll(size_), builder_.profile().size()));
      expects_ = true;
      return Apply(*entry, *ahead_.batch());
    }
    own_.Clear();
    own_.records.emplace_back().source = bytes;
    DecodeEntry(&own_.records.back(), &own_);
    return Apply(own_.records.back(), own_);
  }

 private:
  void Decode(EntryBatch* batch) {
    auto& records = batch->records;
    for (EntryRecord& entry : records) {
      entry.damaged = !Survives([&] { DecodeEntry(&entry, batch); });
    }
    batch->names.Find(builder_.profile().strings, &EntryRecord::name, &EntryRecord::known_name, &records);
    batch->code_defs.Find(stacks_.code_defs(), &EntryRecord::code_def, &EntryRecord::known_code_def,
                          &records);
  }

  Status Apply(const EntryRecord& entry, const EntryBatch& batch) {
    const NodeId node = builder_.FindNode(entry.name, entry.known_name);
    if (!node) {
      builder_.Count("op log entries without a node");
      return {};
    }
    if (entry.float_ops != kNotRecorded) builder_.profile().float_ops[node] = entry.float_ops;
    for (uint32_t i = entry.types_begin; i < entry.types_end; ++i) {
      Result<StringId> id = builder_.Text(batch.types[i], "an op type");
      if (!id) return id.error();
      builder_.AddType(node, *id);
    }
    if (!entry.code_def.empty()) stacks_.Add(node, entry.code_def, entry.known_code_def);
    return {};
  }

  size_t size_;  // of the file
  bool expects_ = false;
  ProfileBuilder& builder_;
  CodeDefReader stacks_;
  EntryBatch own_;                         // of an entry that is damaged
  StringPool::Sharing names_, code_defs_;  // with those who decode ahead
  RecordsAhead<EntryBatch> ahead_;
};

}  // namespace

bool IsOpLog(std::string_view bytes) {
  return AllFields(bytes, [](const Field& f) {
    if (!f.is_bytes()) return false;
    if (f.number == 2) return AllFields(f.bytes, IsStringEntry);
    return f.number == 1 && AllFields(f.bytes, [](const Field& e) {
             if (e.number == 1) return e.is_bytes() && IsName(e.bytes);
             return e.number == 2 ? e.is_varint() : e.is_bytes() && e.number <= 4;
           });
  });
}

std::span<const Lack> WithoutOpLog() {
  static constexpr Lack kLacks[] = {
      {[](const Profile& profile, const Coverage&) { return !profile.has_op_log && !profile.capture; },
       "op log", "the code view, float ops, _trainable_variables",
       "tf.compat.v1.profiler.write_op_log(graph, log_dir, add_trace=True) writes tfprof_log"},
      {[](const Profile& profile, const Coverage& coverage) {
         return profile.has_op_log && coverage.with_stack == 0;
       },
       "call stacks", "the code view", "tf.compat.v1.profiler.write_op_log(graph, log_dir, add_trace=True)"}};
  return kLacks;
}

Status ImportOpLog(const WireFile& file, ProfileBuilder& builder) {
  OpLogReader reader(file, builder);
  builder.profile().has_op_log = true;
  Status entries = ForEachField(file, file.bytes, builder, "op log entry", [&](const Field& field) -> Status {
    if (!field.is_bytes()) return {};
    if (field.number == 2) return reader.stacks().AddString(field.bytes);
    return field.number == 1 ? reader.ReadEntry(field.bytes) : Status();
  });
  if (!entries) return entries;
  return reader.stacks().Finish();  // the strings stand behind the entries that use them
}

}  // namespace tfprof
