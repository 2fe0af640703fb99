// SPDX-License-Identifier: Apache-2.0
// The functions libFuzzer looks for by name are here, and nowhere else.
#include "fuzz/engine/engine.h"

#include <algorithm>
#include <cstring>
#include <utility>

extern "C" {
int LLVMFuzzerRunDriver(int* argc, char*** argv,
                        int (*callback)(const std::uint8_t* data, std::size_t size));
void __sanitizer_cov_8bit_counters_init(std::uint8_t* start, std::uint8_t* stop);
std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);
}

namespace fuzz {
namespace {

constexpr std::size_t kBehaviours = 1 << 14;

// Not static: what nobody reads in this file would be removed with its writes.
__attribute__((section("__libfuzzer_extra_counters"), used))
std::uint8_t extra_counters[kBehaviours];
constexpr std::size_t kPage = 1 << 12;
alignas(kPage) std::uint8_t places[kPlaces];

Inputs* asked = nullptr;

std::size_t put(const std::string& made, std::uint8_t* data, std::size_t most) {
  const std::size_t size = std::min(made.size(), most);
  std::memcpy(data, made.data(), size);
  return size;
}

std::string_view text(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

}  // namespace

std::span<std::uint8_t> behaviour_counters() { return {extra_counters, kBehaviours}; }

// The engine looks through all counters after every input, so it is told of no more of these, page
// by page, than there is coverage to count.
std::span<std::uint8_t> coverage_counters(std::size_t count) {
  static std::size_t known = 0;
  const std::size_t wanted = std::min((count + kPage - 1) / kPage * kPage, kPlaces);
  if (wanted > known)
    __sanitizer_cov_8bit_counters_init(places + std::exchange(known, wanted), places + wanted);
  return {places, kPlaces};
}

std::size_t mutate_bytes(std::uint8_t* bytes, std::size_t size, std::size_t most) {
  return LLVMFuzzerMutate(bytes, size, most);
}

int run_engine(const EngineOptions& options, Inputs& inputs) {
  asked = &inputs;
  std::vector<std::string> words = {
      options.program,
      "-seed=" + std::to_string(options.seed),
      "-max_len=" + std::to_string(options.longest),
      "-reload=" + std::string(options.reload ? "1" : "0"),
      "-len_control=0",
      // It counts what inputs are played for their own sake, which are the slow ones here.
      "-entropic=0",
      // A target is another process: what it may use, and how long it takes, is ours to watch.
      "-timeout=0",
      "-report_slow_units=1000000",  // it would write files where we were started
      "-rss_limit_mb=0",
      "-malloc_limit_mb=0",
      "-detect_leaks=0",
      "-handle_int=0",
      "-handle_term=0",
      "-handle_xfsz=0",
      "-handle_segv=0",
      "-handle_bus=0",
      "-handle_abrt=0",
      "-handle_ill=0",
      "-handle_fpe=0",
      "-handle_usr1=0",
      "-handle_usr2=0",
  };
  if (!options.dictionary.empty()) words.push_back("-dict=" + options.dictionary);
  words.insert(words.end(), options.folders.begin(), options.folders.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  int count = static_cast<int>(words.size());
  char** first = pointers.data();
  return LLVMFuzzerRunDriver(&count, &first, [](const std::uint8_t* data, std::size_t size) {
    asked->play(text(data, size));
    return 0;
  });
}

}  // namespace fuzz

extern "C" {

std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most,
                                    unsigned seed) {
  return fuzz::put(fuzz::asked->mutated(fuzz::text(data, size), most, seed), data, most);
}

std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* a, std::size_t a_size,
                                      const std::uint8_t* b, std::size_t b_size, std::uint8_t* out,
                                      std::size_t most, unsigned seed) {
  return fuzz::put(fuzz::asked->crossed(fuzz::text(a, a_size), fuzz::text(b, b_size), most, seed),
                   out, most);
}
}
