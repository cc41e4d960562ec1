#include "import/step_record.h"

#include <algorithm>

#include "base/checked.h"
#include "import/allocation_record.h"
#include "model/device.h"
#include "proto/node_def.h"

namespace tfprof {
namespace {

class Decoder {
 public:
  Decoder(bool executions, StepBatch* batch, StepRecord* record)
      : executions_(executions), batch_(batch), record_(record), memory_(&record->memory) {}

  void Run();

 private:
  void DecodeAllocator(protozero::pbf_reader allocator);
  void DecodeOutput(protozero::pbf_reader output);
  void DecodeTensor(protozero::pbf_reader tensor, OutputRecord* out);
  void DecodeMemoryStats(protozero::pbf_reader stats);
  void AddTo(int64_t* sum, int64_t number) { *sum = SaturatingAdd(*sum, number, &record_->saturated); }

  bool executions_;
  StepBatch* batch_;
  StepRecord* record_;
  MemoryRecord* memory_;
  bool described_ = false;  // the output at hand says what it takes
};

void Decoder::DecodeAllocator(protozero::pbf_reader allocator) {
  AllocatorRecord out;
  out.use.allocations_begin = static_cast<uint32_t>(batch_->allocations.size());
  memory_->present = true;
  while (allocator.next()) {
    switch (allocator.tag_and_type()) {
      case BytesTag(1):
        out.name = View(allocator.get_view());
        break;
      case VarintTag(2):
        AddTo(&memory_->total, allocator.get_int64());
        break;
      case VarintTag(3):
        AddTo(&memory_->peak, allocator.get_int64());
        break;
      case VarintTag(4):
        AddTo(&memory_->live, allocator.get_int64());
        break;
      case VarintTag(5):
        out.use.in_use_bytes = allocator.get_int64();
        break;
      case BytesTag(6):
        if (executions_) {
          batch_->allocations.push_back(ReadAllocation(allocator.get_message()));
        } else {
          allocator.skip();
        }
        break;
      default:
        allocator.skip();
    }
  }
  if (!executions_) return;
  out.use.on_accelerator = out.name && KindOfAllocator(*out.name) != DeviceKind::kCpu;
  out.use.allocations_end = static_cast<uint32_t>(batch_->allocations.size());
  batch_->allocators.push_back(out);
}

void Decoder::DecodeTensor(protozero::pbf_reader tensor, OutputRecord* out) {
  while (tensor.next()) {
    switch (tensor.tag_and_type()) {
      case VarintTag(1):
        out->memory.dtype = tensor.get_int32();
        break;
      case BytesTag(2):
        out->shape = View(tensor.get_view());
        break;
      case BytesTag(4): {
        protozero::pbf_reader description = tensor.get_message();
        int64_t requested = 0, allocated = 0;
        while (description.next()) {
          switch (description.tag_and_type()) {
            case VarintTag(1):
              requested = description.get_int64();
              break;
            case VarintTag(2):
              allocated = description.get_int64();
              break;
            case VarintTag(6):
              out->memory.address = description.get_uint64();
              break;
            default:
              description.skip();
          }
        }
        described_ = true;
        out->memory.bytes = std::max(requested, allocated);
        break;
      }
      default:
        tensor.skip();
    }
  }
}

void Decoder::DecodeOutput(protozero::pbf_reader output) {
  OutputRecord out;
  described_ = false;
  while (output.next()) {
    if (output.tag_and_type() == VarintTag(1)) {
      out.memory.slot = output.get_int32();
    } else if (output.tag_and_type() == BytesTag(3)) {
      DecodeTensor(output.get_message(), &out);
    } else {
      output.skip();
    }
  }
  if (!described_) return;
  memory_->present = true;
  AddTo(&memory_->output, out.memory.bytes);
  if (!executions_) return;
  if (out.shape) ShapeDims dims(*out.shape);  // throws here, before anything of the record counts
  batch_->outputs.push_back(out);
}

void Decoder::DecodeMemoryStats(protozero::pbf_reader stats) {
  memory_->present = true;
  while (stats.next()) {
    if (stats.tag_and_type() == VarintTag(1)) {
      memory_->temp = stats.get_int64();
    } else if (stats.tag_and_type() == VarintTag(3)) {
      memory_->persistent = stats.get_int64();
    } else {
      stats.skip();
    }
  }
}

// What stands for the op type in `[cpu 1.2MB] name = Type(inputs)`; "" where the label has another form.
std::string_view OpBehindName(std::string_view label, std::string_view name) {
  if (const size_t bracket = label.starts_with('[') ? label.find("] ") : std::string_view::npos;
      bracket != std::string_view::npos)
    label.remove_prefix(bracket + 2);
  if (!label.starts_with(name)) return {};
  label.remove_prefix(name.size());
  if (!label.starts_with(" = ")) return {};
  label.remove_prefix(3);
  const size_t open = label.find('(');
  return open == std::string_view::npos ? std::string_view() : label.substr(0, open);
}

void Decoder::Run() {
  StepRecord& record = *record_;
  record.outputs_begin = static_cast<uint32_t>(batch_->outputs.size());
  record.allocators_begin = static_cast<uint32_t>(batch_->allocators.size());
  protozero::pbf_reader reader = Reader(record.source);
  while (reader.next()) {
    switch (reader.tag_and_type()) {
      case BytesTag(1):
        record.name = View(reader.get_view());
        break;
      case VarintTag(2):
        record.start = reader.get_int64();
        break;
      case VarintTag(4):
        record.op_end = reader.get_int64();
        break;
      case BytesTag(6):
        DecodeAllocator(reader.get_message());
        break;
      case BytesTag(7):
        DecodeOutput(reader.get_message());
        break;
      case BytesTag(8):
        record.label = View(reader.get_view());
        break;
      case BytesTag(12):
        DecodeMemoryStats(reader.get_message());
        break;
      case VarintTag(13):
        record.start_nanos = reader.get_int64();
        break;
      case VarintTag(15):
        record.op_end_nanos = reader.get_int64();
        break;
      default:
        reader.skip();
    }
  }
  record.name = record.name.substr(0, record.name.find(':'));
  record.op = OpBehindName(record.label, record.name);
  record.outputs_end = static_cast<uint32_t>(batch_->outputs.size());
  record.allocators_end = static_cast<uint32_t>(batch_->allocators.size());
}

}  // namespace

void StepBatch::Clear() {
  records.clear();
  outputs.clear();
  allocators.clear();
  allocations.clear();
}

void DecodeStepRecord(std::string_view stats, bool executions, StepBatch* batch) {
  StepRecord& record = batch->records.emplace_back();
  record.source = stats;
  Decoder(executions, batch, &record).Run();
}

void DecodeStepBatch(bool executions, const StringPool& names, StepBatch* batch) {
  for (StepRecord& record : batch->records) {
    record.damaged = !Survives([&] { Decoder(executions, batch, &record).Run(); });
  }
  batch->names.Find(names, &StepRecord::name, &StepRecord::known_name, &batch->records);
}

}  // namespace tfprof
