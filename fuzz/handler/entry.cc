// SPDX-License-Identifier: Apache-2.0
// What engines look for by name. It stands alone, because it needs the subject of the program.
#include <cxxabi.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fuzz/handler/campaign.h"
#include "fuzz/handler/trial.h"
#include "fuzz/handler/verdict.h"
#include "harness/base/text.h"
#include "rpcspec/fuzz_handler.h"

// A linker may take this file for what it has of the standard library into a program without one.
extern __attribute__((weak)) const rpcspec::Subject& rpcspec_fuzz_subject();

extern "C" {
// Only libFuzzer has it; drivers of other engines have a LLVMFuzzerMutate that does nothing.
__attribute__((weak)) void __libfuzzer_is_present();
__attribute__((weak)) std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size,
                                                   std::size_t most);
}

namespace {

std::optional<fuzz::Trial> trial;
std::unique_ptr<fuzz::Worker> worker;  // of a campaign
std::string_view playing;              // the input under way
bool in_handler = false;               // what is thrown now comes from there

bool is_libfuzzer() { return __libfuzzer_is_present != nullptr; }

std::string_view text(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

std::size_t put(const std::string& made, std::uint8_t* data, std::size_t most) {
  const std::size_t size = std::min(made.size(), most);
  std::memcpy(data, made.data(), size);
  return size;
}

[[noreturn]] void tell(const fuzz::Sight& sight) {
  std::string out = "\n==rpcspec== " + sight.title + "\n" + sight.report + "  script:\n" +
                    fuzz::listed(playing) +
                    "  again: this program with the file of that script as argument (libFuzzer "
                    "writes it as crash-…);\n  RPCSPEC_TRACE=1 prints the messages\n" +
                    fuzz::signature_line(sight);
  std::fputs(out.c_str(), stderr);
  std::fflush(stderr);
  std::abort();
}

// Where nobody catches: the stack of whoever threw is still there for a debugger and sanitizers.
[[noreturn]] void on_terminate() {
  std::string type = "something", what;
  if (const std::exception_ptr thrown = std::current_exception()) {
    if (const std::type_info* known = abi::__cxa_current_exception_type())
      type = fuzz::name_of(*known);
    try {
      std::rethrow_exception(thrown);
    } catch (const std::exception& error) {
      what = error.what();
    } catch (...) {
    }
  }
  if (!in_handler || !trial) {
    const std::string text = type + ": " + harness::printable(what);
    std::fputs(("\n==rpcspec== thrown outside the handler: " + text + "\n").c_str(), stderr);
    std::abort();
  }
  in_handler = false;
  tell(fuzz::thrown(type, what, "  conversation:\n" + trial->said()));
}

fuzz::Trial& trial_of(const rpcspec::Subject& subject) {
  if (trial) return *trial;
  try {
    trial.emplace(subject, fuzz::TrialSettings::of_environment());
  } catch (const std::invalid_argument& why) {
    std::fprintf(stderr, "rpcspec: %s\n", why.what());
    std::_Exit(2);
  }
  if (is_libfuzzer() && LLVMFuzzerMutate) trial->vocabulary().byte_mutator = LLVMFuzzerMutate;
  std::set_terminate(on_terminate);
  return *trial;
}

}  // namespace

namespace rpcspec {

int fuzz_one_input(const Subject& subject, const std::uint8_t* data, std::size_t size) noexcept {
  fuzz::Trial& here = trial_of(subject);
  playing = text(data, size);
  if (worker) {
    worker->play(playing);
    return 0;
  }
  in_handler = true;
  const std::optional<fuzz::Sight> sight = here.look(playing);
  in_handler = false;
  if (sight) tell(*sight);
  return 0;
}

}  // namespace rpcspec

extern "C" {

// Getting to know the server is no part of any input. A program may have one of its own.
__attribute__((weak)) int LLVMFuzzerInitialize(int* count, char*** arguments) {
  const rpcspec::Subject& subject = rpcspec_fuzz_subject();
  std::vector<std::string> words(*arguments, *arguments + *count);
  if (words.size() > 1 && words[1] == "--replay") {
    words.erase(words.begin(), words.begin() + 2);
    std::exit(fuzz::replay(trial_of(subject), words));
  }
  if (!is_libfuzzer()) {
    trial_of(subject);
    return 0;
  }
  if (std::getenv("RPCSPEC_WORKER") == nullptr && fuzz::is_campaign(words))
    std::exit(fuzz::run_campaign(words, subject.seeds));
  try {
    worker = fuzz::Worker::of_environment(trial_of(subject));
  } catch (const std::exception& wrong) {
    std::fprintf(stderr, "rpcspec: %s\n", wrong.what());
    std::_Exit(2);
  }
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
