// SPDX-License-Identifier: Apache-2.0
// Mutators: small changes to a Script, as a table. By default each keeps the JSON of the frames it
// touches whole and breaks one rule, so that an oracle knows which answer to expect; those of the
// JSON text, framing and raw levels break the layers below on purpose.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "fuzz/mutate/random.h"
#include "fuzz/mutate/vocabulary.h"
#include "fuzz/script/script.h"

namespace fuzz {

// No mutation lets a script grow beyond these; a larger one is only left as large or made smaller.
inline constexpr std::size_t kMostSteps = 64;
inline constexpr std::size_t kMostBytes = 1u << 20;  // see bytes_of()

// The bytes a script sends, with its headers and answers.
std::size_t bytes_of(const Script& script);

enum class Level : std::uint8_t {
  kSequence,   // which messages, and in what order
  kEnvelope,   // members of a message
  kArguments,  // params and what is in them
  kJsonText,   // the same message in other text, or text that is no JSON
  kFraming,    // how messages are told apart and delivered
  kReverse,    // what the server asks of us
  kRaw,        // bytes
};
const char* level_name(Level level);  // "json-text"
std::optional<Level> level_named(std::string_view name);

struct Mutator {
  const char* name;  // "id-value"; no other has it
  const char* help;  // one line
  Level level;
  int weight;  // how often, beside the others
  // False: it does not apply, and the script is as it was. True: it was changed, though now and
  // then into what it had been.
  bool (*apply)(Script& script, const Vocabulary& vocabulary, Random& random);
};

// All of them, in an order that is part of what a seed means.
const std::vector<Mutator>& mutators();
const Mutator* find_mutator(std::string_view name);

// Applies one mutator, chosen by weight among those that apply. Null when none did, which a script
// within the bounds never sees.
const Mutator* mutate(Script& script, const Vocabulary& vocabulary, Random& random);
// Likewise, of one level only.
const Mutator* mutate(Script& script, Level level, const Vocabulary& vocabulary, Random& random);
// Likewise, but gives up after a few that do not apply.
const Mutator* mutate_if_easy(Script& script, Level level, const Vocabulary& vocabulary,
                              Random& random);

// Takes steps out by chance until it sends at most `most` bytes, or is one step.
void shorten(Script& script, std::size_t most, Random& random);
// What costs as much as dozens of scripts would soon be all there is: most lose what starts servers
// anew, sleeps or is written in pieces, and are shortened.
void keep_cheap(Script& script, const Vocabulary& vocabulary, Random& random);

// One to three mutations, of one level only where it is given, kept cheap: what a campaign makes of
// a script.
void vary(Script& script, const Vocabulary& vocabulary, Random& random,
          std::optional<Level> level = std::nullopt);

// A script made of parts of both.
Script cross_over(const Script& a, const Script& b, const Vocabulary& vocabulary, Random& random);

}  // namespace fuzz
