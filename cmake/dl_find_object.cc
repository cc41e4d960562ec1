// The unwinder of g++ 12 asks the C library which loaded object an address is in, by a function that glibc
// has since version 2.35 only. This is the same function, by the older dl_iterate_phdr: slower, which
// exceptions do not notice, and there wherever the program may run. Hidden, so that nothing else in the
// process uses it.
#include <dlfcn.h>
#include <link.h>

#include <cstdint>

#ifdef DLFO_EH_SEGMENT_TYPE  // a glibc that has the function

namespace {

struct Search {
  uintptr_t address;
  dl_find_object *result;
};

int Look(dl_phdr_info *object, size_t /*size*/, void *data) {
  auto *search = static_cast<Search *>(data);
  uintptr_t start = UINTPTR_MAX, end = 0, unwind_table = 0;
  bool holds_it = false;
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const auto &segment = object->dlpi_phdr[i];
    const uintptr_t from = object->dlpi_addr + segment.p_vaddr;
    if (segment.p_type == DLFO_EH_SEGMENT_TYPE) unwind_table = from;
    if (segment.p_type != PT_LOAD) continue;
    const uintptr_t to = from + segment.p_memsz;
    if (from < start) start = from;
    if (to > end) end = to;
    if (search->address >= from && search->address < to) holds_it = true;
  }
  if (!holds_it || unwind_table == 0) return 0;
  *search->result = {};
  search->result->dlfo_map_start = reinterpret_cast<void *>(start);
  search->result->dlfo_map_end = reinterpret_cast<void *>(end);
  search->result->dlfo_eh_frame = reinterpret_cast<void *>(unwind_table);
  return 1;
}

}  // namespace

extern "C" [[gnu::visibility("hidden")]] int _dl_find_object(void *address, dl_find_object *result) noexcept {
  Search search{reinterpret_cast<uintptr_t>(address), result};
  return dl_iterate_phdr(Look, &search) == 1 ? 0 : -1;
}

#endif
