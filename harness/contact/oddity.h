// SPDX-License-Identifier: Apache-2.0
// Oddity: what is wrong with a first contact that succeeds nevertheless, as with a lenient client.
// Pure.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/oracle/finding.h"
#include "harness/results/contact_results.h"
#include "harness/session/session.h"
#include "harness/wire/frame.h"

namespace harness::run {

struct Oddity {
  std::string name;
  std::string title;
  std::vector<const char*> clauses;  // the strongest that applies is cited
  oracle::Finding finding;           // the clause and severity are still open
  std::shared_ptr<const wire::Transcript> transcript;
  // The transport that the clauses are about.
  wire::TransportKind transport = wire::TransportKind::kUnknown;
  bool breaks_text = false;  // a MUST of the profile, also of plain JSON-RPC
};

// Initialize was answered with an invalid version, or with a version that has no handshake.
Oddity unknown_version(const session::Session& session, const session::Handshake& shaken);
// The version of the profile was requested because the server had named it, but now it names
// another one.
Oddity unsteady_version(const session::Session& session, const session::Handshake& shaken);
// Initialize is not served, but other methods of MCP are. `served` says which.
Oddity without_handshake(const session::Session& session, const session::Handshake& shaken,
                         const std::string& served);
// It does not answer lines, but it answers messages with headers. `answer` is the session where it
// did.
Oddity speaks_in_headers(const session::Session& silent, const session::Session& answer);
// For one JSON text without a line end; otherwise nothing.
std::optional<Oddity> without_newline(const session::Session& session);

// A socket is closed after the first reply.
Oddity closes_each(const session::Session& session);
// On `waiting`, the reply came only when another connection was closed.
Oddity serves_one_by_one(const session::Session& waiting);
// `reply` came on `idle`, which did not ask; `own`: and on the connection that asked.
Oddity answers_elsewhere(const session::Session& idle, const json::Value& reply, bool own);

// HTTP: the frame with the reply to `sent` that has no end but is a message; null if there is none.
const wire::Frame* cut_off_answer(const session::Session& session, const session::Sent& sent);
// Its HTTP bodies have no end.
Oddity without_end(const session::Session& session, const wire::Frame& answer);

}  // namespace harness::run
