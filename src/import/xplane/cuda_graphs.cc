#include "import/xplane/cuda_graphs.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <map>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/hash.h"
#include "import/xplane/graph_order.h"
#include "import/xplane/instruction_sequence.h"
#include "import/xplane/names.h"

namespace tfprof::xplane {
namespace {

// N of command_buffer_N; the first one has none.
int64_t BufferNumber(std::string_view name) {
  size_t digits = name.size();
  while (digits > 0 && name[digits - 1] >= '0' && name[digits - 1] <= '9') --digits;
  int64_t number = -1;
  std::from_chars(name.data() + digits, name.data() + name.size(), number);
  return number;
}

auto KeyOf(const GraphPiece& p) { return std::tuple(p.program, p.buffer.value, p.device, p.correlation); }

}  // namespace

void CudaGraphs::Add(uint32_t program, StringId buffer, uint32_t lane, uint64_t correlation,
                     std::optional<uint64_t> graph_node) {
  const auto row = static_cast<uint32_t>(capture_.work.size() - 1);
  const Work& work = capture_.work[row];
  const auto first_event = static_cast<uint32_t>(events_.size());
  // The high half is the graph.
  events_.push_back({graph_node ? static_cast<uint32_t>(*graph_node) : kNoGraphNode, work.kernel});
  if (!pieces_.empty()) {
    GraphPiece& last = pieces_.back();
    if (last.correlation == correlation && last.end == row && last.lane == lane && last.program == program &&
        last.buffer == buffer) {
      ++last.end;
      last.by_start &= capture_.work[row - 1].start_ps <= work.start_ps;
      last.start_ps = std::min(last.start_ps, work.start_ps);
      return;
    }
  }
  pieces_.push_back({program, buffer, capture_.lanes[lane].device, lane, correlation, row, row + 1,
                     first_event, true, work.start_ps});
}

std::vector<std::string_view> CudaGraphs::NamesOf(uint32_t list) const {
  std::vector<std::string_view> names;
  for (const uint32_t row : lists_[list].kernels) names.push_back(names_[row]);
  return names;
}

bool CudaGraphs::EventsOf(const Launch& launch, std::vector<uint32_t>* rows) const {
  std::vector<uint32_t>& events = *rows;
  events.clear();
  if (LiesInOrder(launch)) {
    for (uint32_t row = Piece(launch.begin).begin; row < Piece(launch.begin).end; ++row)
      events.push_back(row);
    return true;
  }
  bool several_streams = false, sorted = true;
  int64_t last = std::numeric_limits<int64_t>::min();
  for (uint32_t p = launch.begin; p < launch.end; ++p) {
    const GraphPiece& piece = Piece(p);
    several_streams |= piece.lane != Piece(launch.begin).lane;
    for (uint32_t row = piece.begin; row < piece.end; ++row) {
      events.push_back(row);
      sorted &= capture_.work[row].start_ps >= last;
      last = capture_.work[row].start_ps;
    }
  }
  if (!sorted)
    std::ranges::stable_sort(events, {}, [&](uint32_t row) { return capture_.work[row].start_ps; });
  if (!several_streams || !Overlap(events)) return true;
  std::unordered_map<uint32_t, uint32_t> node_of;
  for (uint32_t p = launch.begin; p < launch.end; ++p) {
    const GraphPiece& piece = Piece(p);
    for (uint32_t row = piece.begin; row < piece.end; ++row)
      node_of[row] = events_[piece.first_event + row - piece.begin].node;
  }
  std::vector<GraphNode> nodes;
  for (const uint32_t row : events) {
    nodes.push_back({node_of[row], IsFillName(capture_.kernels[capture_.work[row].kernel].event_name)});
  }
  const std::vector<uint32_t> order = ScheduleOrder(nodes);
  if (order.empty()) return false;
  std::vector<uint32_t> ordered;
  for (const uint32_t k : order) ordered.push_back(events[k]);
  events = std::move(ordered);
  return true;
}

// Whether any of them starts before another one has ended; by start.
bool CudaGraphs::Overlap(const std::vector<uint32_t>& events) const {
  int64_t busy_until = std::numeric_limits<int64_t>::min();
  for (const uint32_t row : events) {
    const Work& work = capture_.work[row];
    if (work.start_ps < busy_until) return true;
    busy_until = std::max(busy_until, work.start_ps + work.duration_ps);
  }
  return false;
}

// By key. Launches of one buffer mostly come in the order of their numbers: once each is with its buffer
// little is left to sort.
void CudaGraphs::SortPieces() {
  std::map<std::tuple<uint32_t, StringId, uint32_t>, std::vector<uint32_t>> by_buffer;
  for (uint32_t p = 0; p < pieces_.size(); ++p)
    by_buffer[{pieces_[p].program, pieces_[p].buffer, pieces_[p].device}].push_back(p);
  const auto by_launch = [&](uint32_t a, uint32_t b) {
    return std::pair(pieces_[a].correlation, a) < std::pair(pieces_[b].correlation, b);
  };
  order_.reserve(pieces_.size());
  for (auto& [buffer, own] : by_buffer) {
    if (!std::ranges::is_sorted(own, by_launch)) std::ranges::sort(own, by_launch);
    order_.insert(order_.end(), own.begin(), own.end());
  }
}

void CudaGraphs::GroupLaunches() {
  std::unordered_map<std::string_view, uint32_t> name_rows;
  for (const Kernel& kernel : capture_.kernels) {
    const auto [known, fresh] =
        name_rows.try_emplace(kernel.event_name, static_cast<uint32_t>(names_.size()));
    if (fresh) names_.push_back(kernel.event_name);
    name_of_kernel_.push_back(known->second);
  }
  SortPieces();
  for (uint32_t begin = 0, end; begin < order_.size(); begin = end) {
    const GraphPiece& first = Piece(begin);
    int64_t start_ps = first.start_ps;
    for (end = begin + 1; end < order_.size() && KeyOf(Piece(end)) == KeyOf(first); ++end)
      start_ps = std::min(start_ps, Piece(end).start_ps);
    launches_.push_back({begin, end, 0, start_ps});
  }
  // Buffer by buffer, each in the order of time.
  const auto by_time = [&](const Launch& a, const Launch& b) {
    const GraphPiece &x = Piece(a.begin), &y = Piece(b.begin);
    return std::tuple(x.program, x.buffer.value, x.device, a.start_ps, a.begin) <
           std::tuple(y.program, y.buffer.value, y.device, b.start_ps, b.begin);
  };
  if (!std::ranges::is_sorted(launches_, by_time)) std::ranges::sort(launches_, by_time);
  const uint64_t seed = RandomSeed();
  std::unordered_multimap<uint64_t, uint32_t> by_hash;  // lists of the buffer at hand
  std::vector<uint32_t> events, kernels;
  for (uint32_t l = 0; l < launches_.size(); ++l) {
    Launch& launch = launches_[l];
    const GraphPiece& piece = Piece(launch.begin);
    if (buffers_.empty() || buffers_.back().program != piece.program ||
        buffers_.back().name != piece.buffer) {
      buffers_.push_back({piece.program, piece.buffer, {}, l, l});
      by_hash.clear();
    }
    buffers_.back().last_launch = l;
    kernels.clear();
    const auto add = [&](uint32_t kernel) { kernels.push_back(name_of_kernel_[kernel]); };
    if (LiesInOrder(launch)) {
      for (uint32_t e = 0; e < piece.end - piece.begin; ++e) add(events_[piece.first_event + e].kernel);
    } else {
      EventsOf(launch, &events);
      for (const uint32_t row : events) add(capture_.work[row].kernel);
    }
    const uint64_t hash = HashBytes(kernels.data(), kernels.size() * sizeof(uint32_t), seed);
    auto [known, last] = by_hash.equal_range(hash);
    while (known != last && lists_[known->second].kernels != kernels) ++known;
    if (known == last) {
      known = by_hash.emplace(hash, static_cast<uint32_t>(lists_.size()));
      buffers_.back().lists.push_back(known->second);
      lists_.push_back({kernels, 0});
    }
    launch.list = known->second;
    ++lists_[launch.list].launches;
  }
  placements_.resize(lists_.size());
}

void CudaGraphs::AlignPrograms() {
  for (size_t begin = 0; begin < buffers_.size();) {
    const uint32_t program = buffers_[begin].program;
    const HloModule& module = capture_.programs.Module(program);
    const KernelScores scores(module, *capture_.strings);
    std::vector<Buffer*> own;
    size_t end = begin;
    for (; end < buffers_.size() && buffers_[end].program == program; ++end) {
      // Older XLA makes a call of each graph, which knows its own instructions.
      if (module.FindByName(buffers_[end].name) != IdTable::kNone) {
        AlignBuffers(module, scores, {&buffers_[end]});
      } else {
        own.push_back(&buffers_[end]);
      }
    }
    std::ranges::stable_sort(own, {},
                             [&](const Buffer* b) { return BufferNumber((*capture_.strings)[b->name]); });
    if (!own.empty()) AlignBuffers(module, scores, own);
    begin = end;
  }
}

void CudaGraphs::AlignBuffers(const HloModule& module, const KernelScores& scores,
                              const std::vector<Buffer*>& buffers) {
  const uint32_t call = module.FindByName(buffers.front()->name);
  uint32_t computation = module.entry();
  if (call != IdTable::kNone) {
    const auto called = module.Called(module[call]);
    computation = called.empty() ? IdTable::kNone : called[0];
  }
  const std::vector<uint32_t> sequence = InstructionSequence(module, computation, &budget_);
  std::vector<std::vector<std::string_view>> patterns;
  std::vector<uint32_t> most;  // the most frequent list of each buffer
  for (const Buffer* buffer : buffers) {
    most.push_back(
        *std::ranges::max_element(buffer->lists, {}, [&](uint32_t l) { return lists_[l].launches; }));
    patterns.push_back(NamesOf(most.back()));
  }
  const auto places = Align(scores, sequence, patterns, &budget_);
  // What lies between the buffers before and after it may be a buffer's too.
  std::vector<size_t> low(buffers.size(), 0), high(buffers.size(), sequence.size());
  for (size_t b = 0, next = 0; b < buffers.size(); ++b) {
    low[b] = next;
    for (const uint32_t p : places[b]) {
      if (p != kUnplaced) next = std::max<size_t>(next, p + 1);
    }
  }
  for (size_t b = buffers.size(), next = sequence.size(); b-- > 0;) {
    high[b] = next;
    for (const uint32_t p : places[b]) {
      if (p != kUnplaced) next = std::min<size_t>(next, p);
    }
  }
  for (size_t b = 0; b < buffers.size(); ++b) {
    Keep(most[b], sequence, places[b]);
    AlignOthers(scores, sequence, *buffers[b], most[b], places[b], low[b], std::max(low[b], high[b]));
  }
}

// Launches with another list than the pattern: cut off by the ends of the capture, or another branch.
void CudaGraphs::AlignOthers(const KernelScores& scores, const std::vector<uint32_t>& sequence,
                             const Buffer& buffer, uint32_t pattern, const std::vector<uint32_t>& places,
                             size_t low, size_t high) {
  const std::vector<uint32_t>& whole = lists_[pattern].kernels;
  size_t first = high, last = low;
  for (const uint32_t p : places) {
    if (p == kUnplaced) continue;
    first = std::min<size_t>(first, p);
    last = std::max<size_t>(last, p + 1);
  }
  for (const uint32_t list : buffer.lists) {
    if (list == pattern) continue;
    const std::vector<uint32_t>& part = lists_[list].kernels;
    const bool shorter = part.size() < whole.size();
    const auto size = static_cast<std::ptrdiff_t>(part.size());
    // The first launch lacks its beginning, the last one its end.
    if (shorter && launches_[buffer.first_launch].list == list &&
        std::equal(part.begin(), part.end(), whole.end() - size)) {
      Keep(list, sequence, {places.end() - size, places.end()});
      continue;
    }
    if (shorter && launches_[buffer.last_launch].list == list &&
        std::equal(part.begin(), part.end(), whole.begin())) {
      Keep(list, sequence, {places.begin(), places.begin() + size});
      continue;
    }
    const auto align = [&](size_t from, size_t to) {
      const std::vector<std::vector<std::string_view>> one{NamesOf(list)};
      auto found = Align(scores, std::span(sequence).subspan(from, to - from), one, &budget_)[0];
      for (uint32_t& p : found) {
        if (p != kUnplaced) p += static_cast<uint32_t>(from);
      }
      return found;
    };
    const auto unplaced = [](const std::vector<uint32_t>& found) {
      return std::ranges::count(found, kUnplaced);
    };
    std::vector<uint32_t> found(part.size(), kUnplaced);
    if (first < last) found = align(first, last);
    if (unplaced(found) > 0 && low < high) {
      const std::vector<uint32_t> wider = align(low, high);
      if (unplaced(wider) < unplaced(found)) found = wider;
    }
    Keep(list, sequence, found);
  }
}

void CudaGraphs::Keep(uint32_t list, const std::vector<uint32_t>& sequence,
                      const std::vector<uint32_t>& places) {
  Placement& placement = placements_[list];
  std::unordered_set<uint32_t> seen;
  for (const uint32_t p : places) {
    const uint32_t instruction = p == kUnplaced ? kUnplaced : sequence[p];
    placement.instruction.push_back(instruction);
    placement.first.push_back(seen.insert(instruction).second);
  }
}

}  // namespace tfprof::xplane
