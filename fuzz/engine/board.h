// SPDX-License-Identifier: Apache-2.0
// Board: what the workers of a campaign tell their parent, and the signatures that somebody has
// taken care of, in memory that all of them share. Workers write their own row; anybody may die at
// any time.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>

#include "harness/base/result.h"

namespace fuzz {

struct WorkerRow {
  std::atomic<std::uint64_t> execs{0};        // scripts
  std::atomic<std::uint64_t> frames{0};       // sent by scripts
  std::atomic<std::uint64_t> sessions{0};     // opened
  std::atomic<std::uint64_t> behaviours{0};   // different ones
  std::atomic<std::uint64_t> places{0};       // of an instrumented target that were reached
  std::atomic<std::uint64_t> findings{0};     // written
  std::atomic<std::uint64_t> flaky{0};        // seen, and not again on a fresh session
  std::atomic<std::uint64_t> unconfirmed{0};  // seen, and no time was left to look at them
  std::atomic<std::uint64_t> withheld{0};     // frames that would call what may not be called
  std::atomic<std::uint64_t> last_new{0};   // milliseconds from the start to the last new behaviour
  std::atomic<std::uint64_t> digest{0};     // of all scripts played, in their order
  std::atomic<std::uint64_t> starting{0};   // milliseconds that sessions took to open
  std::atomic<std::uint64_t> examining{0};  // milliseconds that suspects took, starts and all
  std::atomic<std::uint64_t> waiting{0};    // suspects there is no time for so far
  std::atomic<std::uint32_t> confirming{0};    // 1 while a suspect is looked at and reduced
  std::array<std::atomic<char>, 64> clause{};  // that the suspect breaks
  std::atomic<std::uint32_t> by_clock{0};  // 1 when the time something took decided what is played

  void say_suspect(std::string_view requirement);
  std::string suspect() const;  // the clause of the last
};

class Board {
 public:
  static constexpr std::size_t kMostWorkers = 64;
  static constexpr std::size_t kMostSignatures = 4096;

  // Shared with every process that is forked from now on.
  static harness::Result<Board*> make();

  // True for the first who asks for this signature; it is theirs.
  bool claim(std::string_view signature);
  bool claimed(std::string_view signature) const;
  // What was claimed turned out to be something else: it may be claimed anew.
  void release(std::string_view signature);

  // Workers negotiate; who has done so says what came of it. All find the same.
  void say_profile(std::string_view name);
  std::string profile() const;  // "" until then

  std::atomic<bool> stop{false};  // set by the parent: workers end after the script at hand
  std::array<WorkerRow, kMostWorkers> workers;

 private:
  std::array<std::atomic<std::uint64_t>, kMostSignatures> signatures_{};
  std::array<char, 64> profile_{};
  std::atomic<bool> negotiated_{false};
};

// 64 bits that stand for a text.
std::uint64_t fingerprint(std::string_view text);

}  // namespace fuzz
