// SPDX-License-Identifier: Apache-2.0
// What several clues have in common, and how that is said. Pure.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "harness/results/clue.h"

namespace harness::run {

using Group = std::vector<const Clue*>;

inline constexpr std::uint64_t kLongMessage = 4 << 10;  // bytes: nothing shorter is "too long"

// Whether the reply is an error, or has the status of one.
bool is_refused(const Clue& clue);
// Nothing came for it, or over HTTP a 2xx without a message.
bool is_unheard(const Clue& clue);
// Whether the form of the reply is wrong, which matters more than its content.
bool is_broken_below(const Clue& clue);

std::string size_text(std::uint64_t bytes);        // "68 KiB"
std::string refusal_text(const Came& came);        // "HTTP 400, error -32600 (“…”)"
std::string in_brackets(const std::string& text);  // " (exit 1)"; "" if nothing is known
std::string capital(std::string text);             // its first letter

// For messages that members cannot distinguish: by kind.
std::string kind_of(const Clue& clue);
// The same for a title: what is wrong with all of the group, where that is one thing; "some" where
// others of the kind did no harm.
std::string kind_of(const Group& group, const Clue& first, const Clues& clues);
// `word`: "path=text", or "path" with any text.
bool has_member(const Clue& clue, const std::string& word);
// The member ("path=text", or "path" with a value that no other message had) that most cases of the
// group have in common and no harmless message had. "" if there is none.
std::string common_to(const Group& group, const std::set<std::string>& harmless);
// " whose params.version is "1"", for a clue that has the member.
std::string whose(const Clue& clue, const std::string& common);
// The clue with the shortest message; a case before an oracle.
const Clue& smallest(const Group& group);

}  // namespace harness::run
