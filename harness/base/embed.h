// SPDX-License-Identifier: Apache-2.0
// A file of the source tree or of the build within the program, as it is.
#pragma once

#include <cstddef>
#include <string_view>

// Declares a function NAME of the file that rpcspec_embed(TARGET NAME FILE) puts into a target, to
// be called from within the same file. Outside of any namespace.
#define RPCSPEC_EMBEDDED(name)                                                        \
  extern "C" const char rpcspec_##name##_begin[];                                     \
  extern "C" const char rpcspec_##name##_end[];                                       \
  static std::string_view name() {                                                    \
    return {rpcspec_##name##_begin,                                                   \
            static_cast<std::size_t>(rpcspec_##name##_end - rpcspec_##name##_begin)}; \
  }                                                                                   \
  static_assert(true)  // for the semicolon
