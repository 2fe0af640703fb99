/* SPDX-License-Identifier: Apache-2.0 */
/* The coverage map: a file in memory, shared by a fuzzer and the program it fuzzes. README.md
   beside this is the contract, for agents in other languages; this is the same in C, and what a
   program may call. C11 and C++11. */
#ifndef RPCSPEC_COVERAGE_H
#define RPCSPEC_COVERAGE_H

#include <stdint.h>

/* Names the file. Without it the runtime does nothing. */
#define RPCSPEC_COVERAGE_VARIABLE "RPCSPEC_COVERAGE"
#define RPCSPEC_COVERAGE_MAGIC "RPCSCOV" /* eight bytes, with its NUL */
#define RPCSPEC_COVERAGE_VERSION 1u

#ifdef __cplusplus
extern "C" {
#endif

/* How the file begins; integers have the byte order of the machine. */
struct rpcspec_coverage_header {
  char magic[8];
  uint32_t version;
  uint32_t header_size; /* where the counters begin: a multiple of the page size */
  uint32_t counters;    /* how many there are, a byte each: a power of two */
  uint32_t generation;  /* the fuzzer adds 1 when it clears the counters */
  uint32_t used;        /* agents raise it: no counter from here on was ever written */
  uint32_t edges;       /* agents raise it: how many places they know of, 0 when they cannot tell */
  uint32_t attached;    /* agents add 1 */
};

/* Counts `place`, any number that stays the same from run to run. For programs that have another
   idea of coverage than edges; a signal handler may call it. */
void rpcspec_coverage_hit(uint32_t place);

/* Copies counters that cannot be shared as they stand (see inline-8bit-counters in README.md). To
   be called before an answer is written; nothing to do for any other instrumentation. */
void rpcspec_coverage_publish(void);

#ifdef __cplusplus
}
#endif
#endif
