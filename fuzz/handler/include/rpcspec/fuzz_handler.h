// SPDX-License-Identifier: Apache-2.0
// Fuzzes a server in the process of the fuzzer, by the function that answers a message:
//
//   #include <rpcspec/fuzz_handler.h>
//   #include "my_server.h"
//
//   RPCSPEC_FUZZ_HANDLER("mcp-2025-06-18") {
//     auto server = std::make_shared<MyServer>();
//     return [server](std::string_view message) { return server->handle(message); };
//   }
//
// That is a whole fuzz target, for libFuzzer, AFL++ and a program that only replays (README.md of
// fuzz/handler has the commands). Needs C++17 and the standard library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace rpcspec {

// Takes one message, any bytes, without framing. What it returns is what the server says to that:
// nothing (""), a message, or several, each on a line of its own; the reply to a request is among
// them, unless the server asks something itself before. A message alone may have line breaks
// between its values.
using Handler = std::function<std::string(std::string_view message)>;

// What is fuzzed.
struct Subject {
  // The profile it is judged by, as `rpcspec list profiles` has them; behind it methods worth
  // calling, each with params as JSON where it takes some: "subtract [42,23]". Those of MCP, and
  // the tools, resources and prompts that the server lists, are known without.
  std::vector<const char*> words;
  // Makes a server as new. Called for every script, so that no script can depend on the last one.
  Handler (*make)();
  // A folder of scripts that campaigns begin with, beside their corpus; may be null.
  const char* seeds = nullptr;
};

// Plays a script (fuzz/script/README.md; a file of JSON lines is one) and judges all that was said.
// A report for people, one clause that was broken to a paragraph; "" when nothing was wrong. Of
// what a MUST forbids only, unless the environment variable RPCSPEC_LEVEL is "should". Throws
// std::invalid_argument when the subject cannot be fuzzed, and whatever the handler throws.
std::string judge_script(const Subject& subject, std::string_view script);

// For RPCSPEC_FUZZ_HANDLER: plays what an engine made. What is wrong is told on stderr, and ends
// the process by abort().
int fuzz_one_input(const Subject& subject, const std::uint8_t* data, std::size_t size) noexcept;

}  // namespace rpcspec

// The subject of this program; RPCSPEC_FUZZ_HANDLER defines it.
const rpcspec::Subject& rpcspec_fuzz_subject();

#ifndef RPCSPEC_SEEDS
#define RPCSPEC_SEEDS nullptr  // rpcspec_add_fuzz_target() says where they are
#endif

#define RPCSPEC_FUZZ_HANDLER(...)                                                                 \
  static rpcspec::Handler rpcspec_make_handler();                                                 \
  const rpcspec::Subject& rpcspec_fuzz_subject() {                                                \
    static const rpcspec::Subject subject = {{__VA_ARGS__}, rpcspec_make_handler, RPCSPEC_SEEDS}; \
    return subject;                                                                               \
  }                                                                                               \
  extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {             \
    return rpcspec::fuzz_one_input(rpcspec_fuzz_subject(), data, size);                           \
  }                                                                                               \
  static rpcspec::Handler rpcspec_make_handler()
