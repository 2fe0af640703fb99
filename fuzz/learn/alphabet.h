// SPDX-License-Identifier: Apache-2.0
// The alphabet a life cycle is learnt over: the messages of the protocol table that a client may
// say to this target, one of each, and two that no server knows.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fuzz/mutate/vocabulary.h"
#include "harness/base/result.h"
#include "harness/json/value.h"

namespace fuzz {

enum class LetterKind : std::uint8_t {
  kHandshake,     // initialize, with what the profile says
  kInitialized,   // the notification behind it
  kRequest,       // `message`, with an id of its own each time
  kNotification,  // `message`
  kText,          // `text`, which is no JSON
};
struct Letter {
  std::string name;  // one word
  LetterKind kind = LetterKind::kRequest;
  harness::json::Value message = {};
  std::string text = {};
};

// Of a target that was met. The same for the same seed.
std::vector<Letter> alphabet_of(const Vocabulary& vocabulary, std::uint64_t seed);

// Those of these names, separated by commas or blanks, in the order given. The Error names one
// that there is not.
harness::Result<std::vector<Letter>> letters_named(const std::vector<Letter>& alphabet,
                                                   const std::string& names);

}  // namespace fuzz
