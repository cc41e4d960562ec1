#include "load/use_run.h"

#include <new>
#include <set>
#include <stdexcept>

#include "model/captured_run.h"
#include "model/live_memory.h"
#include "model/profile.h"

namespace tfprof {

Status UseRun(const RunPlace& run, const Options& options, LoadDetail detail,
              const std::function<Status(const Loaded&)>& use, const Progress& progress) {
  if (!run.error.empty()) return Error::Input(run.error);
  try {
    const Result<Loaded> loaded = Load(options, detail, progress);
    if (!loaded) return loaded.error();
    return use(*loaded);
  } catch (const std::bad_alloc&) {
    return Error::Input(run.path + ": there is not enough memory for it");
  } catch (const std::length_error&) {
    return Error::Input(run.path + ": there is not enough memory for it");
  }
}

std::string_view FrameworkOf(const Profile& profile) {
  if (profile.live_memory) return profile.live_memory->source.starts_with("JAX") ? "JAX" : "";
  if (!profile.capture) return "TensorFlow";
  for (const ProgramMemory& program : profile.capture->memory.programs) {
    if (program.name && profile.strings[program.name].starts_with("jit_")) return "JAX";
  }
  return "";
}

std::string FormatsOf(const Profile& profile) {
  std::set<std::string_view> formats;
  for (const InputFile& file : profile.files) formats.insert(file.format);
  std::string out;
  for (const std::string_view format : formats) out.append(out.empty() ? "" : ", ").append(format);
  return out;
}

}  // namespace tfprof
