// SPDX-License-Identifier: Apache-2.0
// Which revisions of MCP a target speaks, each asked on a connection of its own.
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

// Those of MCP that it speaks beside `judged`, the newest first. After the deadline none is asked
// any more; each session is ended before the next is opened. `stateless`: whether one without a
// handshake may be asked for; it was otherwise.
awaitable<std::vector<const spec::Profile*>> other_revisions(const spec::Profile& judged,
                                                             const Opener& open,
                                                             session::Deadline until,
                                                             bool stateless = true);

}  // namespace harness::run
