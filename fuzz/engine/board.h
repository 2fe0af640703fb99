// SPDX-License-Identifier: Apache-2.0
// Board: what the workers of a campaign tell their parent, and the signatures that somebody has
// taken care of, in memory that all of them share. Each worker writes its own row; any worker may
// end at any time.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>

#include "harness/base/result.h"

namespace fuzz {

struct WorkerRow {
  std::atomic<std::uint64_t> execs{0};         // scripts
  std::atomic<std::uint64_t> frames{0};        // sent by scripts
  std::atomic<std::uint64_t> sessions{0};      // opened
  std::atomic<std::uint64_t> behaviours{0};    // different ones
  std::atomic<std::uint64_t> places{0};        // places of an instrumented target that were reached
  std::atomic<std::uint64_t> findings{0};      // written
  std::atomic<std::uint64_t> flaky{0};         // seen, but not again on a fresh session
  std::atomic<std::uint64_t> unconfirmed{0};   // seen, but no time was left to confirm them
  std::atomic<std::uint64_t> withheld{0};      // frames left out: they would call a forbidden tool
  std::atomic<std::uint64_t> last_new{0};      // milliseconds from the start to the latest new
                                               // behaviour
  std::atomic<std::uint64_t> digest{0};        // hash of all scripts played, in their order
  std::atomic<std::uint64_t> starting{0};      // milliseconds that sessions took to open
  std::atomic<std::uint64_t> examining{0};     // milliseconds spent on suspects, starts included
  std::atomic<std::uint64_t> waiting{0};       // suspects that wait for time
  std::atomic<std::uint32_t> confirming{0};    // 1 while a suspect is confirmed and reduced
  std::array<std::atomic<char>, 64> clause{};  // that the suspect breaks
  std::atomic<std::uint32_t> by_clock{0};      // 1 when timing influenced what is played

  void say_suspect(std::string_view requirement);
  std::string suspect() const;  // the clause of the latest finding
};

class Board {
 public:
  static constexpr std::size_t kMostWorkers = 64;
  static constexpr std::size_t kMostSignatures = 4096;

  // Memory shared with every process that is forked from now on.
  static harness::Result<Board*> make();

  // True for the first caller that claims this signature; that caller owns it.
  bool claim(std::string_view signature);
  bool claimed(std::string_view signature) const;
  // The claim turned out to be something else: the signature may be claimed again.
  void release(std::string_view signature);

  // Workers negotiate; each publishes the result here. All find the same.
  void say_profile(std::string_view name);
  std::string profile() const;  // "" until then

  std::atomic<bool> stop{false};  // set by the parent: workers end after the current script
  std::array<WorkerRow, kMostWorkers> workers;

 private:
  std::array<std::atomic<std::uint64_t>, kMostSignatures> signatures_{};
  std::array<char, 64> profile_{};
  std::atomic<bool> negotiated_{false};
};

// A 64-bit hash of a text.
std::uint64_t fingerprint(std::string_view text);

}  // namespace fuzz
