// SPDX-License-Identifier: Apache-2.0
// What afl-fuzz cannot tell a custom mutator: which profile the target speaks, what its inputs are,
// and what it offers. From environment variables (README.md).
#pragma once

#include <string>
#include <string_view>

#include "fuzz/mutate/vocabulary.h"
#include "fuzz/script/script.h"
#include "harness/wire/transport_kind.h"

namespace fuzz {

struct AflSettings {
  std::string profile = "jsonrpc-2.0";  // RPCSPEC_PROFILE
  bool frames = false;                  // RPCSPEC_INPUT: script or frames
  // RPCSPEC_TRANSPORT, or the transport that suits the inputs.
  harness::wire::TransportKind transport = {};
  std::string replies;  // RPCSPEC_REPLIES: a file of JSON lines, or ""

  // Throws std::invalid_argument when a variable has an invalid value.
  static AflSettings of_environment();
};

// Throws std::invalid_argument when the profile is unknown or the replies cannot be read.
Vocabulary words_of(const AflSettings& settings);

// Inputs without directives: each line is a message. Leaves out what has a meaning only in a
// script.
Script script_of_frames(std::string_view text);
std::string frames_of_script(const Script& script);

}  // namespace fuzz
