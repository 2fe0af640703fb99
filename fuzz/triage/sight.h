// SPDX-License-Identifier: Apache-2.0
// Sight: what a program that plays one input showed, told from how it ended and what it wrote.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace fuzz {

// Classes begin the names of folders, as those of campaigns do (fuzz/minimizer).
inline constexpr const char* kCrash = "crash";
inline constexpr const char* kHang = "hang";
inline constexpr const char* kWrongAnswer = "wrong-answer";

struct Sight {
  std::string kind;       // of these three
  std::string signature;  // of the bug: the same for every input that shows it, as far as known
  std::string title;      // a line for people
  std::string report;     // all of it, printable
  bool coarse = false;    // the signature says how a process ended, not why
  bool ends = false;      // the program ended by itself, before it could tell what it saw
};

// A line that programs of fuzz/handler write before they end: what they know of the bug.
std::string signature_line(const Sight& sight);

// Of a wrong answer: the clause it breaks, and what was seen.
Sight wrong_answer(std::string_view clause, std::string signature, std::string report);
// Of an uncaught exception: its type, demangled, and its text.
Sight thrown(std::string_view type, std::string_view what, std::string report);

// How the program ended.
struct Ending {
  bool late = false;  // it had to be ended
  int signal = 0;     // 0: none ended it
  int code = 0;       // otherwise
  std::string said;   // on stderr, or the end of that
};
std::optional<Sight> sight_of(const Ending& ending);

}  // namespace fuzz
