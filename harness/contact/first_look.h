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
  bool one_by_one = false;  // a connection is closed before another is opened
  std::vector<Oddity> odd = {};
  bool reframed = false;
};

// Its reply is complete but not one line; from now on it is read without regard to lines.
bool writes_no_lines(const session::Session& silent, Search& search);

// Performs the handshake; true if another framing must be used, so that everything starts again.
awaitable<bool> shake(session::Session& session, Search& search, session::Handshake& shaken);

// What servers of MCP are asked first, each on a connection of its own.
struct BothEras {
  std::unique_ptr<session::Session> modern, legacy;
  std::optional<session::Inbound> discovered;  // the reply to server/discover
  session::Handshake shaken;
  bool other = false;  // another framing must be used, so that everything starts again
};

// Both at once: neither may disturb the other, and a target that stays silent to one is not waited
// for longer than to the other. The Error has no text when both could be opened.
awaitable<Error> ask_both_eras(Search& search, BothEras& out);

// Nothing came that could be a message.
bool says_nothing(const session::Session& session);

}  // namespace harness::run
