// SPDX-License-Identifier: Apache-2.0
// The handshake with a target whose framing is unknown: if nothing readable comes, another framing
// is tried.
#pragma once

#include <chrono>
#include <vector>

#include "harness/contact/negotiate.h"

namespace harness::run {

// What to try, and what was found.
struct Search {
  const target::Target& target;
  const Opener& open;
  const Reframe& reframe;
  bool& takes_cut_off;
  bool& one_each;
  std::vector<Oddity> odd = {};
  bool reframed = false;
};

// Its reply is complete but not one line; from now on it is read without regard to lines.
bool writes_no_lines(const session::Session& silent, Search& search);

// Performs the handshake; true if another framing must be used, so that everything starts again.
awaitable<bool> shake(session::Session& session, Search& search, session::Handshake& shaken);

// Nothing came that could be a message.
bool says_nothing(const session::Session& session);

}  // namespace harness::run
