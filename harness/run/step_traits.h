// SPDX-License-Identifier: Apache-2.0
// StepTraits: what the steps of a case ask of the connection that it is given. Pure.
#pragma once

#include <cstddef>

#include "harness/run/pool.h"
#include "harness/suite/case.h"

namespace harness::run {

// What a case asks for on a connection of its own can end it.
bool disconnects(const suite::Case& scenario);

// What may have happened before on a connection that a case is given. At the end of its input a
// server may still wait for answers it was promised; a signal it obeys all the same.
SessionHistory bearable(const suite::Case& scenario);

// What a case leaves of a connection that has had no handshake: all of it; perhaps none, when it
// says initialize and the server takes that; none, when it means to shake hands.
enum class SessionImpact { kNone, kPerhaps, kWhole };

SessionImpact impact(const suite::Case& scenario);

// How many connections it opens besides its first, as far as that is known before it is played.
std::size_t reconnects(const suite::Case& scenario);

}  // namespace harness::run
