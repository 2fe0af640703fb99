// SPDX-License-Identifier: Apache-2.0
// What the tables of actions and outcomes say, for people and for editors: the reference parts of
// cases/GRAMMAR.md and the steps and outcomes in cases/case.schema.json. A test holds the two files
// against it; with RPCSPEC_BLESS=1 in its environment it writes them anew.
#pragma once

#include <string>
#include <string_view>

#include "harness/base/result.h"
#include "harness/suite/actions.h"

namespace harness::suite {

// "call: {method, params, id, meta}", "close: stdin or stdout".
std::string form_of(const ActionRow& action);
// The first sentence of its help, without Markdown.
std::string summary_of(const ActionRow& action);

// Markdown, wrapped at 100 columns: every action, then what stands beside one.
std::string actions_page();
// The same of the words and members of an outcome.
std::string outcomes_page();
// The same of what stands in `answers`.
std::string answers_page();
// The members "answer", "outcome_members", "write", "websocket" and "step" of "$defs", with a comma
// behind each.
std::string steps_schema();

// `text` with the lines between the line `begin` and the next line `end` replaced; an Error when
// one of the two is not there.
Result<std::string> with_section(std::string_view text, std::string_view begin,
                                 std::string_view end, std::string_view section);

}  // namespace harness::suite
