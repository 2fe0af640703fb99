/* SPDX-License-Identifier: Apache-2.0 */
/* Runtime for a program built with -fsanitize-coverage=trace-pc-guard or inline-8bit-counters
   (clang, rustc, swiftc) or trace-pc (gcc): what it executes is counted in the map named by
   RPCSPEC_COVERAGE. Without that variable, or with one that names no map, it does nothing.

     cc -O2 -c rpcspec_coverage.c
     clang++ -g -fsanitize-coverage=trace-pc-guard server.cc rpcspec_coverage.o -o server

   Counting touches the mapped memory and nothing else, so code that runs in signal handlers, before
   main() or after fork() may be instrumented. Threads do not lock: two that count the same place at
   the same time may count it once. */
#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include "rpcspec_coverage.h"

#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* This file may be compiled by the very command that instruments the program. */
#if defined(__clang__)
#define UNCOUNTED __attribute__((no_sanitize("coverage")))
#elif defined(__GNUC__) && __GNUC__ >= 12
#define UNCOUNTED __attribute__((no_sanitize_coverage))
#else
#define UNCOUNTED
#endif
#define SHOWN __attribute__((visibility("default")))

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the map */

static struct rpcspec_coverage_header* map_header;
static uint8_t* map_counters; /* null: there is no map */
static uint32_t map_mask;
static uint32_t map_header_size;
static int map_fd = -1; /* only while counters are being placed */
static int looked_for_map;
static uint32_t next_place; /* the first that no module has */
static uint32_t places;     /* of all modules */
static int hashes;          /* any counter may be written */

