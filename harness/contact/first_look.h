// SPDX-License-Identifier: Apache-2.0
// The handshake of a target of which it is not known how it frames its messages: where nothing
// comes that can be read, another way to read it is looked for.
#pragma once

#include <chrono>
#include <vector>

#include "harness/contact/negotiate.h"

namespace harness::run {

// What is looked for, and what was found on the way.
struct Search {
  const target::Target& target;
  const Opener& open;
  const Reframe& reframe;
  bool& takes_cut_off;
  std::vector<Oddity> odd = {};
  bool reframed = false;
};

// What it answers stands there and is not one line; then it is read without regard to lines from
// now on.
bool writes_no_lines(const session::Session& silent, Search& search);

// Shakes hands; true where what came is to be read in another way, so that all is begun again.
awaitable<bool> shake(session::Session& session, Search& search, session::Handshake& shaken);

// Nothing came that may be meant as a message.
bool says_nothing(const session::Session& session);

}  // namespace harness::run
