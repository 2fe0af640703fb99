// SPDX-License-Identifier: Apache-2.0
// A file of the source tree or of the build within the program, as it is.
#pragma once

#include <cstddef>
#include <string_view>

// Defines a function NAME of the file, to be called from within the same file; FILE is a literal,
// its path. A null byte stands behind the text. Outside of any namespace, once for each name in a
// program.
#define RPCSPEC_EMBED(name, file)                                                         \
  __asm__(".section .rodata\n.global rpcspec_" #name "_begin\nrpcspec_" #name             \
          "_begin:\n.incbin \"" file "\"\nrpcspec_" #name "_end:\n.global rpcspec_" #name \
          "_end\n.byte 0\n.previous\n");                                                  \
  extern "C" const char rpcspec_##name##_begin[];                                         \
  extern "C" const char rpcspec_##name##_end[];                                           \
  static std::string_view name() {                                                        \
    return {rpcspec_##name##_begin,                                                       \
            static_cast<std::size_t>(rpcspec_##name##_end - rpcspec_##name##_begin)};     \
  }                                                                                       \
  static_assert(true)  // for the semicolon
