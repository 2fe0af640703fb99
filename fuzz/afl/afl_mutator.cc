// SPDX-License-Identifier: Apache-2.0
// librpcspec_afl.so: our mutators for AFL++, through its custom mutator interface (4.00 and later;
// tested with 4.04). Nothing here is for anybody but afl-fuzz, which finds the functions by name.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <string_view>

#include "fuzz/afl/words.h"
#include "fuzz/mutate/mutator.h"
#include "fuzz/script/steps.h"

namespace fuzz {
namespace {

constexpr int kMostChanges = 3;         // mutators applied at a time
constexpr std::size_t kCrossOneIn = 8;  // made of two inputs
constexpr std::size_t kMostTrims = 256;

std::string_view text(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

class AflMutator {
 public:
  AflMutator(const AflSettings& settings, std::uint32_t seed)
      : vocabulary_(words_of(settings)), frames_(settings.frames), random_(seed) {}

  std::size_t fuzz(std::string_view input, std::string_view other, std::size_t most,
                   std::uint8_t** out) {
    what_ = "rpcspec";
    Script script = read(input);
    if (!other.empty() && random_.one_in(kCrossOneIn)) {
      script = cross_over(script, read(other), vocabulary_, random_);
      what_ += ",cross-over";
    }
    for (std::size_t i = random_.between(1, kMostChanges); i > 0; --i)
      if (const Mutator* one = mutate(script, vocabulary_, random_)) (what_ += ',') += one->name;
    made_ = write(script);
    if (made_.size() > most) made_ = std::string(input.substr(0, most));
    *out = reinterpret_cast<std::uint8_t*>(made_.data());
    return made_.size();
  }

  const char* describe(std::size_t most) {
    what_.resize(std::min(what_.size(), most));
    return what_.c_str();
  }

  // Trimming: half of the steps less, a quarter, … one; what afl-fuzz says was no different is
  // kept. Whether there is anything to try.
  bool begin_trim(std::string_view input) {
    trimmed_ = read(input);
    length_ = trimmed_.steps.size() / 2;
    at_ = trims_ = 0;
    // What is written anew may be longer than what was read, which afl-fuzz would not take.
    return write(trimmed_).size() <= input.size() && goes_on();
  }
  std::size_t trim(std::uint8_t** out) {
    tried_ = trimmed_;
    const std::size_t size = tried_.steps.size();
    drop_steps(tried_, at_, at_ + std::min({length_, size - at_, size - 1}));
    made_ = write(tried_);
    *out = reinterpret_cast<std::uint8_t*>(made_.data());
    return made_.size();
  }
  // Whether there is more to try.
  bool end_trim(bool same) {
    ++trims_;
    if (same) {
      trimmed_ = std::move(tried_);
    } else {
      at_ += length_;
    }
    if (at_ >= trimmed_.steps.size()) {
      at_ = 0;
      length_ /= 2;
    }
    return goes_on();
  }

 private:
  bool goes_on() const { return length_ > 0 && trimmed_.steps.size() > 1 && trims_ < kMostTrims; }

  Script read(std::string_view input) const {
    return frames_ ? script_of_frames(input) : read_script(input);
  }
  std::string write(const Script& script) const {
    return frames_ ? frames_of_script(script) : write_script(script);
  }

  Vocabulary vocabulary_;
  bool frames_;
  Random random_;
  std::string made_;
  std::string what_;
  Script trimmed_, tried_;
  std::size_t at_ = 0, length_ = 0, trims_ = 0;
};

AflMutator& of(void* data) { return *static_cast<AflMutator*>(data); }

}  // namespace
}  // namespace fuzz

extern "C" {

// `afl` is the state of afl-fuzz, which is none of our business. Nor does it look at what is given
// back: it would go on without a mutator, and end with a null pointer. So it is ended here.
void* afl_custom_init(void* /*afl*/, unsigned int seed) {
  try {
    return new fuzz::AflMutator(fuzz::AflSettings::of_environment(), seed);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "librpcspec_afl: %s\n", error.what());
    std::exit(2);
  }
}

void afl_custom_deinit(void* data) { delete static_cast<fuzz::AflMutator*>(data); }

std::size_t afl_custom_fuzz(void* data, std::uint8_t* buffer, std::size_t size, std::uint8_t** out,
                            std::uint8_t* other, std::size_t other_size, std::size_t most) {
  return fuzz::of(data).fuzz(fuzz::text(buffer, size), fuzz::text(other, other_size), most, out);
}

const char* afl_custom_describe(void* data, std::size_t most) {
  return fuzz::of(data).describe(most);
}

// afl-fuzz asks for trims while the number of the next one is below that of all, which nobody knows
// before: all is 1, and the next is 0 until it is enough.
std::int32_t afl_custom_init_trim(void* data, std::uint8_t* buffer, std::size_t size) {
  return fuzz::of(data).begin_trim(fuzz::text(buffer, size)) ? 1 : 0;
}
std::size_t afl_custom_trim(void* data, std::uint8_t** out) { return fuzz::of(data).trim(out); }
std::int32_t afl_custom_post_trim(void* data, unsigned char success) {
  return fuzz::of(data).end_trim(success != 0) ? 0 : 1;
}
}
