// SPDX-License-Identifier: Apache-2.0
// Outline: what a reduced script is made of, without texts and numbers. It shows whether two of
// them may be one bug; the broken clause does not.
#pragma once

#include <string>

#include "fuzz/script/script.h"
#include "harness/spec/profile.h"

namespace fuzz {

// Of a bug that ends a process without any output, nothing else is known.
std::string outline(const Script& script);

// Whether `whole` contains messages like all those of `part`, in their order: the same members with
// values of the same kinds, the same delivery and size; and the same method, if `part` is one
// message alone. Elements of arrays are messages. No script is like a script without messages.
bool has_all_of(const Script& whole, const Script& part);

// What it sends, for people: "100 × `resources/subscribe`, then `resources/unsubscribe`". Names
// unusual header fields; of a long script only the first and the last messages.
std::string in_words(const Script& script);

// Whether a step, or every step of the script, is valid according to the model, in content and
// delivery.
bool is_sound(const Step& step, const harness::spec::Profile& profile);
bool is_sound(const Script& script, const harness::spec::Profile& profile);

}  // namespace fuzz
