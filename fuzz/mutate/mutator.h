// SPDX-License-Identifier: Apache-2.0
// Mutators: small changes to a Script, as a table. By default each keeps the JSON of the frames it
// changes intact and breaks one rule, so that an oracle knows which reply to expect; those of the
// levels JSON text, framing and raw break the layers below on purpose.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "fuzz/mutate/random.h"
#include "fuzz/mutate/vocabulary.h"
#include "fuzz/script/script.h"

namespace fuzz {

// No mutation makes a script larger than these; a larger one keeps its size or shrinks.
inline constexpr std::size_t kMostSteps = 64;
inline constexpr std::size_t kMostBytes = 1u << 20;  // see bytes_of()

// The bytes that a script sends, with its headers and responses.
std::size_t bytes_of(const Script& script);

enum class Level : std::uint8_t {
  kSequence,   // which messages, and in which order
  kEnvelope,   // members of a message
  kArguments,  // params and their values
  kJsonText,   // the same message as other text, or text that is invalid JSON
  kFraming,    // how messages are framed and delivered
  kReverse,    // what the server requests of us
  kRaw,        // bytes
};
const char* level_name(Level level);  // "json-text"
std::optional<Level> level_named(std::string_view name);

struct Mutator {
  const char* name;  // "id-value"; no other has it
  const char* help;  // one line
  Level level;
  int weight;  // how often, relative to the others
  // False: it does not apply, and the script is unchanged. True: it was applied, though sometimes
  // the result is the same.
  std::function<bool(Script& script, const Vocabulary& vocabulary, Random& random)> apply;
};

// All of them; their order is part of the meaning of a seed.
const std::vector<Mutator>& mutators();
const Mutator* find_mutator(std::string_view name);

// Applies one mutator, chosen by weight among those that apply. Null when none applied, which never
// happens for a script within the limits.
const Mutator* mutate(Script& script, const Vocabulary& vocabulary, Random& random);
// Likewise, for one level only.
const Mutator* mutate(Script& script, Level level, const Vocabulary& vocabulary, Random& random);
// Likewise, but gives up after a few that do not apply.
const Mutator* mutate_if_easy(Script& script, Level level, const Vocabulary& vocabulary,
                              Random& random);

// Removes random steps until it sends at most `most` bytes, or is one step.
void shorten(Script& script, std::size_t most, Random& random);
// Without it, scripts as costly as dozens of others would soon prevail: most lose steps that
// restart servers, sleep or write in pieces, and are shortened.
void keep_cheap(Script& script, const Vocabulary& vocabulary, Random& random);

// One to three mutations, of one level only if it is given, kept cheap: what a campaign makes of a
// script.
void vary(Script& script, const Vocabulary& vocabulary, Random& random,
          std::optional<Level> level = std::nullopt);

// A script made of parts of both.
Script cross_over(const Script& a, const Script& b, const Vocabulary& vocabulary, Random& random);

}  // namespace fuzz
