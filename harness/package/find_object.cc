// SPDX-License-Identifier: Apache-2.0
// Where the unwinder of a static libgcc looks for the tables of an address. It asks glibc 2.35 or
// later; the program runs with glibc 2.34, so it answers that question itself, by asking what every
// glibc knows. Exceptions that are thrown take a little longer for it.
#include <dlfcn.h>
#include <link.h>

#include <cstdint>
#include <cstring>

namespace {

struct Search {
  std::uintptr_t address;
  dl_find_object* result;
};

int look(dl_phdr_info* object, std::size_t, void* given) {
  auto* search = static_cast<Search*>(given);
  bool inside = false;
  std::uintptr_t from = UINTPTR_MAX, to = 0, tables = 0;
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const auto& part = object->dlpi_phdr[i];
    const std::uintptr_t begin = object->dlpi_addr + part.p_vaddr, end = begin + part.p_memsz;
    if (part.p_type == PT_GNU_EH_FRAME) tables = begin;
    if (part.p_type != PT_LOAD) continue;
    inside |= search->address >= begin && search->address < end;
    from = begin < from ? begin : from;
    to = end > to ? end : to;
  }
  if (!inside || tables == 0) return 0;
  search->result->dlfo_map_start = reinterpret_cast<void*>(from);
  search->result->dlfo_map_end = reinterpret_cast<void*>(to);
  search->result->dlfo_eh_frame = reinterpret_cast<void*>(tables);
  return 1;
}

}  // namespace

extern "C" int _dl_find_object(void* address, dl_find_object* result) noexcept {
  std::memset(result, 0, sizeof *result);
  Search search{reinterpret_cast<std::uintptr_t>(address), result};
  return dl_iterate_phdr(look, &search) == 1 ? 0 : -1;
}
