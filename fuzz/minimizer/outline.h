// SPDX-License-Identifier: Apache-2.0
// Outline: what a reduced script is made of, without texts and numbers. It tells whether two of
// them may show one bug, where the clause that is broken does not.
#pragma once

#include <string>

#include "fuzz/script/script.h"
#include "harness/spec/profile.h"

namespace fuzz {

// Of a bug that ends a process without a word this is all that is known.
std::string outline(const Script& script);

// Whether `whole` has messages like all those of `part`, in their order: of the same members with
// values of the same kinds, delivery and size; and of the same method, where `part` is one message
// alone. Elements of arrays are messages. Nothing is like a script without messages.
bool has_all_of(const Script& whole, const Script& part);

// What it sends, for people: "100 × `resources/subscribe`, then `resources/unsubscribe`". Header
// fields that are not as usual are named; of a long script the first and the last are.
std::string in_words(const Script& script);

// Whether nobody can object to a step, or to any of the script, by the model: what it says, and how
// it is delivered.
bool is_sound(const Step& step, const harness::spec::Profile& profile);
bool is_sound(const Script& script, const harness::spec::Profile& profile);

}  // namespace fuzz
