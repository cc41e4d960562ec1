// Small inputs of every kind, cut at every byte, and with one bit flipped at 10,000 places: each is loaded
// and reported on. tfprof_damage FOLDER...: inputs lie in folders of the names below.
//
// What holds always: an error that names the file, or a report. What more can be asked depends on what a
// format lets a reader know:
//   kRecords  protobuf on the wire. A cut between two fields of the outermost message leaves a whole, shorter
//             file, which nothing tells from a complete one; any other cut is an error, and with keep_going an
//             error or a report with a warning. A flipped bit may be another value.
//   kText     protobuf as text: the same, where fields end outside all braces.
//   kSealed   checksums or a directory at the end (gzip, zip, tables of checkpoints): every cut is an error or,
//             with keep_going, a warning. Flipped bits are, where the checksum covers them.
//   kFramed   event files: a cut between two records is a shorter file; any other loses the last record alone,
//             as when a job was killed, and is a warning without keep_going too.
//   kLines    logs: they begin and end anywhere.
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <vector>

#include "base/buffer.h"
#include "model/profile.h"
#include "report/document.h"
#include "target.h"
#include "tfprof/profile.h"

namespace tfprof {
namespace {

namespace fs = std::filesystem;

enum class Form { kRecords, kText, kSealed, kFramed, kLines };

struct Family {
  const char* folder;  // of the corpus or of the data
  Form form;
  const char* report;  // "": those of a profile, in turn
  const char* name;    // of the damaged file, where it says what the file is
};
constexpr Family kFamilies[] = {
    {"graph_def", Form::kRecords, "", "damaged"},
    {"text_proto", Form::kText, "", "damaged"},
    {"run_metadata", Form::kRecords, "", "damaged"},
    {"op_log", Form::kRecords, "", "damaged"},
    {"profile_proto", Form::kRecords, "", "damaged"},
    {"xplane", Form::kRecords, "", "damaged.xplane.pb"},
    {"event_file", Form::kFramed, "", "damaged"},
    {"memory", Form::kRecords, "memory", "damaged.prof"},
    {"model", Form::kRecords, "model", "damaged"},
    {"hlo", Form::kRecords, "model", "damaged"},
    {"keras", Form::kSealed, "model", "damaged.keras"},
    {"object", Form::kSealed, "checkpoint", "damaged_checkpoint.index"},
    {"oom", Form::kLines, "oom", "damaged"},
    {"oom_dump", Form::kLines, "oom", "damaged"},
};
constexpr size_t kSmall = 6000, kMostCuts = 15000, kMiddling = 40000, kFlips = 10000, kMostFindings = 20;
constexpr size_t kFewBytes = 4;  // may be anything: two are a field of a graph

struct Input {
  const Family* family;
  std::string path, bytes;
  bool sound = false;  // read without a word; else no more is asked than what holds always
};

struct Outcome {
  bool ok = false;
  std::string said;  // the error, or the warnings
};

std::string ReadWhole(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

void WriteWhole(const std::string& path, std::string_view bytes) {
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  Require(fd >= 0 && write(fd, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()),
          "the input is in a file");
  close(fd);
}

class Damage {
 public:
  explicit Damage(std::string folder) : folder_(std::move(folder)) {
    WriteWhole(folder_ + "/graph.pbtxt", "node { name: \"a\" op: \"Add\" }\n");
  }

  void Add(const Family& family, const fs::path& path) {
    Input input{&family, path.string(), ReadWhole(path)};
    if (input.bytes.empty() || input.bytes.size() > kMiddling) return;
    const Outcome whole = Load(input, input.bytes, false);
    input.sound = whole.ok && whole.said.empty();
    inputs_.push_back(std::move(input));
  }

  // Beside each file its data, so that a checkpoint's index has values to read.
  void AddData(const fs::path& path) {
    WriteWhole(folder_ + "/damaged_checkpoint.data-00000-of-00001", ReadWhole(path));
  }

  int Run() {
    for (const Input& input : inputs_) {
      const size_t done = by_family_[input.family->folder];
      if (input.bytes.size() <= (input.sound ? kSmall : kSmall / 8) && done + input.bytes.size() <= kMostCuts)
        CutEverywhere(input);
    }
    FlipBits();
    std::set<std::string_view> sound;
    for (const Input& input : inputs_) {
      if (input.sound) sound.insert(input.family->folder);
    }
    for (const Family& family : kFamilies) {
      if (!sound.contains(family.folder)) Finding(std::string(family.folder) + ": no sound input");
    }
    for (const auto& [folder, count] : by_family_) std::printf("%zu cuts of %s\n", count, folder.c_str());
    std::printf("%zu inputs, %zu cuts, %zu flipped bits, %zu findings\n", inputs_.size(), cuts_, flips_,
                findings_);
    return findings_ == 0 ? 0 : 1;
  }

 private:
  Outcome Load(const Input& input, std::string_view bytes, bool keep_going);
  Outcome Made(const ReportKind& kind, const ReportRequest& request);
  void CutEverywhere(const Input& input);
  void FlipBits();
  void Finding(const std::string& text) {
    if (++findings_ <= kMostFindings) std::fprintf(stderr, "%s\n", text.c_str());
  }
  void CheckAlways(const Input& input, const Outcome& outcome, const std::string& where) {
    if (!outcome.ok && outcome.said.find("damaged") == std::string::npos)
      Finding(input.path + " " + where + ": the error does not name the file: " + outcome.said);
  }

  std::string folder_;
  std::vector<Input> inputs_;
  std::map<std::string, size_t> by_family_;
  size_t cuts_ = 0, flips_ = 0, findings_ = 0, variant_ = 0;
};

Outcome Damage::Made(const ReportKind& kind, const ReportRequest& request) {
  const Result<MadeReport> made = kind.make(request);
  if (!made) return {false, made.error().message};
  Print(*made->document, variant_);
  std::string said;
  for (const ReportMessage& message : made->messages) said += message.text + "\n";
  for (const std::string& problem : made->problems) said += problem + "\n";
  for (const std::string& warning : made->document->warnings) said += warning + "\n";
  return {true, said};
}

Outcome Damage::Load(const Input& input, std::string_view bytes, bool keep_going) {
  const std::string path = folder_ + "/" + input.family->name;
  WriteWhole(path, bytes);
  Options options;
  options.keep_going = keep_going;
  const std::string_view folder = input.family->folder;
  if (folder == "op_log") {
    options.graph_path = folder_ + "/graph.pbtxt";
    options.op_log_path = path;
  } else {
    options.inputs = {path};
  }
  ++variant_;
  const ReportKind* kind = FindReportKind(input.family->report);
  if (kind && !kind->loads) return Made(*kind, {nullptr, options});
  const Result<Loaded> loaded = tfprof::Load(options, LoadDetail::kExecutions);
  if (!loaded) return {false, loaded.error().message};
  Outcome out{true, {}};
  for (const std::string& warning : loaded->profile->warnings) out.said += warning + "\n";
  if (!kind) {
    std::vector<const ReportKind*> kinds;
    for (const ReportKind& one : ReportKinds()) {
      if (one.loads) kinds.push_back(&one);
    }
    kind = kinds[variant_ % kinds.size()];
  }
  // What this kind does not find in a sound input either is no finding here.
  (void)Made(*kind, {loaded->profile, options});
  return out;
}

// Where the outermost message may end.
std::set<size_t> FieldEnds(std::string_view bytes) {
  std::set<size_t> out = {0};
  size_t at = 0;
  const auto varint = [&] {
    uint64_t value = 0;
    for (int shift = 0; at < bytes.size(); shift += 7) {
      const auto byte = static_cast<unsigned char>(bytes[at++]);
      if (shift < 64) value |= uint64_t{byte & 127u} << shift;
      if (byte < 128) break;
    }
    return value;
  };
  while (at < bytes.size()) {
    const uint64_t tag = varint();
    const uint64_t type = tag & 7;
    if (type == 0) {
      varint();
    } else {
      at += type == 2 ? varint() : type == 1 ? 8 : 4;
    }
    out.insert(at);
  }
  return out;
}

std::set<size_t> RecordEnds(std::string_view bytes) {
  std::set<size_t> out = {0};
  for (size_t at = 0; at + 8 <= bytes.size();) {
    uint64_t size = 0;
    for (size_t i = 0; i < 8; ++i) size |= uint64_t{static_cast<unsigned char>(bytes[at + i])} << (8 * i);
    at += 16 + size;
    out.insert(at);
  }
  return out;
}

// Outside all braces and texts. A number or a name may still be shorter than it was: nobody can know.
std::set<size_t> TextEnds(std::string_view bytes) {
  std::set<size_t> out;
  size_t depth = 0;
  char quote = 0;
  for (size_t i = 0; i <= bytes.size(); ++i) {
    if (depth == 0 && quote == 0) out.insert(i);
    if (i == bytes.size()) break;
    const char c = bytes[i];
    if (quote != 0) {
      if (c == '\\') {
        ++i;
      } else if (c == quote) {
        quote = 0;
      }
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '{' || c == '<') {
      ++depth;
    } else if (c == '}' || c == '>') {
      depth -= depth > 0;
    }
  }
  return out;
}

Form FormOf(const Input& input) { return IsGzip(input.bytes) ? Form::kSealed : input.family->form; }

void Damage::CutEverywhere(const Input& input) {
  const Form form = FormOf(input);
  const std::string_view bytes = input.bytes;
  std::set<size_t> ends;
  if (form == Form::kRecords) ends = FieldEnds(bytes);
  if (form == Form::kText) ends = TextEnds(bytes);
  if (form == Form::kFramed) ends = RecordEnds(bytes);
  for (size_t size = 0; size < bytes.size(); ++size) {
    ++cuts_;
    ++by_family_[input.family->folder];
    const std::string where = "cut at " + std::to_string(size);
    const Outcome strict = Load(input, bytes.substr(0, size), false);
    const Outcome going = Load(input, bytes.substr(0, size), true);
    CheckAlways(input, strict, where);
    CheckAlways(input, going, where + " (keep_going)");
    if (!input.sound || form == Form::kLines || ends.contains(size)) continue;
    if (form == Form::kFramed && size < kFewBytes) continue;
    if (strict.ok && (form != Form::kFramed || strict.said.empty()))
      Finding(input.path + " " + where + ": nobody says that it is cut");
    if (going.ok && going.said.empty())
      Finding(input.path + " " + where + ": with keep_going nobody says that it is cut");
  }
}

void Damage::FlipBits() {
  uint64_t state = 15;
  const auto random = [&state](uint64_t below) {  // splitmix64
    uint64_t z = state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (z ^ (z >> 31)) % below;
  };
  for (; flips_ < kFlips; ++flips_) {
    const Input& input = inputs_[flips_ % inputs_.size()];
    std::string bytes = input.bytes;
    const size_t at = random(bytes.size());
    const auto bit = random(8);
    bytes[at] = static_cast<char>(bytes[at] ^ (1 << bit));
    const std::string where = "bit " + std::to_string(bit) + " of byte " + std::to_string(at);
    const Outcome outcome = Load(input, bytes, flips_ % 2 == 1);
    CheckAlways(input, outcome, where);
    const bool sealed = FormOf(input) == Form::kFramed;
    if (input.sound && sealed && outcome.ok && outcome.said.empty())
      Finding(input.path + " " + where + ": a checksum does not hold, and nobody says so");
  }
}

}  // namespace
}  // namespace tfprof

int main(int argc, char** argv) {
  using namespace tfprof;
  // In memory where there is such a place: these are tens of thousands of files.
  const fs::path place = fs::is_directory("/dev/shm") ? "/dev/shm" : fs::temp_directory_path();
  std::string folder_name = (place / "tfprof_damage_XXXXXX").string();
  Require(mkdtemp(folder_name.data()) != nullptr, "there is a folder to write to");
  Damage damage(folder_name);
  std::vector<fs::path> files;
  for (int i = 1; i < argc; ++i) {
    for (const auto& entry : fs::recursive_directory_iterator(argv[i])) {
      if (entry.is_regular_file()) files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) {
    if (file.filename().string().find(".data-") != std::string::npos) damage.AddData(file);
  }
  for (const fs::path& file : files) {
    for (const Family& family : kFamilies) {
      if (file.parent_path().filename() == family.folder && file.extension() != ".json" &&
          file.filename() != "checkpoint" && file.filename().string().find(".data-") == std::string::npos)
        damage.Add(family, file);
    }
  }
  const int status = damage.Run();
  fs::remove_all(folder_name);
  return status;
}
