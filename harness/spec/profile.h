// SPDX-License-Identifier: Apache-2.0
// Profile: a named choice of protocol edition and of the requirements that count. One row each.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/json/value.h"
#include "harness/spec/requirement.h"
#include "harness/wire/transport_kind.h"

namespace harness::spec {

enum class Era {
  kPlain,      // JSON-RPC 2.0, no handshake
  kHandshake,  // initialize, then a notification that the client is ready
  kStateless,  // every request carries its own _meta
};

class Protocol;

struct Profile {
  std::string name;      // "mcp-2025-06-18"
  std::string revision;  // the version in the handshake; "" for plain JSON-RPC
  Era era = Era::kPlain;
  bool mcp = false;  // one of the five official revisions
  bool tutorial = false;
  bool lsp = false;                   // the base protocol of language servers
  bool acp = false;                   // agents that editors talk to
  std::vector<std::string> editions;  // the revision marks whose requirements count
  std::string title;                  // one line for `list profiles`
  // Rows that a server provides about itself; they outlive the profile; null: those of the
  // specification.
  const Protocol* contract = nullptr;

  const Protocol& protocol() const;

  bool is(std::string_view name_or_group) const;  // see profile_groups()
  // Its messages are those of JSON-RPC 2.0, and another specification narrows them.
  bool layered() const { return mcp || tutorial || lsp || acp; }
};

const std::vector<Profile>& profiles();
const Profile* find_profile(std::string_view name);
// All profiles under which a case may be judged: the same, and plain JSON-RPC with a contract,
// whose clauses count in addition to those of JSON-RPC.
const std::vector<Profile>& judged_profiles();
inline constexpr const char* kContractEditions[] = {"openrpc-1.2", "openrpc-1.3", "openrpc-1.4"};

// Names a case may use besides exact profile names: "all", "mcp", "mcp-handshake", "mcp-stateless",
// and ranges "mcp>=2025-06-18", "mcp<=2025-06-18".
const std::vector<std::string>& profile_groups();
bool is_profile_selector(std::string_view selector);

// Whether the requirement counts under this profile and transport.
bool applies(const Requirement& requirement, const Profile& profile, wire::TransportKind transport);

// A clause of the profile's own specification counts at its written level; one of a lower layer
// (JSON-RPC or RFC 8259 under MCP or LSP, entries marked derived) at most as SHOULD, except that a
// text must be JSON in UTF-8, which the specification itself requires of messages.
Level level_in(const Requirement& requirement, const Profile& profile);

// The clause to cite of those about one fact: it applies, with the highest level; among equals one
// of the profile's own specification before one of JSON-RPC or RFC 8259, then the first. Null when
// none applies. Null pointers are skipped.
const Requirement* strongest(std::span<const char* const> clauses, const Registry& registry,
                             const Profile& profile, wire::TransportKind transport);

inline bool is_must(Level level) { return level == Level::kMust || level == Level::kMustNot; }
inline bool is_may(Level level) { return level == Level::kMay; }

// The request whose answer is known: ping, server/discover with its _meta, or for plain JSON-RPC
// and language servers an unknown method (which must be answered -32601).
struct Canary {
  std::string method;
  json::Value params;              // null if the canary has none
  bool answered_by_error = false;  // the correct answer is -32601
  json::Value unnamed = {};        // the reply without an id, or under one id for all; else null
};
Canary canary_of(const Profile& profile);

// The _meta members every request of a stateless revision must carry; an empty object otherwise.
json::Value required_meta(const Profile& profile);

// The notification with which a client that has the answer to initialize says that it is ready; ""
// where the protocol has none, as that of agents.
const char* initialized_method(const Profile& profile);
// Whether this result of initialize opens a session: it names a version or, if the protocol has
// none on the wire, as for language servers, it has capabilities.
bool opens_session(const Profile& profile, const json::Value& result);

// What a side declares in params or a result of initialize, whatever the protocol calls the member;
// null where there is none.
const json::Value* declared_in(const json::Value& opening);

// The requirement an unanswered canary breaks.
const char* canary_requirement(const Profile& profile);

}  // namespace harness::spec
