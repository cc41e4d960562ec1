#include "import/xplane/alignment.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "base/text.h"
#include "base/wide.h"

namespace tfprof::xplane {
namespace {

constexpr int32_t kLeftOut = 2;     // what an event without an instruction costs
constexpr int32_t kPassedOver = 1;  // what an instruction without an event costs, inside a buffer
constexpr int32_t kNever = std::numeric_limits<int32_t>::min() / 2;
constexpr size_t kLargestTable = size_t{1} << 26;  // cells of one table; larger problems are cut at anchors

bool StartsWith(std::string_view text, std::string_view lower_prefix) {
  return text.size() >= lower_prefix.size() && ToLower(text.substr(0, lower_prefix.size())) == lower_prefix;
}

// set_*condition*: the small kernel that sets which branch of a conditional runs.
bool SetsCondition(std::string_view event) {
  return event.starts_with("set_") && event.find("condition", 4) != std::string_view::npos;
}

std::string Sanitized(std::string_view name) {
  std::string result(name);
  for (char& c : result) {
    const bool kept = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
    if (!kept) c = '_';
  }
  return result;
}

}  // namespace

KernelScores::KernelScores(const HloModule& module, const StringPool& strings) : module_(module) {
  const auto instructions = module.instructions();
  sanitized_.resize(instructions.size());
  signature_.resize(instructions.size());
  copies_.resize(instructions.size());
  SequencePool<ShapeId, uint64_t> signatures;
  std::unordered_map<std::string_view, uint64_t> kinds;
  for (uint32_t row = 0; row < instructions.size(); ++row) {
    const Instruction& instruction = instructions[row];
    copies_[row] = Copies(instruction);
    if (module.computations()[instruction.computation].is_fused) continue;
    sanitized_[row] = Sanitized(strings[instruction.name]);
    by_name_[sanitized_[row]].push_back(row);
    if (instruction.opcode != Opcode::kFusion) continue;
    std::vector<uint64_t> key{kinds.try_emplace(instruction.fusion_kind, kinds.size()).first->second,
                              instruction.shape.value};
    for (const uint32_t operand : module.Operands(instruction)) {
      key.push_back(operand == IdTable::kNone ? ShapeId::kNone : module[operand].shape.value);
    }
    signature_[row] = signatures.Intern(key).value;
  }
}

// Does the instruction do nothing but copy?
bool KernelScores::Copies(const Instruction& instruction) const {
  const auto copies = [](Opcode o) {
    return o == Opcode::kCopy || o == Opcode::kSlice || o == Opcode::kBroadcast || o == Opcode::kConcatenate;
  };
  if (copies(instruction.opcode)) return true;
  const Computation* body = instruction.opcode == Opcode::kFusion ? module_.Body(instruction) : nullptr;
  return body != nullptr && body->only_moves;
}

size_t KernelScores::Named(std::string_view event) const {
  const auto found = by_name_.find(std::string(event));
  return found == by_name_.end() ? 0 : found->second.size();
}

KernelScores::EventKind KernelScores::KindOf(std::string_view event) const {
  EventKind kind;
  kind.name = event;
  kind.sets_condition = SetsCondition(event);
  kind.fills = StartsWith(event, "memset");
  kind.copies = kind.fills || StartsWith(event, "memcpy");
  const auto named = by_name_.find(std::string(event));
  if (named == by_name_.end()) return kind;
  kind.names_instruction = true;
  for (const uint32_t row : named->second) {
    if (module_[row].opcode == Opcode::kFusion) kind.signatures.push_back(signature_[row]);
  }
  std::ranges::sort(kind.signatures);
  return kind;
}

// The first rule that fits counts.
KernelScores::Score KernelScores::Of(const EventKind& event, uint32_t row) const {
  const Instruction& instruction = module_[row];
  const bool conditional = instruction.opcode == Opcode::kConditional;
  if (event.sets_condition && conditional) return {2, false};
  if (event.sets_condition || conditional) return {};
  if (event.names_instruction) {
    if (sanitized_[row] == event.name) return {4, false};
    const bool alike = instruction.opcode == Opcode::kFusion &&
                       std::ranges::binary_search(event.signatures, signature_[row]);
    return alike ? Score{3, false} : Score{};
  }
  if (instruction.opcode == Opcode::kCustomCall) return {2, true};
  if (event.copies && copies_[row]) return {2, false};
  const bool library = instruction.opcode != Opcode::kFusion || instruction.fusion_kind == "kCustom";
  return !event.copies && library ? Score{1, true} : Score{};
}

namespace {

// One problem: events of all buffers in a row, against a part of the sequence. Scores are kept for two rows
// of the table; what was best is kept as bits, a byte a cell.
//
// For event e and instruction i:
//   placed(e, i)   e is at i
//   inside(e, i)   some event of e's buffer is placed, the last of them at or before i; passing over costs
//   after(e, i)    any state in which the last placed event is at or before i; passing over is free
class Table {
 public:
  Table(const KernelScores& scores, std::span<const uint32_t> sequence)
      : scores_(scores), sequence_(sequence) {}