UNCOUNTED static void raise_to(uint32_t* word, uint32_t value) {
  uint32_t seen = __atomic_load_n(word, __ATOMIC_RELAXED);
  while (seen < value &&
         !__atomic_compare_exchange_n(word, &seen, value, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
}

UNCOUNTED static uint32_t mixed(uint32_t value) {
  value ^= value >> 16;
  value *= 0x7feb352du;
  value ^= value >> 15;
  value *= 0x846ca68bu;
  value ^= value >> 16;
  return value;
}

/* The first places have counters of their own, the others share them. */
UNCOUNTED static uint32_t counter_of(uint32_t place) {
  return place <= map_mask ? place : mixed(place) & map_mask;
}

UNCOUNTED static void count(uint32_t counter) {
  uint8_t* at = map_counters + counter;
  const uint8_t value = __atomic_load_n(at, __ATOMIC_RELAXED);
  if (value != 255) __atomic_store_n(at, (uint8_t)(value + 1), __ATOMIC_RELAXED);
}

UNCOUNTED static int is_a_map(const struct rpcspec_coverage_header* header, uint64_t file_size) {
  const uint32_t counters = header->counters;
  return memcmp(header->magic, RPCSPEC_COVERAGE_MAGIC, sizeof header->magic) == 0 &&
         header->version == RPCSPEC_COVERAGE_VERSION && header->header_size >= sizeof *header &&
         counters != 0 && (counters & (counters - 1)) == 0 &&
         (uint64_t)header->header_size + counters <= file_size;
}

/* Modules announce themselves one after the other, by the dynamic loader. The descriptor stays open
   for later modules; it is close-on-exec. */
UNCOUNTED static void attach(void) {
  const char* path;
  struct stat status;
  void* memory;
  struct rpcspec_coverage_header* header;
  if (looked_for_map) return;
  looked_for_map = 1;
  path = getenv(RPCSPEC_COVERAGE_VARIABLE);
  if (path == NULL || *path == '\0') return;
  map_fd = open(path, O_RDWR | O_CLOEXEC);
  if (map_fd < 0) return;
  if (fstat(map_fd, &status) != 0 || (uint64_t)status.st_size < sizeof *header) return;
  memory = mmap(NULL, (size_t)status.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, map_fd, 0);
  if (memory == MAP_FAILED) return;
  header = (struct rpcspec_coverage_header*)memory;
  if (!is_a_map(header, (uint64_t)status.st_size)) {
    munmap(memory, (size_t)status.st_size);
    return;
  }
  map_header = header;
  map_header_size = header->header_size;
  map_mask = header->counters - 1;
  map_counters = (uint8_t*)memory + header->header_size;
  __atomic_fetch_add(&header->attached, 1, __ATOMIC_RELAXED);
}

/* Takes `size` places for a module, the first of them a multiple of `align`. */
UNCOUNTED static uint32_t take_places(size_t size, uint32_t align) {
  const uint32_t begin = (next_place + align - 1) / align * align;
  const uint64_t end = (uint64_t)begin + size;
  next_place = end > UINT32_MAX ? UINT32_MAX : (uint32_t)end;
  places += (uint32_t)size;
  raise_to(&map_header->used, next_place > map_mask ? map_mask + 1 : next_place);
  raise_to(&map_header->edges, places);
  return begin;
}

UNCOUNTED static void count_hashed(uint32_t place) {
  if (!looked_for_map) attach();
  if (map_counters == NULL) return;
  if (!hashes) {
    hashes = 1;
    raise_to(&map_header->used, map_mask + 1);
  }
  count(mixed(place) & map_mask);
}

SHOWN UNCOUNTED void rpcspec_coverage_hit(uint32_t place) { count_hashed(place); }

/* ---- trace-pc-guard: a word of ours per edge, 0 where nothing is to be counted */

SHOWN UNCOUNTED void __sanitizer_cov_trace_pc_guard_init(uint32_t* start, uint32_t* stop) {
  uint32_t place;
  attach();
  if (map_counters == NULL || start == stop || *start != 0) return; /* told twice */
  place = take_places((size_t)(stop - start), 1);
  for (; start < stop; ++start) *start = 1 + counter_of(place++);
}

SHOWN UNCOUNTED void __sanitizer_cov_trace_pc_guard(uint32_t* guard) {
  const uint32_t counter = *guard;
  if (counter != 0) count(counter - 1);
}

/* ---- trace-pc: edges have no numbers; their distance from the begin of the program, which stays
   the same wherever it is loaded, is hashed. Places in shared libraries vary with their address. */

extern const char __ehdr_start[] __attribute__((weak, visibility("hidden")));

SHOWN UNCOUNTED void __sanitizer_cov_trace_pc(void) {
  const uintptr_t place = (uintptr_t)__builtin_return_address(0) - (uintptr_t)__ehdr_start;
  count_hashed((uint32_t)place ^ (uint32_t)((uint64_t)place >> 32));
}

/* ---- inline-8bit-counters: the program counts in arrays of its own. Their whole pages are
   replaced by pages of the map; what is left of an array is copied when it is published.

   This makes the array of the program begin with a page of its own; when this file is linked last,
   it ends with one, too. */

#define LARGEST_PAGE 65536
#define SMALLEST_PAGE 4096
#if defined(__clang__)
__attribute__((section("__sancov_cntrs"), aligned(SMALLEST_PAGE),
               used)) static uint8_t own_page[SMALLEST_PAGE];
#endif

struct left_over {
  uint8_t* counters;
  size_t size;
  uint32_t place;
};
static struct left_over left_overs[64];
static unsigned left_over_count;

UNCOUNTED static void leave_over(uint8_t* begin, uint8_t* end, uint32_t place) {
  struct left_over* one = left_overs + left_over_count;
  if (begin >= end || left_over_count == sizeof left_overs / sizeof *left_overs) return;
  one->counters = begin;
  one->size = (size_t)(end - begin);
  one->place = place;
  if (left_over_count++ == 0) atexit(rpcspec_coverage_publish);
}

SHOWN UNCOUNTED void __sanitizer_cov_8bit_counters_init(uint8_t* start, uint8_t* stop) {
  static uint8_t* told[64];
  static unsigned told_count;
  const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  uint8_t* first = (uint8_t*)(((uintptr_t)start + page - 1) & ~(page - 1));
  uint8_t* last = (uint8_t*)((uintptr_t)stop & ~(page - 1));
  uint32_t place;
  unsigned i;
  attach();
  if (map_counters == NULL || start >= stop || page > LARGEST_PAGE) return;
  for (i = 0; i < told_count; ++i) {
    if (told[i] == start) return;
  }
  if (told_count < sizeof told / sizeof *told) told[told_count++] = start;

  /* The place of `first` is a multiple of the page size, as its address is. */
  place = take_places((size_t)(stop - start) + page, (uint32_t)page);
  if (first < stop) place += (uint32_t)((page - (uintptr_t)(first - start) % page) % page);
  if (first < last && (uint64_t)place + (uint64_t)(last - start) <= (uint64_t)map_mask + 1 &&
      map_header_size % page == 0) {
    const uint32_t at = place + (uint32_t)(first - start);
    if (mmap(first, (size_t)(last - first), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, map_fd,
             (off_t)map_header_size + (off_t)at) != MAP_FAILED) {
      leave_over(start, first, place);
      leave_over(last, stop, place + (uint32_t)(last - start));
      return;
    }
  }
  leave_over(start, stop, place);
}

SHOWN UNCOUNTED void rpcspec_coverage_publish(void) {
  unsigned i;
  for (i = 0; i < left_over_count; ++i) {
    const struct left_over* one = left_overs + i;
    size_t n;
    for (n = 0; n < one->size; ++n) {
      uint8_t* at;
      unsigned sum;
      if (one->counters[n] == 0) continue;
      at = map_counters + counter_of(one->place + (uint32_t)n);
      sum = (unsigned)*at + one->counters[n];
      *at = (uint8_t)(sum > 255 ? 255 : sum);
      one->counters[n] = 0;
    }
  }
}

/* ---- what else such builds may refer to, as in -fsanitize=fuzzer-no-link; none of it is counted
 */

#define IGNORED SHOWN UNCOUNTED __attribute__((weak)) void
IGNORED __sanitizer_cov_pcs_init(const uintptr_t* start, const uintptr_t* stop) {
  (void)start, (void)stop;
}
IGNORED __sanitizer_cov_trace_pc_indir(uintptr_t callee) { (void)callee; }
IGNORED __sanitizer_cov_trace_cmp1(uint8_t a, uint8_t b) { (void)a, (void)b; }
IGNORED __sanitizer_cov_trace_cmp2(uint16_t a, uint16_t b) { (void)a, (void)b; }
IGNORED __sanitizer_cov_trace_cmp4(uint32_t a, uint32_t b) { (void)a, (void)b; }
IGNORED __sanitizer_cov_trace_cmp8(uint64_t a, uint64_t b) { (void)a, (void)b; }
IGNORED __sanitizer_cov_trace_const_cmp1(uint8_t a, uint8_t b) { (void)a, (void)b; }
IGNORED __sanitizer_cov_trace_const_cmp2(uint16_t a, uint16_t b) { (void)a, (void)b; }
IGNORED __sanitizer_cov_trace_const_cmp4(uint32_t a, uint32_t b) { (void)a, (void)b; }
IGNORED __sanitizer_cov_trace_const_cmp8(uint64_t a, uint64_t b) { (void)a, (void)b; }
IGNORED __sanitizer_cov_trace_switch(uint64_t value, uint64_t* cases) { (void)value, (void)cases; }
IGNORED __sanitizer_cov_trace_div4(uint32_t value) { (void)value; }
IGNORED __sanitizer_cov_trace_div8(uint64_t value) { (void)value; }
IGNORED __sanitizer_cov_trace_gep(uintptr_t index) { (void)index; }

#ifdef __cplusplus
}
#endif
