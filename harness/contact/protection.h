// SPDX-License-Identifier: Apache-2.0
// Protection: how a target with configured credentials treats requests without them, found out once
// before the cases: whether it requires them, how it says so, and where on its host the resource
// metadata is. No other host is contacted.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "harness/session/session.h"
#include "harness/target/target.h"

namespace harness::run {

struct Protection {
  const target::Auth* auth = nullptr;  // of the target; null: none was given
  bool demanded = false;               // the first request got no result without it
  bool has_scopes = false;             // its metadata lists some
  bool takes_proofs = false;           // its challenge or its metadata speaks of DPoP
  bool metadata_elsewhere = false;     // the challenge names another host
  json::Value facts = json::object();  // the value of ${auth.…} in cases

  // Why a case that requires `auth: NAME` cannot be played; "" when it can.
  std::string missing(const std::string& name) const;
};

using SessionOpener =
    std::function<session::awaitable<Result<std::unique_ptr<session::Session>>>()>;

// For a target over HTTP with credentials; for any other, an empty one.
session::awaitable<Protection> examine_protection(const target::Target& target,
                                                  const SessionOpener& open);

// With each byte as %XX that stands for itself in no part of a URL.
std::string percent_encoded(std::string_view text);

// The value of a parameter in the first Bearer challenge of a WWW-Authenticate header.
std::string challenge_parameter(std::string_view challenge, std::string_view name);

}  // namespace harness::run
