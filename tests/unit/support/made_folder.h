// A folder of a test's own, gone when the test ends.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace tfprof {

class MadeFolder {
 public:
  MadeFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "tfprof_test_XXXXXX").string();
    root_ = mkdtemp(name.data());
  }
  ~MadeFolder() { std::filesystem::remove_all(root_); }
  MadeFolder(const MadeFolder&) = delete;
  MadeFolder& operator=(const MadeFolder&) = delete;

  std::string path(const std::string& name = "") const { return name.empty() ? root_ : root_ + "/" + name; }

  // Folders on the way come into being too; the path of the file.
  std::string Write(const std::string& name, std::string_view bytes) const {
    const std::filesystem::path file = path(name);
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << bytes;
    return file.string();
  }

 private:
  std::string root_;
};

}  // namespace tfprof