  struct EventName {
    std::string_view name;
    bool starts_buffer;
  };

  std::vector<uint32_t> Solve(std::span<const EventName> events) {
    const size_t n = sequence_.size();
    bits_.assign(events.size() * n, 0);
    std::vector<int32_t> placed(n, kNever), inside(n, kNever), after(n + 1, 0), start(n + 1, 0);
    int32_t skipped = 0;  // events of the buffer before the one at hand
    const Row* previous = nullptr;
    for (size_t e = 0; e < events.size(); ++e) {
      if (events[e].starts_buffer || e == 0) {
        start = after;  // after[i + 1]: instructions up to i
        skipped = 0;
        previous = nullptr;
        std::ranges::fill(inside, kNever);
        std::ranges::fill(placed, kNever);
      }
      const Row& row = RowOf(events[e].name);
      Fill(e, row, previous, skipped, placed, inside, after, start);
      ++skipped;
      previous = &row;
    }
    return Trace(events, after);
  }

 private:
  enum : uint8_t {
    kInsidePlaced = 1,  // inside(e, i) is reached with e placed, at or before i
    kInsideHere = 2,    // ... and at i is the latest place that reaches it
    kAfterPlaced = 4,   // the same for after(e, i)
    kAfterHere = 8,
    kFurther = 16,       // placed(e, i) is reached only as a further event of i
    kFirstOfBuffer = 32  // placed(e, i) as the first placed of its buffer
  };

  struct Row {
    std::vector<int8_t> score;  // -1: never
    std::vector<bool> further;
    bool fill = false;
  };

  const Row& RowOf(std::string_view name) {
    const auto [known, fresh] = rows_.try_emplace(name);
    Row& row = known->second;
    if (!fresh) return row;
    row.score.resize(sequence_.size());
    row.further.resize(sequence_.size());
    const KernelScores::EventKind kind = scores_.KindOf(name);
    row.fill = kind.fills;
    for (size_t i = 0; i < sequence_.size(); ++i) {
      const KernelScores::Score score = scores_.Of(kind, sequence_[i]);
      row.score[i] = score.score;
      row.further[i] = score.further;
    }
    return row;
  }

  void Fill(size_t e, const Row& row, const Row* previous, int32_t skipped, std::vector<int32_t>& placed,
            std::vector<int32_t>& inside, std::vector<int32_t>& after, const std::vector<int32_t>& start) {
    const size_t n = sequence_.size();
    uint8_t* bits = bits_.data() + e * n;
    int32_t inside_left = kNever;                       // of the event before, one instruction to the left
    int32_t best_inside = kNever, best_after = kNever;  // with e placed, up to i
    after[0] -= kLeftOut;
    for (size_t i = 0; i < n; ++i) {
      uint8_t bit = 0;
      int32_t here = kNever;
      if (row.score[i] >= 0) {
        // Placed rather than left out: of equal ones the state in which the buffer's events are placed.
        const int32_t first = start[i] - kLeftOut * skipped;
        const int32_t base = std::max(inside_left, first);
        if (first > inside_left) bit |= kFirstOfBuffer;
        here = base + row.score[i];
        if (previous != nullptr && previous->further[i] && row.further[i] && placed[i] > kNever / 2) {
          const int32_t joined = placed[i] + row.score[i] - (row.fill ? 2 : 1);
          if (joined > here) {
            here = joined;
            bit |= kFurther;
          }
        }
      }
      inside_left = inside[i];
      best_inside = std::max(best_inside - kPassedOver, here);
      if (here >= best_inside) bit |= kInsideHere;
      inside[i] = std::max(inside[i] - kLeftOut, best_inside);
      if (best_inside >= inside[i]) bit |= kInsidePlaced;
      best_after = std::max(best_after, here);
      if (here >= best_after) bit |= kAfterHere;
      after[i + 1] = std::max(after[i + 1] - kLeftOut, best_after);
      if (best_after >= after[i + 1]) bit |= kAfterPlaced;
      placed[i] = here;
      bits[i] = bit;
    }
  }

  // From the last event back.
  std::vector<uint32_t> Trace(std::span<const EventName> events, const std::vector<int32_t>& after) const {
    const size_t n = sequence_.size();
    std::vector<uint32_t> places(events.size(), kUnplaced);
    // The last event at the earliest instruction.
    size_t end = n;
    while (end > 0 && after[end - 1] == after[n]) --end;
    enum { kAfter, kInside } state = kAfter;
    size_t e = events.size(), i = end;  // the best for events before e and instructions before i
    while (e > 0 && i > 0) {
      const size_t row = (e - 1) * n;
      const uint8_t wanted = state == kAfter ? kAfterPlaced : kInsidePlaced;
      const uint8_t here = state == kAfter ? kAfterHere : kInsideHere;
      if ((bits_[row + i - 1] & wanted) == 0) {
        --e;
        continue;
      }
      while ((bits_[row + i - 1] & here) == 0) --i;
      size_t at = i - 1;
      places[e - 1] = static_cast<uint32_t>(at);
      // Further events of one instruction follow each other.
      uint8_t bit = bits_[row + at];
      while ((bit & kFurther) != 0) {
        --e;
        places[e - 1] = static_cast<uint32_t>(at);
        bit = bits_[(e - 1) * n + at];
      }
      --e;
      i = at;
      state = kInside;
      if ((bit & kFirstOfBuffer) != 0) {
        state = kAfter;
        while (e > 0 && !events[e].starts_buffer) --e;  // the events of the buffer before it are left out
      }
    }
    return places;
  }

