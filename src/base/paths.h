// What lies at a path.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tfprof/result.h"

namespace tfprof {

bool PathExists(const std::string& path);
bool IsDirectory(const std::string& path);
bool IsRegularFile(const std::string& path);
bool IsBelow(const std::filesystem::path& path, const std::filesystem::path& root);  // both canonical; or it

// What a directory holds; `is_directory` and `is_file` say what a link leads to.
struct DirectoryEntry {
  std::string name;
  bool is_link = false, is_directory = false, is_file = false;
};

// All but . and .., in byte order of the names ("": the current directory). Not by the standard library,
// whose iterators end the process where memory does.
Result<std::vector<DirectoryEntry>> EntriesIn(const std::string& directory);

// The names of its regular files.
Result<std::vector<std::string>> FilesIn(const std::string& directory);

}  // namespace tfprof
