// SPDX-License-Identifier: Apache-2.0
// Fuzzes a server in-process, through the function that answers a message:
//
//   #include <rpcspec/fuzz_handler.h>
//   #include "my_server.h"
//
//   RPCSPEC_FUZZ_HANDLER("mcp-2025-06-18") {
//     auto server = std::make_shared<MyServer>();
//     return [server](std::string_view message) { return server->handle(message); };
//   }
//
// This is a complete fuzz target for libFuzzer, AFL++ and a program that only replays (README.md of
// fuzz/handler has the commands). Needs C++17 and the standard library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace rpcspec {

// Takes one message, any bytes, without framing. Returns what the server sends in reply: nothing
// (""), one message, or several, one per line. The reply to a request is among them, unless the
// server first sends a request itself. A single message may have line breaks between its values.
using Handler = std::function<std::string(std::string_view message)>;

// What is fuzzed.
struct Subject {
  // The profile to judge by (`rpcspec list profiles`), followed by methods worth calling, each with
  // its params as JSON if it takes some: "subtract [42,23]". The methods of MCP, and the tools,
  // resources and prompts that the server lists, need not be named.
  std::vector<const char*> words;
  // Makes a new server. Called for every script, so that no script depends on the one before.
  Handler (*make)();
  // A folder of scripts that campaigns start with, in addition to their corpus; may be null.
  const char* seeds = nullptr;
};

// Plays a script (fuzz/script/README.md; a file of JSON lines is one) and judges the whole session.
// Returns a report for people, one paragraph per broken clause; "" if nothing is wrong. It reports
// only broken MUSTs, unless the environment variable RPCSPEC_LEVEL is "should". Throws
// std::invalid_argument if the subject cannot be fuzzed, and whatever the handler throws.
std::string judge_script(const Subject& subject, std::string_view script);

// For RPCSPEC_FUZZ_HANDLER: plays the input of an engine. If something is wrong, writes a report to
// stderr and calls abort().
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
