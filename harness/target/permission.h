// SPDX-License-Identifier: Apache-2.0
// May a tool be called? An unknown tool can delete files, so rpcspec calls only tools that the
// operator names, that the server annotates as read-only, or that are fixtures of the official
// conformance suite: a name such as `test_simple_text` says what it is for, one such as `echo` does
// not.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

#include "harness/json/value.h"
#include "harness/target/target.h"

namespace harness::target {

struct Permission {
  bool given = false;
  std::string why;  // "annotated readOnlyHint", "not annotated readOnlyHint"
};

// `told`: tools named by affordances of the operator, and recognised fixtures of the official
// suite.
Permission permission(const Target& target, const json::Value& tool,
                      const std::set<std::string>& told);

// The tools that the operator's affordances name, and the fixtures of the official suite (`test_…`)
// among those that were recognised, unless the operator wants listed tools only.
std::set<std::string> told_tools(const Target& target, const json::Value& all_affordances);

// Tools of tools/list that may not be called, and why.
std::map<std::string, std::string> forbidden_tools(const Target& target, const json::Value& tools,
                                                   const json::Value& all_affordances);

// Methods stand with this before their names among what may not be called, tools without.
inline constexpr std::string_view kMethodMark = "method ";

// What is forbidden and this text, sent to a server, could call; "" when there is none. Text that
// is not JSON counts as a call if it has the words of one, because a lenient server may read it.
std::string forbidden_call(std::string_view text,
                           const std::map<std::string, std::string>& forbidden);

}  // namespace harness::target
