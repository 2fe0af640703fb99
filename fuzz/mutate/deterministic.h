// SPDX-License-Identifier: Apache-2.0
// The deterministic stage of a campaign: what is not left to chance. Every value in a valid request
// is changed once in every way that the tables of values have, and every tool gets all arguments
// made from its schema: what one odd value does shows within a few thousand messages, whatever the
// seed. Each request is cancelled while its reply is due, and asked again. Over HTTP the headers of
// a sound request are changed as well.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "fuzz/mutate/vocabulary.h"
#include "fuzz/script/script.h"

namespace fuzz {

inline constexpr std::size_t kMostDeterministic = 12'288;  // messages; of more, some of each way

// The messages of a script are odd in the same way, so that a bug it shows hides little else; what
// is odd as a whole, by its length or in a batch, stands alone and is never left out.
// Always the same ones.
std::vector<Script> deterministic_scripts(const Vocabulary& vocabulary);

// One sound request of each method and of each tool, alone.
std::vector<Script> requests(const Vocabulary& vocabulary);
// Calls of the tools that say they may run as tasks, as such: those are kept a millisecond.
std::vector<Script> task_requests(const Vocabulary& vocabulary);

// Every request that takes a handle or a cursor, with one that looks like `given`, JSON text of a
// string that the Target gave out, but that nobody gave out. None when it is too short for that.
std::vector<Script> forgeries(const Vocabulary& vocabulary, std::string_view given);

// `asking`, a request that was answered by a request for input, and again with the state its reply
// gives and an answer: of an unwonted kind, or to what nobody asked. None where it has no params.
std::vector<Script> odd_answers(const Vocabulary& vocabulary, std::string_view asking);

}  // namespace fuzz
