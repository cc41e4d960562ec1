#include "import/xplane/hlo.h"

#include <algorithm>
#include <iterator>

#include "import/xplane/wire.h"

namespace tfprof::xplane {
namespace {

struct Known {
  std::string_view name;
  Opcode opcode;
};

// What has a rule of its own; kElementwise counts integers too.
constexpr Known kOpcodes[] = {
    {"parameter", Opcode::kParameter},
    {"constant", Opcode::kNoWork},
    {"tuple", Opcode::kTuple},
    {"get-tuple-element", Opcode::kGetTupleElement},
    {"bitcast", Opcode::kBitcast},
    {"after-all", Opcode::kNoWork},
    {"add-dependency", Opcode::kNoWork},
    {"partition-id", Opcode::kNoWork},
    {"replica-id", Opcode::kNoWork},
    {"opt-barrier", Opcode::kNoWork},
    {"domain", Opcode::kNoWork},
    {"copy", Opcode::kCopy},
    {"copy-start", Opcode::kCopy},
    {"slice", Opcode::kSlice},
    {"dynamic-slice", Opcode::kSlice},
    {"dynamic-update-slice", Opcode::kSlice},
    {"broadcast", Opcode::kBroadcast},
    {"concatenate", Opcode::kConcatenate},
    {"fusion", Opcode::kFusion},
    {"call", Opcode::kCall},
    {"async-start", Opcode::kAsyncStart},
    {"while", Opcode::kWhile},
    {"conditional", Opcode::kConditional},
    {"custom-call", Opcode::kCustomCall},
    {"dot", Opcode::kDot},
    {"convolution", Opcode::kConvolution},
    {"reduce", Opcode::kReduce},
    {"reduce-window", Opcode::kReduceWindow},
    {"map", Opcode::kMap},
    {"scatter", Opcode::kScatter},
    {"select-and-scatter", Opcode::kSelectAndScatter},
    {"fft", Opcode::kFft},
    {"cholesky", Opcode::kSolver},
    {"triangular-solve", Opcode::kSolver},
    {"abs", Opcode::kElementwise},
    {"add", Opcode::kElementwise},
    {"and", Opcode::kElementwise},
    {"ceil", Opcode::kElementwise},
    {"clamp", Opcode::kElementwise},
    {"count-leading-zeros", Opcode::kElementwise},
    {"compare", Opcode::kElementwise},
    {"complex", Opcode::kElementwise},
    {"convert", Opcode::kElementwise},
    {"divide", Opcode::kElementwise},
    {"floor", Opcode::kElementwise},
    {"imag", Opcode::kElementwise},
    {"is-finite", Opcode::kElementwise},
    {"maximum", Opcode::kElementwise},
    {"minimum", Opcode::kElementwise},
    {"multiply", Opcode::kElementwise},
    {"negate", Opcode::kElementwise},
    {"not", Opcode::kElementwise},
    {"or", Opcode::kElementwise},
    {"popcnt", Opcode::kElementwise},
    {"real", Opcode::kElementwise},
    {"reduce-precision", Opcode::kElementwise},
    {"remainder", Opcode::kElementwise},
    {"round-nearest-afz", Opcode::kElementwise},
    {"round-nearest-even", Opcode::kElementwise},
    {"select", Opcode::kElementwise},
    {"sign", Opcode::kElementwise},
    {"stochastic-convert", Opcode::kElementwise},
    {"subtract", Opcode::kElementwise},
    {"xor", Opcode::kElementwise},
};

}  // namespace

Opcode OpcodeOf(std::string_view name) {
  const auto* found = std::ranges::find(kOpcodes, name, &Known::name);
  if (found != std::end(kOpcodes)) return found->opcode;
  if (name.ends_with("-done") || name.ends_with("-update")) return Opcode::kNoWork;
  return name.starts_with("shift-") ? Opcode::kElementwise : Opcode::kOther;
}

// Ids as the file has them, until all rows are known.
struct HloModule::Unresolved {
  std::vector<uint64_t> links;  // beside links_: operands and called computations
  std::vector<uint64_t> roots;  // per computation
  std::vector<std::string_view> schedules;
  uint64_t entry = 0;
};

HloModule::HloModule(std::string_view bytes, StringPool& strings, ShapePool& shapes, HloForm form)
    : strings_(strings), shapes_(shapes) {
  Unresolved unresolved;
  if (form == HloForm::kModule) {
    ReadModule(bytes, unresolved);
    bytes = {};
  }
  for (Cursor c(bytes); c.Next();) {
    if (c.tag() == Bytes(1)) ReadModule(c.bytes(), unresolved);
    if (c.tag() == Bytes(3)) buffer_assignment_ = c.bytes();
  }
  Resolve(unresolved);
  SumUpBodies();
}

void HloModule::ReadModule(std::string_view message, Unresolved& unresolved) {
  for (Cursor c(message); c.Next();) {
    switch (c.tag()) {
      case Bytes(1):
        name_ = c.bytes();
        break;
      case Bytes(3):
        ReadComputation(c.bytes(), unresolved);
        break;
      case Varint(6):
        unresolved.entry = c.value();
        break;
      case Bytes(7):
        unresolved.schedules.push_back(c.bytes());
        break;
      case Bytes(8):
        aliases_ = c.bytes();
        break;
      case Bytes(17):
        frame_index_ = c.bytes();
        break;
      default:
        break;
    }
  }
}

void HloModule::ReadComputation(std::string_view message, Unresolved& unresolved) {
  Computation computation;
  computation.begin = static_cast<uint32_t>(instructions_.size());
  uint64_t id = 0, root = 0;
  for (Cursor c(message); c.Next();) {
    switch (c.tag()) {
      case Bytes(2):
        ReadInstruction(c.bytes(), unresolved);
        break;
      case Varint(5):
        id = c.value();
        break;
      case Varint(6):
        root = c.value();
        break;
      case Varint(7):
        computation.is_fused = c.value() != 0;
        break;
      default:
        break;
    }
  }
  computation.end = static_cast<uint32_t>(instructions_.size());
  computation_by_id_.Add(id, static_cast<uint32_t>(computations_.size()));
  computations_.push_back(computation);
  unresolved.roots.push_back(root);
}

void HloModule::ReadInstruction(std::string_view message, Unresolved& unresolved) {
  Instruction instruction;
  instruction.message = message;
  instruction.computation = static_cast<uint32_t>(computations_.size());
  std::string_view name, shape, metadata;
  uint64_t id = 0;
  std::vector<uint64_t> called;
  instruction.operands_begin = static_cast<uint32_t>(unresolved.links.size());
  for (Cursor c(message); c.Next();) {
    switch (c.tag() >> 3) {
      case 1:
        name = c.bytes();
        break;
      case 2:
        instruction.opcode_name = c.bytes();
        break;
      case 3:
        shape = c.bytes();
        break;
      case 7:
        metadata = c.bytes();
        break;
      case 9:
      case 13:
        instruction.number = c.value() <= 0x7FFFFFFF ? static_cast<uint32_t>(c.value()) : 0;
        break;
      case 11:
        instruction.fusion_kind = c.bytes();
        break;
      case 28:
        instruction.custom_call_target = c.bytes();
        break;
      case 35:
        id = c.value();
        break;
      case 36:
        ForEachNumber(c, [&](uint64_t n) { unresolved.links.push_back(n); });
        break;
      case 38:
        ForEachNumber(c, [&](uint64_t n) { called.push_back(n); });
        break;
      default:
        break;
    }
  }
  instruction.operands_end = instruction.called_begin = static_cast<uint32_t>(unresolved.links.size());
  unresolved.links.insert(unresolved.links.end(), called.begin(), called.end());
  instruction.called_end = static_cast<uint32_t>(unresolved.links.size());
  instruction.opcode = OpcodeOf(instruction.opcode_name);
  instruction.name = strings_.Intern(name);
  instruction.shape = shapes_.Intern(shape);
  for (Cursor c(metadata); c.Next();) {
    switch (c.tag()) {
      case Bytes(1):
        instruction.op_type = c.bytes();
        break;
      case Bytes(2):
        instruction.op_name = c.bytes();
        break;
      case Bytes(3):
        instruction.source_file = c.bytes();
        break;
      case Varint(4):
        instruction.source_line = static_cast<int32_t>(c.value());
        break;
      case Varint(15):
        instruction.frame = c.value() <= 0x7FFFFFFF ? static_cast<uint32_t>(c.value()) : 0;
        break;
      default:
        break;
    }
  }
  const auto row = static_cast<uint32_t>(instructions_.size());
  by_name_.try_emplace(instruction.name.value, row);
  by_id_.Add(id, row);
  instructions_.push_back(instruction);
}

// Map entries: computation id -> {1: instruction ids}.
void HloModule::ReadSchedule(std::string_view message) {
  for (Cursor entries(message); entries.Next();) {
    if (entries.tag() != Bytes(1)) continue;
    uint64_t id = 0;
    std::string_view sequence;
    for (Cursor c(entries.bytes()); c.Next();) {
      if (c.tag() == Varint(1)) id = c.value();
      if (c.tag() == Bytes(2)) sequence = c.bytes();
    }
    const uint32_t row = computation_by_id_.Find(id);
    if (row == IdTable::kNone) continue;
    Computation& computation = computations_[row];
    computation.schedule_begin = static_cast<uint32_t>(schedule_.size());
    for (Cursor c(sequence); c.Next();) {
      if (c.tag() != Bytes(1) && c.tag() != Varint(1)) continue;
      ForEachNumber(c, [&](uint64_t instruction) {
        const uint32_t found = by_id_.Find(instruction);
        if (found != IdTable::kNone) schedule_.push_back(found);
      });
    }
    computation.schedule_end = static_cast<uint32_t>(schedule_.size());
  }
}

void HloModule::Resolve(const Unresolved& unresolved) {
  by_id_.Finish();
  computation_by_id_.Finish();
  entry_ = computation_by_id_.Find(unresolved.entry);
  for (const std::string_view schedule : unresolved.schedules) ReadSchedule(schedule);
  for (size_t c = 0; c < computations_.size(); ++c) computations_[c].root = by_id_.Find(unresolved.roots[c]);
  links_.resize(unresolved.links.size());
  for (const Instruction& instruction : instructions_) {
    for (uint32_t i = instruction.operands_begin; i < instruction.operands_end; ++i) {
      links_[i] = by_id_.Find(unresolved.links[i]);
    }
    for (uint32_t i = instruction.called_begin; i < instruction.called_end; ++i) {
      links_[i] = computation_by_id_.Find(unresolved.links[i]);
      // Older writers do not mark the bodies of fusions.
      if (links_[i] != IdTable::kNone && instruction.opcode == Opcode::kFusion) {
        computations_[links_[i]].is_fused = true;
      }
    }
  }
}

void HloModule::SumUpBodies() {
  for (Computation& body : computations_) {
    bool has_dot = false, moves = false;
    for (uint32_t i = body.begin; i < body.end; ++i) {
      const Instruction& instruction = instructions_[i];
      if (!instruction.op_name.empty()) body.named = i;
      if (instruction.has_place()) body.placed = i;
      has_dot |= instruction.opcode == Opcode::kDot;
      moves |= instruction.opcode == Opcode::kSlice || instruction.opcode == Opcode::kBroadcast ||
               instruction.opcode_name == "copy";
    }
    body.only_moves = moves && !has_dot;
    if (body.root == IdTable::kNone) continue;
    if (!instructions_[body.root].op_name.empty()) body.named = body.root;
    if (instructions_[body.root].has_place()) body.placed = body.root;
  }
}

std::string_view ModuleName(std::string_view hlo_proto) { return LastBytes(LastBytes(hlo_proto, 1), 1); }

}  // namespace tfprof::xplane
