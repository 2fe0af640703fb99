// SPDX-License-Identifier: Apache-2.0
// Finds which revisions of MCP a target speaks, each on a separate connection.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "harness/contact/negotiate.h"
#include "harness/session/session.h"
#include "harness/spec/profile.h"

namespace harness::run {

// One revision that was tried.
struct Spoken {
  const spec::Profile* profile = nullptr;
  bool yes = false;
  std::string answer;  // when not: what came in place of the revision, raw
};

// Shakes hands, or asks for the versions it supports, on a session that nothing was said on.
awaitable<Spoken> try_revision(const spec::Profile& profile, session::Session& session);

// The revisions that it speaks besides `judged`, newest first. Stops at the deadline, and ends each
// session before the next. `stateless`: whether to try the one without a handshake.
awaitable<std::vector<const spec::Profile*>> other_revisions(const spec::Profile& judged,
                                                             const Opener& open,
                                                             session::Deadline until,
                                                             bool stateless = true);

}  // namespace harness::run
