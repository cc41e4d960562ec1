// perftools.profiles.Profile, gzipped. Samples are written as they come and the tables they refer to behind
// them: readers take the fields in any order, and so nothing but the tables is held in memory.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <zlib.h>

#include <algorithm>
#include <limits>
#include <map>
#include <protozero/pbf_writer.hpp>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/atomic_file.h"
#include "export/stacks.h"
#include "tfprof/version.h"

namespace tfprof {
namespace {

using protozero::pbf_writer;

constexpr std::string_view kHidden = "(in frames that are not shown)";

// A gzip file, compressed piece by piece as it is written, and renamed into place at Commit() (AtomicFile).
// The same bytes in give the same bytes out: no time and no name is stored.
class GzipFile {
 public:
  explicit GzipFile(AtomicFile file) : file_(std::move(file)) {
    constexpr int kGzipWindow = 15 + 16;  // zlib: the largest window, with a gzip header
    usable_ =
        deflateInit2(&z_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzipWindow, 8, Z_DEFAULT_STRATEGY) == Z_OK;
  }
  GzipFile(const GzipFile&) = delete;
  GzipFile& operator=(const GzipFile&) = delete;
  ~GzipFile() { deflateEnd(&z_); }

  bool usable() const { return usable_; }  // false: there is not enough memory
  // Errors are remembered and reported by Commit().
  void Write(std::string_view bytes) {
    constexpr size_t kMost = std::numeric_limits<uInt>::max();
    for (; !bytes.empty(); bytes.remove_prefix(std::min(bytes.size(), kMost)))
      Deflate(bytes.substr(0, kMost), Z_NO_FLUSH);
  }
  Status Commit() {
    Deflate({}, Z_FINISH);
    return file_.Commit();
  }

 private:
  void Deflate(std::string_view bytes, int flush) {
    z_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));  // zlib reads it only
    z_.avail_in = static_cast<uInt>(bytes.size());
    do {
      z_.next_out = reinterpret_cast<Bytef*>(buffer_.data());
      z_.avail_out = static_cast<uInt>(buffer_.size());
      deflate(&z_, flush);
      file_.Write({buffer_.data(), buffer_.size() - z_.avail_out});
    } while (z_.avail_out == 0);
  }

  AtomicFile file_;
  z_stream z_{};
  bool usable_ = false;
  std::vector<char> buffer_ = std::vector<char>(1 << 16);
};

std::string_view UnitWord(ColumnId figure) {
  const Unit unit = ColumnOf(figure).unit;
  return unit == Unit::kBytes ? "bytes" : unit == Unit::kMicros ? "microseconds" : "count";
}

class PprofWriter {
 public:
  PprofWriter(const Report& report, ColumnId figure, GzipFile& file)
      : report_(report), figure_(figure), file_(file), location_of_frame_(report.code_frames.size()) {
    Text("");  // the format wants it first
    label_key_ = Text("graph node:");
  }

  void Write() {
    WriteHead();
    const HiddenBelow hidden(report_);
    for (size_t r = 1; r < report_.rows.size(); ++r)
      WriteSamples(report_.rows[r], hidden.Of(r, ColumnId::kDefined), hidden.Of(r, figure_));
    WriteTables();
  }

 private:
  int64_t Text(std::string_view text) {
    const auto [known, fresh] = text_ids_.try_emplace(std::string(text), texts_.size());
    if (fresh) texts_.push_back(known->first);
    return static_cast<int64_t>(known->second);
  }

  void Flush() {
    file_.Write(piece_);
    piece_.clear();
  }

  void AddSampleType(std::string_view type, std::string_view unit) {
    pbf_writer out(piece_);
    pbf_writer value_type(out, 1);
    value_type.add_int64(1, Text(type));
    value_type.add_int64(2, Text(unit));
  }

  void WriteHead() {
    const std::string_view name = ColumnName(figure_);
    AddSampleType("count", "count");
    AddSampleType(name, UnitWord(figure_));
    pbf_writer out(piece_);
    {
      // Says that names and lines are known, so that tools do not look for a binary to find them in.
      pbf_writer mapping(out, 3);
      mapping.add_uint64(1, 1);
      for (uint32_t has : {7, 8, 9}) mapping.add_bool(has, true);
    }
    out.add_int64(
        13, Text(fmt::format("tfprof {}: code view of {}", kVersion, fmt::join(report_.input_files, ", "))));
    out.add_int64(14, Text(name));
    Flush();
  }