  const KernelScores& scores_;
  std::span<const uint32_t> sequence_;
  std::unordered_map<std::string_view, Row> rows_;
  std::vector<uint8_t> bits_;
};

// Places of events whose name is that of one instruction alone and that appear once: (event, position), both
// ascending.
std::vector<std::pair<size_t, size_t>> FindAnchors(const KernelScores& scores,
                                                   std::span<const uint32_t> sequence,
                                                   std::span<const Table::EventName> events) {
  std::unordered_map<std::string_view, std::pair<size_t, size_t>> seen;  // name -> times, where
  for (size_t e = 0; e < events.size(); ++e) {
    auto& [times, where] = seen[events[e].name];
    ++times;
    where = e;
  }
  std::vector<size_t> position_of(events.size(), sequence.size());
  std::vector<uint8_t> found(events.size(), 0);
  for (const auto& [name, use] : seen) {
    if (use.first != 1 || scores.Named(name) != 1) continue;
    found[use.second] = 1;
  }
  std::vector<std::pair<size_t, size_t>> anchors;
  std::unordered_map<std::string_view, size_t> wanted;
  for (size_t e = 0; e < events.size(); ++e) {
    if (found[e] != 0) wanted.emplace(events[e].name, e);
  }
  for (size_t i = 0; i < sequence.size(); ++i) {
    const auto use = wanted.find(scores.SanitizedName(sequence[i]));
    if (use == wanted.end()) continue;
    size_t& position = position_of[use->second];
    position = position == sequence.size() ? i : sequence.size() + 1;  // twice in the sequence: no anchor
  }
  size_t next = 0;
  for (size_t e = 0; e < events.size(); ++e) {
    if (position_of[e] >= sequence.size() || position_of[e] < next) continue;
    anchors.emplace_back(e, position_of[e]);
    next = position_of[e] + 1;
  }
  return anchors;
}

std::vector<uint32_t> SolvePart(const KernelScores& scores, std::span<const uint32_t> sequence,
                                std::span<const Table::EventName> events, AlignmentBudget* budget) {
  const Wide cells = static_cast<Wide>(events.size()) * sequence.size();
  if (cells == 0 || cells > static_cast<Wide>(kLargestTable) || cells > *budget) {
    return std::vector<uint32_t>(events.size(), kUnplaced);
  }
  *budget -= static_cast<AlignmentBudget>(cells);
  return Table(scores, sequence).Solve(events);
}

}  // namespace

std::vector<std::vector<uint32_t>> Align(const KernelScores& scores, std::span<const uint32_t> sequence,
                                         std::span<const std::vector<std::string_view>> patterns,
                                         AlignmentBudget* budget) {
  std::vector<Table::EventName> events;
  for (const auto& pattern : patterns) {
    for (size_t k = 0; k < pattern.size(); ++k) events.push_back({pattern[k], k == 0});
  }
  std::vector<uint32_t> places;
  if (static_cast<Wide>(events.size()) * sequence.size() <= static_cast<Wide>(kLargestTable)) {
    places = SolvePart(scores, sequence, events, budget);
  } else {
    // Parts from anchor to anchor; both ends belong to the part, so that what lies between is judged with
    // them.
    places.assign(events.size(), kUnplaced);
    auto anchors = FindAnchors(scores, sequence, events);
    anchors.emplace_back(events.size() - 1, sequence.size() - 1);
    size_t first_event = 0, first_position = 0;
    for (const auto& [event, position] : anchors) {
      const auto part = SolvePart(scores, sequence.subspan(first_position, position - first_position + 1),
                                  std::span(events).subspan(first_event, event - first_event + 1), budget);
      for (size_t k = 0; k < part.size(); ++k) {
        if (part[k] != kUnplaced) places[first_event + k] = static_cast<uint32_t>(first_position + part[k]);
      }
      first_event = event;
      first_position = position;
    }
  }
  std::vector<std::vector<uint32_t>> result;
  auto at = places.begin();
  for (const auto& pattern : patterns) {
    result.emplace_back(at, at + static_cast<std::ptrdiff_t>(pattern.size()));
    at += static_cast<std::ptrdiff_t>(pattern.size());
  }
  return result;
}

}  // namespace tfprof::xplane
