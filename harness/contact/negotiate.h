// SPDX-License-Identifier: Apache-2.0
// negotiate(): finds out what the target speaks and offers, before anything is judged.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/contact/oddity.h"
#include "harness/contact/offer.h"
#include "harness/session/session.h"
#include "harness/suite/loader.h"
#include "harness/target/target.h"

namespace harness::run {

using session::awaitable;

struct Negotiated {
  const spec::Profile* profile = nullptr;
  Offer offer;
  std::unique_ptr<session::Session> ready;  // usable for cases, or null
  std::optional<std::int64_t> refusal;      // the code with which it refuses initialize of LSP
  std::unique_ptr<session::Session> spare;  // a remaining session without a handshake, or null
  bool handshake = true;                    // sessions begin with a handshake, if the profile has
                                            // one
  json::Value described;                    // what a plain server reports about its methods; or
                                            // null
  bool takes_cut_off = false;               // as sessions do, see session.h
  bool one_each = false;                    // one message per connection
  bool one_by_one = false;                  // one connection at a time
  std::vector<Oddity> odd;                  // what is wrong with the first contact
};

// Opens a session of the profile; nothing is sent on it.
using Opener = std::function<awaitable<Result<std::unique_ptr<session::Session>>>(
    const spec::Profile& profile)>;

// `wanted`: a profile name or "auto". An Error means the target could not be reached, does not speak
// the profile asked for, or refused all that was sent before it was read (exit code 3).
awaitable<Result<Negotiated>> negotiate(const std::string& wanted, const target::Target& target,
                                        const suite::Suite& suite, const Opener& open);

// From now on sessions are opened in this framing, and `target` says so.
using Reframe = std::function<void(target::Framing)>;

// The same. `beside`: two connections are tried, where that says something (connections.h). If a
// target does not answer in lines, its framing is found and used; with an empty
// `reframe` it is not.
awaitable<Result<Negotiated>> negotiate(const std::string& wanted, const target::Target& target,
                                        const suite::Suite& suite, const Opener& open,
                                        const Reframe& reframe, bool beside = true);

// Asks a ready session for everything it lists, and chooses its canary.
awaitable<void> discover(session::Session& session, Offer& offer);

}  // namespace harness::run
