#include "base/emergency.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <string_view>

#include "base/text.h"

namespace tfprof {
namespace {

// A slot is taken, filled, and only then shown to the handlers.
enum : int { kFree, kTaken, kShown };

struct FileSlot {
  std::atomic<int> state = kFree;
  char path[4096];
};
// One thread looks for its own mapping while another fills a slot, so that what is compared is atomic too.
struct MappingSlot {
  std::atomic<int> state = kFree;
  std::atomic<const char*> begin = nullptr;
  std::atomic<size_t> size = 0;
  char name[256];
};

std::array<FileSlot, 16> doomed_files;
std::array<MappingSlot, 256> mappings;
int truncated_status = 0;
struct sigaction before_sigbus;

template <class Slots>
int Take(Slots& slots) {
  for (size_t i = 0; i < slots.size(); ++i) {
    int expected = kFree;
    if (slots[i].state.compare_exchange_strong(expected, kTaken)) return static_cast<int>(i);
  }
  return -1;
}

template <size_t kSize>
void Copy(std::string_view text, char (&out)[kSize]) {
  const size_t size = std::min(text.size(), kSize - 1);
  memcpy(out, text.data(), size);
  out[size] = '\0';
}

void RemoveDoomedFiles() {
  for (const FileSlot& slot : doomed_files) {
    if (slot.state == kShown) unlink(slot.path);
  }
}

void OnEnd(int number) {
  RemoveDoomedFiles();
  signal(number, SIG_DFL);
  raise(number);
}

void Say(const char* text) {
  const ssize_t written = write(STDERR_FILENO, text, strlen(text));
  static_cast<void>(written);
}

void OnBusError(int number, siginfo_t* info, void*) {
  const char* at = static_cast<const char*>(info->si_addr);
  for (const MappingSlot& slot : mappings) {
    if (slot.state != kShown || at < slot.begin || at >= slot.begin + slot.size) continue;
    Say("tfprof: error: ");
    Say(slot.name);
    Say(": was cut short, or could not be read, while it was being read\n");
    RemoveDoomedFiles();
    _exit(truncated_status);
  }
  sigaction(number, &before_sigbus, nullptr);  // not ours: it happens again, to whom it belongs
}

}  // namespace

DoomedFile::DoomedFile(const std::string& path) : slot_(-1) {
  if (path.size() >= sizeof(FileSlot::path)) return;
  slot_ = Take(doomed_files);
  if (slot_ < 0) return;
  FileSlot& slot = doomed_files[static_cast<size_t>(slot_)];
  Copy(path, slot.path);
  slot.state = kShown;
}

DoomedFile::~DoomedFile() {
  if (slot_ >= 0) doomed_files[static_cast<size_t>(slot_)].state = kFree;
}

void RememberMapping(const void* begin, size_t size, const std::string& path) {
  const int taken = Take(mappings);
  if (taken < 0) return;
  MappingSlot& slot = mappings[static_cast<size_t>(taken)];
  slot.begin = static_cast<const char*>(begin);
  slot.size = size;
  Copy(Printable(path, sizeof(slot.name) - 8), slot.name);
  slot.state = kShown;
}

void ForgetMapping(const void* begin) {
  for (MappingSlot& slot : mappings) {
    if (slot.state == kShown && slot.begin == begin) slot.state = kFree;
  }
}

void RemoveFilesOnSignals() {
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction old = {}, action = {};
    if (sigaction(number, nullptr, &old) != 0 || old.sa_handler == SIG_IGN) continue;  // as under nohup
    action.sa_handler = OnEnd;
    action.sa_flags = SA_NODEFER;
    sigaction(number, &action, nullptr);
  }
}

void ExplainTruncatedMappings(int exit_status) {
  truncated_status = exit_status;
  struct sigaction action = {};
  action.sa_sigaction = OnBusError;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGBUS, &action, &before_sigbus);
}

void DoNotExplainTruncatedMappings() {
  struct sigaction now = {};
  if (sigaction(SIGBUS, nullptr, &now) == 0 && now.sa_sigaction == OnBusError)
    sigaction(SIGBUS, &before_sigbus, nullptr);
}

}  // namespace tfprof
