// Writes XPlane captures for tests: a plane collects names, lines and events, Space() makes the file.
#pragma once

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace tfprof::xplane {

inline std::string VarintOf(uint64_t n) {
  std::string out;
  for (; n > 127; n >>= 7) out += static_cast<char>((n & 127) | 128);
  return out += static_cast<char>(n);
}
inline std::string Num(uint32_t field, uint64_t value) { return VarintOf(field << 3) + VarintOf(value); }
inline std::string Blob(uint32_t field, std::string_view bytes) {
  return VarintOf(field << 3 | 2) + VarintOf(bytes.size()) + std::string(bytes);
}
inline std::string Real(uint32_t field, double value) {
  std::string out = VarintOf(field << 3 | 1) + std::string(8, '\0');
  std::memcpy(out.data() + out.size() - 8, &value, 8);
  return out;
}
inline std::string Packed(uint32_t field, const std::vector<uint64_t>& values) {
  std::string bytes;
  for (const uint64_t v : values) bytes += VarintOf(v);
  return values.empty() ? "" : Blob(field, bytes);
}

struct Ref {
  std::string text;  // stored as a reference to a stat's name
};
using MadeValue = std::variant<int64_t, uint64_t, double, std::string, Ref>;
using MadeStats = std::vector<std::pair<std::string, MadeValue>>;

class MadePlane {
 public:
  explicit MadePlane(std::string name) : name_(std::move(name)) {}

  std::string Stat(const std::string& name, const MadeValue& value) {
    const std::string head = Num(1, StatId(name));
    if (const auto* v = std::get_if<int64_t>(&value)) return head + Num(4, static_cast<uint64_t>(*v));
    if (const auto* v = std::get_if<uint64_t>(&value)) return head + Num(3, *v);
    if (const auto* v = std::get_if<double>(&value)) return head + Real(2, *v);
    if (const auto* v = std::get_if<Ref>(&value)) return head + Num(7, StatId(v->text));
    return head + Blob(5, std::get<std::string>(value));
  }
  uint64_t Metadata(const std::string& name, const MadeStats& stats = {}) {
    const auto [known, fresh] = events_.try_emplace(name, events_.size() + 1, "");
    if (fresh) {
      known->second.second = Num(1, known->second.first) + Blob(2, name);
      for (const auto& [n, v] : stats) known->second.second += Blob(5, Stat(n, v));
    }
    return known->second.first;
  }
  std::string Event(const std::string& name, int64_t start_ps, int64_t ps, const MadeStats& stats = {},
                    const MadeStats& metadata_stats = {}) {
    std::string out = Num(1, Metadata(name, metadata_stats)) + Num(2, static_cast<uint64_t>(start_ps)) +
                      Num(3, static_cast<uint64_t>(ps));
    for (const auto& [n, v] : stats) out += Blob(4, Stat(n, v));
    return out;
  }
  void AddLine(int64_t id, const std::string& name, const std::vector<std::string>& events,
               int64_t timestamp_ns = 0) {
    std::string line =
        Num(1, static_cast<uint64_t>(id)) + Blob(2, name) + Num(3, static_cast<uint64_t>(timestamp_ns));
    for (const std::string& event : events) line += Blob(4, event);
    lines_ += Blob(3, line);
  }
  void AddProgram(const std::string& name, uint64_t id, const std::string& hlo_proto) {
    Metadata(name + "(" + std::to_string(id) + ")", {{"Hlo Proto", hlo_proto}, {"program_id", id}});
  }
  std::string Bytes() const {
    std::string out = Blob(2, name_) + lines_;
    for (const auto& [name, event] : events_) out += Blob(4, Num(1, event.first) + Blob(2, event.second));
    for (const auto& [name, id] : stats_) out += Blob(5, Num(1, id) + Blob(2, Num(1, id) + Blob(2, name)));
    return out;
  }

 private:
  uint64_t StatId(const std::string& name) {
    return stats_.try_emplace(name, stats_.size() + 1).first->second;
  }

  std::string name_, lines_;
  std::map<std::string, uint64_t> stats_;
  std::map<std::string, std::pair<uint64_t, std::string>> events_;
};

inline std::string MadeSpace(std::initializer_list<const MadePlane*> planes) {
  std::string out;
  for (const MadePlane* plane : planes) out += Blob(1, plane->Bytes());
  return out;
}

// --- HLO

inline std::string MadeShape(const std::vector<uint64_t>& dims) { return Num(2, 11) + Packed(3, dims); }

struct MadeInstruction {
  uint64_t id;
  std::string name, opcode;
  std::vector<uint64_t> dims = {8, 8};
  std::string op_name = {};
  std::vector<uint64_t> operands = {}, called = {};
  std::string more = {};  // further fields

  std::string Bytes() const {
    std::string out = Blob(1, name) + Blob(2, opcode) + Blob(3, MadeShape(dims));
    if (!op_name.empty()) out += Blob(7, Blob(2, op_name));
    return out + more + Num(35, id) + Packed(36, operands) + Packed(38, called);
  }
};

inline std::string MadeComputation(uint64_t id, uint64_t root,
                                   const std::vector<MadeInstruction>& instructions, bool fused = false) {
  std::string out = Blob(1, "c" + std::to_string(id));
  for (const MadeInstruction& i : instructions) out += Blob(2, i.Bytes());
  return out + Num(5, id) + Num(6, root) + (fused ? Num(7, 1) : "");
}

inline std::string MadeModule(const std::string& name, uint64_t entry,
                              const std::vector<std::string>& computations, const std::string& more = "") {
  std::string out = Blob(1, name);
  for (const std::string& c : computations) out += Blob(3, c);
  return Blob(1, out + Num(6, entry) + more);
}

}  // namespace tfprof::xplane
