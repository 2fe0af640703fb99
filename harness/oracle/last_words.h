// SPDX-License-Identifier: Apache-2.0
// LastWords: the last output of a target on stderr before it ended. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/oracle/finding.h"
#include "harness/wire/frame.h"

namespace harness::oracle {

// The last few lines that the process wrote to stderr before it ended at or after frame `seq`,
// printable, in order; none if it wrote none. Bounded in number and length.
std::vector<std::string> last_lines(const wire::Transcript& transcript, std::uint64_t seq);

// The line that gives the reason, such as the exception of a stack trace; "" if there is none.
std::string telling_line(const std::vector<std::string>& lines);

// The same of output of a process that is in no transcript.
std::string telling_line_of(std::string_view output);

// 2: a line that names the reason of an end; 1: one that says that there is a reason; 0: neither.
int how_telling(std::string_view line);

// Adds the last words of an end, and includes them in `seen`; of a silence, the exception that was
// written meanwhile. Does nothing to other findings.
void add_last_words(Finding& finding, const wire::Transcript& transcript);
// The same for output of a process that is in no transcript.
void add_last_words(Finding& finding, std::string_view output);

}  // namespace harness::oracle
