#include <errno.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <string>
#include <string_view>

#include "base/system_error.h"
#include "oom/line_scanner.h"
#include "oom/log_reader.h"
#include "oom/memory_dump.h"
#include "oom/settle.h"
#include "tfprof/oom.h"

namespace tfprof {
namespace {

using namespace oom;

constexpr size_t kBlock = size_t{1} << 18;        // stays in the processor's cache
constexpr size_t kLargestDump = size_t{1} << 30;  // a MemoryDump from a pipe has to be kept

// One input, read from the front.
class Input {
 public:
  static Result<Input> Open(const std::string& path) {
    Input input(path);
    input.fd_ = path == "-" ? STDIN_FILENO : open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (input.fd_ < 0) return SystemError(path, "opened");
    return input;
  }
  Input(Input&& other) noexcept : path_(other.path_), fd_(std::exchange(other.fd_, -1)) {}
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;
  ~Input() {
    if (fd_ > STDIN_FILENO) close(fd_);
  }

  // Up to `size` bytes; fewer only at the end.
  Result<size_t> Read(char* to, size_t size) const {
    size_t done = 0;
    while (done < size) {
      const ssize_t n = read(fd_, to + done, size - done);
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) return SystemError(Name(), "read");
      if (n == 0) break;
      done += static_cast<size_t>(n);
    }
    return done;
  }

 private:
  explicit Input(const std::string& path) : path_(path) {}
  std::string_view Name() const { return path_ == "-" ? std::string_view("standard input") : path_; }

  const std::string& path_;
  int fd_ = -1;
};

Status ReadDumpFile(const Input& input, std::string bytes, const std::string& file, OomReport* report) {
  for (size_t size = bytes.size();;) {
    bytes.resize(size + kBlock);
    const Result<size_t> read = input.Read(bytes.data() + size, kBlock);
    if (!read) return read.error();
    size += *read;
    bytes.resize(size);
    if (*read < kBlock) break;
    if (size > kLargestDump) return Error::Input(fmt::format("{}: a MemoryDump of more than 1 GiB", file));
  }
  report->bytes += static_cast<int64_t>(bytes.size());
  report->events.push_back(ReadMemoryDump(bytes, file));
  return {};
}

Status ReadLog(const Input& input, std::string block, const std::string& file, OomReport* report) {
  Budget budget;
  LogReader reader(file, &budget);
  LineScanner scanner(&reader);
  Status status;
  while (!block.empty()) {
    report->bytes += static_cast<int64_t>(block.size());
    scanner.Add(block);
    block.resize(kBlock);
    const Result<size_t> read = input.Read(block.data(), kBlock);
    if (!read) status = read.error();
    block.resize(read ? *read : 0);
  }
  scanner.Finish();
  report->lines += scanner.lines();
  report->not_failures += reader.not_failures();
  report->events_left_out += reader.left_out();
  Settle(reader.TakeRecords(), report);
  return status;
}

Status ReadOne(const std::string& file, OomReport* report) {
  const Result<Input> input = Input::Open(file);
  if (!input) return input.error();
  std::string begin(kBlock, '\0');
  const Result<size_t> size = input->Read(begin.data(), begin.size());
  if (!size) return size.error();
  begin.resize(*size);
  return IsMemoryDump(begin) ? ReadDumpFile(*input, std::move(begin), file, report)
                             : ReadLog(*input, std::move(begin), file, report);
}

}  // namespace

Result<OomReport> ReadOom(const std::vector<std::string>& files) {
  if (files.empty()) return Error::Usage("no log: give files, or - for standard input");
  OomReport report;
  report.files = files;
  for (const std::string& file : files) {
    if (const Status status = ReadOne(file, &report); !status)
      report.unreadable.push_back(status.error().message);
  }
  return report;
}

}  // namespace tfprof
