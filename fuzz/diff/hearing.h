// SPDX-License-Identifier: Apache-2.0
// What came to a script, step by step, as classes of replies. The trace's Attribution says which
// request a message replies to. Every reply is counted: one that cannot be assigned counts for the
// messages in flight together, or, on a stream, for the latest message that it may answer. Pure.
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

// What came in reply to one step of the script.
struct Heard {
  bool sent = false;
  std::vector<std::string> replies;  // their classes
  std::optional<Shape> shape;        // of the last result
  int status = 0;                    // HTTP
  // A reply may belong to this step or to another one with the same id, so nothing is reported
  // about it.
  bool shared = false;
};

struct Hearing {
  std::vector<Heard> steps;
  // For several messages in flight together: the replies that name none of them, on a stream or in
  // the exchange of one of them. Indexed by the last step of the group.
  std::map<std::size_t, Heard> together;
  // Groups (below), each of which may have had a reply that is counted for the latest of them.
  std::vector<std::set<std::size_t>> doubts;
  // All replies counted for a group, with or without its id.
  std::map<std::size_t, std::vector<std::string>> classes;
};

// Steps between two waits are in flight together: they have the same number.
std::vector<std::size_t> groups_of(const Script& script);

Hearing hearing_of(const Script& script, const Execution& execution,
                   const harness::spec::Profile& profile);

// Groups that are ambiguous on either side but that got the same replies on both, taken together.
// Some reading makes both sides equal, so nothing is reported about them.
std::set<std::size_t> groups_in_doubt(const Hearing& a, const Hearing& b);

}  // namespace fuzz
