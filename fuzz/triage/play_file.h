// SPDX-License-Identifier: Apache-2.0
// Plays one input with a program that takes it as a file: libFuzzer programs, replay programs, any
// other that ends badly when an input is bad.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "fuzz/triage/sight.h"

namespace fuzz {

struct PlayerProgram {
  std::vector<std::string> command;  // a word @@ is the file; without one it comes last
  std::chrono::milliseconds patience{10000};
};

// The command with the path of a file in place of the word @@, else at the end.
std::vector<std::string> words_for(std::vector<std::string> command, const std::string& path);

// Starts the program with this content in a file; returns nothing when the program ends well. The
// program and its children have ended when this returns. Throws std::runtime_error when it cannot
// be started.
std::optional<Sight> play_file(const PlayerProgram& program, const std::string& content);

}  // namespace fuzz
