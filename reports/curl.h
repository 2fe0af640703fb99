// SPDX-License-Identifier: Apache-2.0
// A finding over HTTP as a command of curl, so that whoever writes the server sends the request
// again without rpcspec.
#pragma once

#include <string>

#include "harness/results/event.h"

namespace reports {

// The last request among the frames of the finding, or the one that they answer: its address, its
// headers and its body, for a POSIX shell. If the request belongs to a session, commands that open
// a new one come first, because the old id is invalid; a secret is a shell variable with its name,
// or hidden. "" if the finding is not over HTTP, or if curl cannot send the same: a cut body, a
// header with a line break.
std::string curl_of(const harness::run::CaseResult& result,
                    const harness::oracle::Finding& finding);

// The text as one word of a POSIX shell. Each «secret NAME» becomes "$NAME" if a variable can have
// that name.
std::string shell_word(std::string_view text);

}  // namespace reports
