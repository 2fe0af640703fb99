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

// The command with the path of a file where a word of it is @@, else behind it.
std::vector<std::string> words_for(std::vector<std::string> command, const std::string& path);

// Starts the program with this content in a file; nothing when that is well. The program and what
// it started are gone when this returns. Throws std::runtime_error when it cannot be started.
std::optional<Sight> play_file(const PlayerProgram& program, const std::string& content);

}  // namespace fuzz
