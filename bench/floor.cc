// What no reader of these files can do without, to measure others by: reading their bytes from the page
// cache, and stepping through every field that a profile needs, without keeping anything.
//
//   floor graph.pb run_meta_0 tfprof_log      prints CPU seconds: {"read": 0.12, "walk": 0.51, "fields": 12345}
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <protozero/pbf_reader.hpp>
#include <string_view>

namespace {

struct Message;
struct Child {
  uint32_t field;
  const Message* message;
};
// The fields that are messages; all others are stepped over one by one.
struct Message {
  Child children[4];
};

constexpr Message kLeaf = {};
constexpr Message kNode = {{{5, &kLeaf}}};  // attributes
constexpr Message kGraph = {{{1, &kNode}}};

constexpr Message kAllocator = {};
constexpr Message kTensor = {{{4, &kLeaf}}};
constexpr Message kOutput = {{{3, &kTensor}}};
constexpr Message kRecord = {{{6, &kAllocator}, {7, &kOutput}, {12, &kLeaf}}};
constexpr Message kDevice = {{{2, &kRecord}}};
constexpr Message kStep = {{{1, &kDevice}}};
constexpr Message kRun = {{{1, &kStep}}};

constexpr Message kCode = {{{1, &kLeaf}}};  // lines of a call stack
constexpr Message kEntry = {{{4, &kCode}}};
constexpr Message kLog = {{{1, &kEntry}}};

uint64_t fields = 0;

void Walk(protozero::pbf_reader reader, const Message& message) {
  while (reader.next()) {
    ++fields;
    const Message* inside = nullptr;
    if (reader.wire_type() == protozero::pbf_wire_type::length_delimited) {
      for (const Child& child : message.children) {
        if (child.message && child.field == reader.tag()) inside = child.message;
      }
    }
    if (inside) {
      Walk(reader.get_message(), *inside);
    } else {
      reader.skip();
    }
  }
}

double CpuSeconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

// Reads as much as a copy would, into one small buffer.
void Read(const char* path) {
  static char buffer[1 << 18];
  const int file = open(path, O_RDONLY);
  while (read(file, buffer, sizeof(buffer)) > 0) {
  }
  close(file);
}

bool WalkFile(const char* path, const Message& message) {
  const int file = open(path, O_RDONLY);
  struct stat st {};
  if (file < 0 || fstat(file, &st) != 0) return false;
  const auto size = static_cast<size_t>(st.st_size);
  void* mapped = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
  close(file);
  if (mapped == MAP_FAILED) return false;
  Walk(protozero::pbf_reader(static_cast<const char*>(mapped), size), message);
  munmap(mapped, size);
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  double start = CpuSeconds();
  for (int i = 1; i < argc; ++i) Read(argv[i]);
  const double read_seconds = CpuSeconds() - start;
  start = CpuSeconds();
  try {
    if (!WalkFile(argv[1], kGraph) || !WalkFile(argv[2], kRun) || !WalkFile(argv[3], kLog)) return 1;
  } catch (const protozero::exception&) {
    return 1;
  }
  std::printf("{\"read\": %.7f, \"walk\": %.7f, \"fields\": %llu}\n", read_seconds, CpuSeconds() - start,
              static_cast<unsigned long long>(fields));
}
