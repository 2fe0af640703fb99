// SPDX-License-Identifier: Apache-2.0
// Tests in .io files, as execution-apis keeps them: round trips of JSON-RPC as they were recorded.
//
//   // a balance at the head of the chain        the title; `speconly:` before it: by schema alone
//   >> {"jsonrpc":"2.0","id":1,"method":…}       what is sent
//   << {"jsonrpc":"2.0","id":1,"result":…}       what it is answered
#pragma once

#include <string>
#include <string_view>

#include "harness/base/result.h"
#include "harness/json/value.h"

namespace harness::suite {

inline constexpr std::size_t kLongestIoLine = std::size_t{20} << 20;  // bytes

// The same as a case. Results must be equal by value, except messages of errors; under `speconly:`
// any result will do. `file` is the prefix of errors, and the source of its clause.
// `needs_chain`: it is played only if the operator says that the server has the chain.
Result<json::Value> case_of_io(std::string_view text, const std::string& file, bool needs_chain);

// In the form in which people write cases: one line for each member of the head and each step.
std::string case_text(const json::Value& one);

}  // namespace harness::suite