  // A call: the function of the called frame, the line in the calling one. The outermost frame has no caller,
  // so no location (0).
  uint64_t LocationOf(uint32_t index) {
    const CodeFrame& frame = report_.code_frames[index];
    const bool outermost = frame.caller == kNoIndex;
    if (outermost && !IsNoPlace(frame)) return 0;
    uint64_t& known = location_of_frame_[index];
    if (known == 0) {
      const std::pair key{FunctionOf(frame), outermost ? 0 : report_.code_frames[frame.caller].line};
      const auto [location, fresh] = locations_.try_emplace(key, locations_.size() + 1);
      if (fresh) location_order_.push_back(key);
      known = location->second;
    }
    return known;
  }

  uint64_t FunctionOf(const CodeFrame& frame) {
    std::string_view base = Basename(frame.file);
    if (base.ends_with(".py")) base.remove_suffix(3);
    const std::string name = fmt::format("{}{}{}{}", base, IsNoPlace(frame) ? "" : ":", frame.function,
                                         frame.gradient ? kGradientSuffix : "");
    const std::pair key{Text(name), Text(frame.file)};
    const auto [function, fresh] = functions_.try_emplace(key, functions_.size() + 1);
    if (fresh) function_order_.push_back(key);
    return function->second;
  }

  void WriteSamples(const Row& row, int64_t hidden_nodes, int64_t hidden) {
    if (report_.GraphNodesOf(row).empty() && hidden == 0) return;
    stack_.clear();
    for (uint32_t f = report_.MoreOf(row).frame; f != kNoIndex; f = report_.code_frames[f].caller) {
      if (const uint64_t location = LocationOf(f)) stack_.push_back(location);
    }
    for (const Row& node : report_.GraphNodesOf(row)) {
      WriteSample(1, report_.Own(node)[figure_], node.name);
    }
    if (hidden > 0) WriteSample(hidden_nodes, hidden, kHidden);
  }

  void WriteSample(int64_t count, int64_t value, std::string_view name) {
    const int64_t values[] = {count, value};
    {
      pbf_writer out(piece_);
      pbf_writer sample(out, 2);
      sample.add_packed_uint64(1, stack_.begin(), stack_.end());
      sample.add_packed_int64(2, std::begin(values), std::end(values));
      pbf_writer label(sample, 3);
      label.add_int64(1, label_key_);
      label.add_int64(2, Text(name));
    }
    Flush();
  }

  void WriteTables() {
    pbf_writer out(piece_);
    for (size_t i = 0; i < location_order_.size(); ++i) {
      const auto& [function, calling_line] = location_order_[i];
      pbf_writer location(out, 4);
      location.add_uint64(1, i + 1);
      location.add_uint64(2, 1);
      pbf_writer line(location, 4);
      line.add_uint64(1, function);
      line.add_int64(2, calling_line);
    }
    for (size_t i = 0; i < function_order_.size(); ++i) {
      const auto& [name, file] = function_order_[i];
      pbf_writer function(out, 5);
      function.add_uint64(1, i + 1);
      function.add_int64(2, name);
      function.add_int64(3, name);
      function.add_int64(4, file);
    }
    Flush();
    for (std::string_view text : texts_) {
      pbf_writer(piece_).add_string(6, text.data(), text.size());
      Flush();
    }
  }

  const Report& report_;
  ColumnId figure_;
  GzipFile& file_;
  std::vector<uint64_t> location_of_frame_;                     // 0: not asked for yet
  std::map<std::pair<uint64_t, int64_t>, uint64_t> locations_;  // function, calling line -> id
  std::map<std::pair<int64_t, int64_t>, uint64_t> functions_;   // name, file -> id
  std::vector<std::pair<uint64_t, int64_t>> location_order_;
  std::vector<std::pair<int64_t, int64_t>> function_order_;
  std::unordered_map<std::string, size_t> text_ids_;
  std::vector<std::string_view> texts_;  // keys of text_ids_, which stay where they are
  int64_t label_key_ = 0;
  std::vector<uint64_t> stack_;
  std::string piece_;
};

}  // namespace

Status WritePprof(const Report& report, ColumnId figure, const std::string& path) {
  Result<AtomicFile> file = AtomicFile::Create(path);
  if (!file) return file.error();
  GzipFile packed(std::move(*file));
  if (!packed.usable()) return Error::Input(path + ": not enough memory to compress it");
  PprofWriter(report, figure, packed).Write();
  return packed.Commit();
}

}  // namespace tfprof
