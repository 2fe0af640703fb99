// SPDX-License-Identifier: Apache-2.0
// Dialect: what a revision requires on every message: the _meta of the stateless era, the HTTP
// headers of each era. Pure functions; the Session applies them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/json/value.h"
#include "harness/spec/profile.h"
#include "harness/wire/frame.h"

namespace harness::session {

// The newest revision that still has a handshake.
inline constexpr const char* kNewestHandshake = "2025-11-25";
inline constexpr const char* kStateless = "2026-07-28";

// `params` with the _meta members this profile demands; `extra` adds members (null removes one).
// Returns params unchanged (possibly null: no params) for profiles without required _meta.
json::Value with_meta(const spec::Profile& profile, json::Value params, const json::Value& extra,
                      const json::Value& client_capabilities);

// {"jsonrpc":"2.0","id":…,"method":…,"params":…}; a null `params` is left out, so is a null id
// pointer (a notification).
json::Value message(const json::Value* id, std::string_view method, const json::Value& params);

// Params of an initialize request of MCP.
json::Value initialize_params(std::string_view version, const json::Value& capabilities);
// Params of the initialize request that opens a session of the profile.
json::Value initialize_params(const spec::Profile& profile, const json::Value& capabilities);
// The notification after its answer; null where the protocol has none.
json::Value initialized_message(const spec::Profile& profile);

// Adds what an initialize request declares to what was `declared` on the connection before. A later
// handshake may be refused, and does not revoke what an earlier one declared.
void declare(json::Value& declared, const json::Value& initialize);
// Adds the capabilities that a lenient server may read in a text that is not JSON, such as an
// initialize request after a byte order mark; adds them to `usual` if nothing was declared before.
void declare_leniently(json::Value& declared, const json::Value& usual, std::string_view text);

// The HTTP headers that the revision requires with this body (2026-07-28: MCP-Protocol-Version,
// Mcp-Method, Mcp-Name, and Mcp-Param-* for what `tools`, entries of tools/list, annotate with
// x-mcp-header); empty elsewhere.
std::vector<wire::Header> request_headers(const spec::Profile& profile, const json::Value& body,
                                          const json::Value& tools);

// The default answer to a request of the server: for a declared feature, the answer of its row in
// cases/protocol/, otherwise error -32601.
json::Value default_answer(const json::Value& request, const json::Value& client_capabilities);

}  // namespace harness::session
