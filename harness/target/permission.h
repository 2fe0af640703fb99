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

// The tools that the operator's affordances name, and the recognised fixtures of the official suite
// (`test_…`), unless the operator allows listed tools only.
std::set<std::string> told_tools(const Target& target, const json::Value& all_affordances);

// Tools of tools/list that must not be called, and why.
std::map<std::string, std::string> forbidden_tools(const Target& target, const json::Value& tools,
                                                   const json::Value& all_affordances);

// Forbidden methods have this before their names, tools do not.
inline constexpr std::string_view kMethodMark = "method ";

// What is forbidden but could be called by a server that gets this text; "" if there is nothing.
// Text that is not JSON counts as a call if it contains the words of one, because a lenient server
// may read it.
std::string forbidden_call(std::string_view text,
                           const std::map<std::string, std::string>& forbidden);

}  // namespace harness::target
