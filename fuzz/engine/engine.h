// SPDX-License-Identifier: Apache-2.0
// The engine is libFuzzer, used as a library: it keeps the corpus, picks what is changed next and
// what is kept, by the counters. There is one in a process, and it ends the process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fuzz {

// What the engine asks of us.
class Inputs {
 public:
  virtual ~Inputs() = default;
  // Plays it and sets the counters.
  virtual void play(std::string_view input) = 0;
  // A changed input of at most `most` bytes. The same arguments in the same order give the same.
  virtual std::string mutated(std::string_view input, std::size_t most, std::uint32_t seed) = 0;
  virtual std::string crossed(std::string_view a, std::string_view b, std::size_t most,
                              std::uint32_t seed) = 0;
};

struct EngineOptions {
  std::string program;               // argv[0]
  std::vector<std::string> folders;  // the first is grown, all are read
  std::uint32_t seed = 1;
  std::size_t longest = 1 << 18;  // bytes of an input
  bool reload = false;            // others write into the first folder meanwhile
  std::string dictionary;         // file of words for changes of bytes; "": none
};

// What guides it: an input that sets a counter to a class (1, 2, 3, 4 – 7, 8 – 15, …) no input has
// set it to before is kept. All are 0 when play() is called.
std::span<std::uint8_t> behaviour_counters();
// All there are; the engine looks at the first `count` of them from now on, and at what it looked
// at before.
std::span<std::uint8_t> coverage_counters(std::size_t count);
constexpr std::size_t kPlaces = 1 << 16;

// It goes on for ever: whoever is asked to play ends the process.
int run_engine(const EngineOptions& options, Inputs& inputs);

// The engine's own changes of bytes.
std::size_t mutate_bytes(std::uint8_t* bytes, std::size_t size, std::size_t most);

}  // namespace fuzz
