// api/source: the text around a line. Files are read below the folders that the user named alone, and of
// these only such as the call stacks of the run name: a run is a stranger's, and so is whoever asks.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "base/paths.h"
#include "base/text.h"
#include "server/context.h"

namespace tfprof::server {
namespace {

namespace fs = std::filesystem;
constexpr int64_t kAround = 12, kMostLines = 1'000'000;
constexpr uintmax_t kMostBytes = 16 << 20;

// The file on this machine that a recorded one stands for: itself, or the longest end of its path that is
// below a folder.
std::optional<fs::path> Find(const std::vector<std::string>& folders, const std::string& recorded) {
  for (const std::string& folder : folders) {
    std::error_code error;
    const fs::path root = fs::canonical(folder, error);
    if (error) continue;
    const fs::path parts = fs::path(recorded).relative_path();
    std::vector<fs::path> tried = {fs::path(recorded)};
    for (auto first = parts.begin(); first != parts.end(); ++first) {
      fs::path one = root;
      for (auto part = first; part != parts.end(); ++part) one /= *part;
      tried.push_back(std::move(one));
    }
    for (const fs::path& one : tried) {
      const fs::path real = fs::canonical(one, error);
      if (!error && IsBelow(real, root) && fs::is_regular_file(real, error) &&
          fs::file_size(real, error) <= kMostBytes)
        return real;
    }
  }
  return std::nullopt;
}

}  // namespace

Answer AnswerSource(Context& context, std::string_view, const Query& query) {
  const Result<Run> run = context.RunOf(query);
  if (!run) return ErrorAnswer(run.error());
  const std::string file = query.Get("file");
  const Result<int64_t> line = query.Number("line", 1, 0, kMostLines);
  if (!line) return ErrorAnswer(line.error());
  const Result<std::shared_ptr<const ViewTree>> tree = TreeOf(context, *run, ViewKind::kCode, {});
  if (!tree) return ErrorAnswer(tree.error());
  const auto& frames = (*tree)->report().code_frames;
  const auto named = [&](const CodeFrame& frame) { return frame.file == file; };
  if (std::none_of(frames.begin(), frames.end(), named))
    return ErrorAnswer(404, fmt::format("{}: no call stack of this run names it", Printable(file)));
  const std::optional<fs::path> found = Find(context.options().source, file);
  if (!found)
    return ErrorAnswer(404, context.options().source.empty()
                                ? "source files are shown below folders given with --source DIR"
                                : "the file is not below the folders given with --source");
  const int64_t first = std::max<int64_t>(1, *line - kAround), last = *line + kAround;
  std::ifstream in(*found);
  JsonAnswer answer;
  JsonWriter& json = answer.json();
  json.Object("", [&] {
    json.Field("file", file);
    Field(json, "first", first);
    json.Array("lines", [&] {
      std::string text;
      for (int64_t n = 1; n <= last && std::getline(in, text); ++n) {
        if (n >= first) json.Text(text);
      }
    });
    json.Field("from", "file");
  });
  return answer.Take();
}

}  // namespace tfprof::server
