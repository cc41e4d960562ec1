// The corpora as ordinary tests, with any compiler:
//
//   replay TARGET FOLDER [N]  runs every file of the folder through a fuzz target, and each changed N times
//   replay FOLDER             whether there is a corpus for every target, and a target for every corpus
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "mutate.h"
#include "targets.h"

namespace {

namespace fs = std::filesystem;

int CheckFolders(const fs::path& corpora) {
  std::vector<std::string> names, folders;
  for (const tfprof::FuzzTarget& target : tfprof::FuzzTargets()) names.emplace_back(target.name);
  for (const auto& entry : fs::directory_iterator(corpora)) folders.push_back(entry.path().filename());
  std::sort(folders.begin(), folders.end());
  if (names == folders) return 0;
  std::printf("%s: the folders are not those of the table, sorted (targets.cc)\n", corpora.c_str());
  return 1;
}

// What libFuzzer does with plain bytes, in short.
std::string ChangeBytes(std::string_view bytes, size_t most, tfprof::Random& random) {
  std::string out(bytes.substr(0, most));
  const size_t at = out.empty() ? 0 : random() % out.size();
  switch (random() % 4) {
    case 0:
      if (out.size() < most) out.insert(at, 1, static_cast<char>(random()));
      break;
    case 1:
      out.erase(at, random() % 8);
      break;
    case 2:
      out.resize(at);
      break;
    default:
      if (!out.empty()) out[at] = static_cast<char>(out[at] ^ (1 << random() % 8));
  }
  return out;
}

// The same changes every time.
void ReplayChanged(const tfprof::FuzzTarget& target, const std::string& content, int rounds) {
  tfprof::Random random(static_cast<unsigned>(content.size() + 1));
  const auto change = [&](std::string_view bytes, size_t most) { return ChangeBytes(bytes, most, random); };
  for (int i = 0; i < rounds; ++i)
    target.run(tfprof::Mutate(target.structure, content, content.size() + 100, random, change));
}

int Replay(const tfprof::FuzzTarget& target, const fs::path& folder, int rounds) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  for (const fs::path& path : files) {
    std::printf("%s\n", path.c_str());
    std::fflush(stdout);  // the last line names the file that crashed
    std::ifstream in(path, std::ios::binary);
    const std::string content((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    target.run(content);
    ReplayChanged(target, content, rounds);
  }
  std::printf("%zu files\n", files.size());
  return files.empty() ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2) return CheckFolders(argv[1]);
  const tfprof::FuzzTarget* target = argc > 2 ? tfprof::FindFuzzTarget(argv[1]) : nullptr;
  if (target) return Replay(*target, argv[2], argc > 3 ? std::atoi(argv[3]) : 0);
  std::fprintf(stderr, "usage: replay TARGET FOLDER [N], or replay CORPORA\n");
  return 2;
}
