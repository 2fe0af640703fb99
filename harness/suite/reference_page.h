// SPDX-License-Identifier: Apache-2.0
// What the table of actions says, for people. A test makes the reference parts of cases/GRAMMAR.md
// and the steps and outcomes in cases/case.schema.json from it, and compares the files with them;
// with RPCSPEC_BLESS=1 in its environment it rewrites the files.
#pragma once

#include <string>

#include "harness/suite/actions.h"

namespace harness::suite {

// "call: {method, params, id, meta}", "close: stdin or stdout".
std::string form_of(const ActionRow& action);
// The first sentence of its help, without Markdown.
std::string summary_of(const ActionRow& action);
// "true or false", "one, two or three": what a field takes, for people. Empty: anything.
std::string words_of(const FieldRow& field);
// `frame`, whose value may be a mapping.
bool takes_members(const ActionRow& action);

}  // namespace harness::suite
