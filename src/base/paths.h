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

// The names of the regular files in a directory ("": the current one), in byte order.
Result<std::vector<std::string>> FilesIn(const std::string& directory);

}  // namespace tfprof
