// SPDX-License-Identifier: Apache-2.0
// What came to a script, step by step, as classes of replies. Whose reply a message is, the trace's
// Attribution says. Every reply counts somewhere: what nobody can assign counts for the messages
// that were in flight together, or, on a stream, for the latest of those it may answer. Pure.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "fuzz/diff/shape.h"
#include "fuzz/executor/execution.h"
#include "fuzz/script/script.h"
#include "harness/spec/profile.h"

namespace fuzz {

// What came to one step of the script.
struct Heard {
  bool sent = false;
  std::vector<std::string> replies;  // their classes
  std::optional<Shape> shape;        // of the last result
  int status = 0;                    // HTTP
  // A reply may be for this step or for another with the same id: nothing is to be said of it.
  bool shared = false;
};

struct Hearing {
  std::vector<Heard> steps;
  // For several messages in flight together what names none of them, on a stream or in the exchange
  // of one of them; by the last step of those.
  std::map<std::size_t, Heard> together;
  // Groups (below) of which each may have had a reply that counts for the latest of them.
  std::vector<std::set<std::size_t>> doubts;
  // All that counts for a group, whether it has its id or not.
  std::map<std::size_t, std::vector<std::string>> classes;
};

// Steps between two waits are in flight together: they have the same number.
std::vector<std::size_t> groups_of(const Script& script);

Hearing hearing_of(const Script& script, const Execution& execution,
                   const harness::spec::Profile& profile);

// Groups in doubt on either side that had the same on both, all of them taken together: some
// reading makes no difference there, so that nothing is to be said of any.
std::set<std::size_t> groups_in_doubt(const Hearing& a, const Hearing& b);

}  // namespace fuzz
