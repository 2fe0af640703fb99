// SPDX-License-Identifier: Apache-2.0
// diagnose_failure(): why nothing could be said to a Target over HTTP, when its answers show that
// it is not JSON-RPC that went wrong but the way there: credentials, a redirect, a path, a page.
// And what its first replies say where it cannot be judged. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/base/result.h"
#include "harness/contact/contact.h"
#include "harness/session/session.h"
#include "harness/target/target.h"

namespace harness::run {

// A sentence about the replies in all contacts, and what to do. Nothing if one of them is a
// JSON-RPC message (other than an error about credentials), or is of an unknown kind. A contact
// without a reply yet decides nothing.
std::optional<Error> diagnose_failure(const std::vector<Contact>& contacts,
                                      const target::Target& target);

// The process behind the url ended (`how`) at the first messages; `output`: its last.
Error diagnose_end(const std::string& how, std::string_view output);

// The reply to initialize names no version of MCP.
Error unusable_answer(const json::Value& reply);
// It is not that of the profile, which is that of language servers or of agents.
Error no_such_server(const spec::Profile& profile, const json::Value& reply);
// The operator named a method that is answered with -32601.
Error unknown_method(const std::string& name);
// The method that the operator names is not served. `params`: they were given.
Error refused_method(const std::string& name, const std::string& how, bool params);

// What ended before it answered anything: the target, or the connection alone.
const char* ends_at_first(const session::Session& session);
// `what` went wrong, how the session ended and what the process said last, and what to do.
Error unreachable(const session::Session& session, const target::Target& target,
                  const std::string& what);

}  // namespace harness::run
