// SPDX-License-Identifier: Apache-2.0
// Causes that need a search over several clues: their common ids, words, lengths, members. Each
// search takes the clues of its cause. Pure.
#pragma once

#include <cstddef>
#include <cstdint>

#include "harness/causes/explainer.h"

namespace harness::run {

inline constexpr std::size_t kSeveral = 3;  // the minimum of cases for one cause
// Of hangs and ends that no single message brings about.
inline constexpr const char* kStopsAnswering =
    "The process stops answering, but not because of the last message";
inline constexpr const char* kBuildsUp = "the cause builds up, or depends on timing";

// --- search_ids.cc
// The error that was due to a request came, but without an id.
bool lacks_only_its_id(const Explainer& open, const Clue& clue);
void ids_altered(Explainer& open);
// 0, an empty string, a negative number: servers treat it as no id, or cannot keep it.
void ids_of_one_value(Explainer& open);

// --- search_refusals.cc
// Every request after the handshake is refused in the same words.
void refused_altogether(Explainer& open);
// Requests are rejected because of a common member, or invalid requests get an error other than the
// due one.
void refused_for_a_member(Explainer& open);
void refused_with_the_wrong_error(Explainer& open);
// A client's mistake is answered as if the server had failed.
void client_faults_as_server_errors(Explainer& open);
// Every invalid message gets the same reply, whatever is wrong with it.
void text_taken_alike(Explainer& open);
void messages_taken_alike(Explainer& open);
// A method that should be served is always refused, or never answered.
void refuse_or_ignore_all(Explainer& open);

// --- search_lengths.cc
void too_long(Explainer& open);

// --- search_ends.cc: of the process or connection, by what brought it about
void ended_once(Explainer& open);
void wedged_once(Explainer& open);
void ended_by_the_handshake(Explainer& open);
void ended(Explainer& open);

// --- search_wedges.cc After a message, nothing is answered any more.
void wedged(Explainer& open);
void wedged_by_others(Explainer& open);

// --- relation_rules.cc: `one_with:` and `follows:` of cases/requirements
// Several clauses that say the same of different inputs.
void told_as_one(Explainer& open);
// Clauses that cannot hold if another one is broken.
void consequences(Explainer& open);

}  // namespace harness::run
