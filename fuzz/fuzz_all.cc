// All targets as one libFuzzer program: `fuzz_all TARGET [libFuzzer's options] [folders]`. The name may also
// stand in TFPROF_FUZZ_TARGET, where the processes that libFuzzer starts itself find it.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "mutate.h"
#include "targets.h"

namespace {

constexpr char kVariable[] = "TFPROF_FUZZ_TARGET";

const tfprof::FuzzTarget& Chosen() {
  static const tfprof::FuzzTarget* const kChosen = [] {
    const char* name = std::getenv(kVariable);
    const tfprof::FuzzTarget* found = tfprof::FindFuzzTarget(name ? name : "");
    if (found) return found;
    std::fprintf(stderr, "usage: fuzz_all TARGET [options of libFuzzer] [folders]; targets:");
    for (const tfprof::FuzzTarget& target : tfprof::FuzzTargets())
      std::fprintf(stderr, " %s", std::string(target.name).c_str());
    std::fprintf(stderr, "\n");
    std::exit(2);
  }();
  return *kChosen;
}

size_t Give(const std::string& bytes, uint8_t* out, size_t most) {
  const size_t size = std::min(bytes.size(), most);
  if (size > 0) std::memcpy(out, bytes.data(), size);
  return size;
}

std::string_view View(const uint8_t* data, size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

}  // namespace

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t most);

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  if (*argc > 1 && tfprof::FindFuzzTarget((*argv)[1])) {
    setenv(kVariable, (*argv)[1], 1);
    std::rotate(*argv + 1, *argv + 2, *argv + *argc);
    (*argv)[--*argc] = nullptr;
  }
  Chosen();
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Chosen().run(View(data, size));
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t most, unsigned seed) {
  if (Chosen().structure == tfprof::Structure::kText) return LLVMFuzzerMutate(data, size, most);
  tfprof::Random random(seed);
  const auto mutate_bytes = [](std::string_view bytes, size_t limit) {
    std::string out(bytes.substr(0, limit));
    const size_t before = out.size();
    out.resize(std::max<size_t>(limit, 1));
    out.resize(LLVMFuzzerMutate(reinterpret_cast<uint8_t*>(out.data()), before, out.size()));
    return out;
  };
  return Give(tfprof::Mutate(Chosen().structure, View(data, size), most, random, mutate_bytes), data, most);
}

extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t* one, size_t one_size, const uint8_t* other,
                                            size_t other_size, uint8_t* out, size_t most, unsigned seed) {
  tfprof::Random random(seed);
  return Give(tfprof::CrossOver(Chosen().structure, View(one, one_size), View(other, other_size), random),
              out, most);
}
