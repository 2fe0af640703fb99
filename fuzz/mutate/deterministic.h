// SPDX-License-Identifier: Apache-2.0
// The deterministic stage of a campaign: what is not left to chance. Changes every value in a valid
// request once in every way that the tables of values have, and gives every tool all arguments made
// from its schema. So within a few thousand messages the effect of one odd value shows, whatever
// the seed. Cancels each request while its reply is due, and sends it again. Over HTTP it also
// changes the headers of a sound request.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "fuzz/mutate/vocabulary.h"
#include "fuzz/script/script.h"

namespace fuzz {

inline constexpr std::size_t kMostDeterministic = 12'288;  // limit of messages; beyond it, some of
                                                           // each way

// The messages of a script are odd in the same way, so a bug hides little else. A message that is
// odd as a whole, by its length or in a batch, stands alone and is never left out. Always the same
// ones.
std::vector<Script> deterministic_scripts(const Vocabulary& vocabulary);

// One sound request for each method and each tool, alone.
std::vector<Script> requests(const Vocabulary& vocabulary);
// Calls, as tasks, of the tools that say they may run as tasks; the tasks are kept for a
// millisecond.
std::vector<Script> task_requests(const Vocabulary& vocabulary);

// Every request that takes a handle or a cursor, with one that the target never issued but that
// looks like `given`, the JSON text of a string that it issued. None if that is too short.
std::vector<Script> forgeries(const Vocabulary& vocabulary, std::string_view given);

// `asking`, a request that was answered with a request for input, and again with the state of its
// reply and an answer of an unusual kind, or an answer to nothing. None if it has no params.
std::vector<Script> odd_answers(const Vocabulary& vocabulary, std::string_view asking);

}  // namespace fuzz
