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
  kHandshake,     // initialize, with the profile's params
  kInitialized,   // the notification behind it
  kRequest,       // `message`, with a new id each time
  kNotification,  // `message`
  kText,          // `text`, which is invalid JSON
};
struct Letter {
  std::string name;  // one word
  LetterKind kind = LetterKind::kRequest;
  harness::json::Value message = {};
  std::string text = {};
};

// For a target after contact. The same for the same seed.
std::vector<Letter> alphabet_of(const Vocabulary& vocabulary, std::uint64_t seed);

// Those with these names, separated by commas or blanks, in the order given. The Error names an
// unknown one.
harness::Result<std::vector<Letter>> letters_named(const std::vector<Letter>& alphabet,
                                                   const std::string& names);

}  // namespace fuzz
