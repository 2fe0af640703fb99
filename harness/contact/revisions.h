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
  std::string answer;  // if not: the reply in place of the revision, raw
};

// Performs the handshake, or asks for the supported versions, on an unused session.
awaitable<Spoken> try_revision(const spec::Profile& profile, session::Session& session);

// Initialize is refused, and not because nobody has it: a server may do so with a version that it
// does not support, and serve an older one.
bool refuses_version(const json::Value& reply);

// The newest revision with a handshake that it speaks, of those newer than the one it `offered` when
// `asked` for another; else `offered`, which may be null. A server may offer any that it speaks.
awaitable<const spec::Profile*> newest_spoken(const spec::Profile& asked,
                                              const spec::Profile* offered, const Opener& open);

// The revisions that it speaks in addition to `judged`, newest first. Stops at the deadline, and
// ends each session before the next. `stateless`: whether to try the one without a handshake.
awaitable<std::vector<const spec::Profile*>> other_revisions(const spec::Profile& judged,
                                                             const Opener& open,
                                                             session::Deadline until,
                                                             bool stateless = true);

}  // namespace harness::run
