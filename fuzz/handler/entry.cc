// SPDX-License-Identifier: Apache-2.0
// What engines look for by name. It stands alone, because it needs the subject of the program.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <optional>
#include <typeinfo>

#include "fuzz/handler/trial.h"
#include "fuzz/handler/verdict.h"
#include "harness/base/text.h"
#include "rpcspec/fuzz_handler.h"

extern "C" {
// Only libFuzzer has it.
__attribute__((weak)) std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size,
                                                   std::size_t most);
}

namespace {

std::optional<fuzz::Trial> trial;
std::string_view playing;  // the input under way
bool in_handler = false;   // what is thrown now comes from there

std::string_view text(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

std::size_t put(const std::string& made, std::uint8_t* data, std::size_t most) {
  const std::size_t size = std::min(made.size(), most);
  std::memcpy(data, made.data(), size);
  return size;
}

[[noreturn]] void tell(const std::string& what, const std::string& report) {
  std::string out = "\n==rpcspec== " + what + "\n" + report + "  script:\n" +
                    fuzz::listed(playing) +
                    "  again: this program with the file of that script as argument (libFuzzer "
                    "writes it as crash-…);\n  RPCSPEC_TRACE=1 shows what is said\n";
  std::fputs(out.c_str(), stderr);
  std::fflush(stderr);
  std::abort();
}

// Where nobody catches: the stack of whoever threw is still there for a debugger and sanitizers.
[[noreturn]] void on_terminate() {
  std::string what = "the handler threw something";
  if (const std::exception_ptr thrown = std::current_exception()) {
    try {
      std::rethrow_exception(thrown);
    } catch (const std::exception& error) {
      what = std::string("the handler threw ") + typeid(error).name() + ": " +
             harness::printable(error.what());
    } catch (...) {
    }
  }
  if (!in_handler || !trial) {
    std::fputs(("\n==rpcspec== " + what + "\n").c_str(), stderr);
    std::abort();
  }
  in_handler = false;
  tell(what, "  conversation:\n" + trial->said());
}

fuzz::Trial& trial_of(const rpcspec::Subject& subject) {
  if (trial) return *trial;
  try {
    trial.emplace(subject, fuzz::TrialSettings::of_environment());
  } catch (const std::invalid_argument& why) {
    std::fprintf(stderr, "rpcspec: %s\n", why.what());
    std::_Exit(2);
  }
  if (LLVMFuzzerMutate) trial->vocabulary().byte_mutator = LLVMFuzzerMutate;
  std::set_terminate(on_terminate);
  return *trial;
}

}  // namespace

namespace rpcspec {

int fuzz_one_input(const Subject& subject, const std::uint8_t* data, std::size_t size) noexcept {
  fuzz::Trial& here = trial_of(subject);
  playing = text(data, size);
  in_handler = true;
  const std::string report = here.play(playing);
  in_handler = false;
  if (!report.empty()) tell("a wrong answer", report);
  return 0;
}

}  // namespace rpcspec

extern "C" {

// Getting to know the server is no part of any input. A program may have one of its own.
__attribute__((weak)) int LLVMFuzzerInitialize(int* /*count*/, char*** /*arguments*/) {
  trial_of(rpcspec_fuzz_subject());
  return 0;
}

std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most,
                                    unsigned seed) {
  fuzz::Trial& here = trial_of(rpcspec_fuzz_subject());
  return put(here.mutated(text(data, size), most, seed), data, most);
}

std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* a, std::size_t a_size,
                                      const std::uint8_t* b, std::size_t b_size, std::uint8_t* out,
                                      std::size_t most, unsigned seed) {
  fuzz::Trial& here = trial_of(rpcspec_fuzz_subject());
  return put(here.crossed(text(a, a_size), text(b, b_size), most, seed), out, most);
}
}
