// SPDX-License-Identifier: Apache-2.0
// The engine is libFuzzer, used as a library: it keeps the corpus, picks what is changed next and
// what is kept, by the counters. A process has one engine, and the engine ends the process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fuzz {

// What the engine requires of its user.
class Inputs {
 public:
  virtual ~Inputs() = default;
  // Plays the input and sets the counters.
  virtual void play(std::string_view input) = 0;
  // A mutated input of at most `most` bytes. The same arguments in the same order give the same
  // result.
  virtual std::string mutated(std::string_view input, std::size_t most, std::uint32_t seed) = 0;
  virtual std::string crossed(std::string_view a, std::string_view b, std::size_t most,
                              std::uint32_t seed) = 0;
};

struct EngineOptions {
  std::string program;               // argv[0]
  std::vector<std::string> folders;  // the first one grows, all are read
  std::uint32_t seed = 1;
  std::size_t longest = 1 << 18;  // bytes of an input
  bool reload = false;            // other processes write into the first folder, too
  std::string dictionary;         // file of words for byte mutation; "": none
};

// The counters guide it: it keeps an input that raises a counter to a class (1, 2, 3, 4 – 7, 8 –
// 15, …) that no earlier input reached. All are 0 when play() is called.
std::span<std::uint8_t> behaviour_counters();
// All counters. From now on the engine reads the first `count` of them, and those that it read
// before.
std::span<std::uint8_t> coverage_counters(std::size_t count);
constexpr std::size_t kPlaces = 1 << 16;

// It never returns: play() ends the process.
int run_engine(const EngineOptions& options, Inputs& inputs);

// The engine's own byte mutations.
std::size_t mutate_bytes(std::uint8_t* bytes, std::size_t size, std::size_t most);

}  // namespace fuzz
