// SPDX-License-Identifier: Apache-2.0
// `--auth issuer`: rpcspec is the issuer of tokens that a test server trusts. It serves its
// metadata and keys on this machine, and signs tokens that are good and tokens that are not.
#pragma once

#include <string>

#include "harness/base/result.h"
#include "harness/target/target.h"

namespace harness::cli {

// Whether `--auth` asks for it: "issuer", "issuer:PORT", "issuer:PORT:SCOPES"; with
// "issuer-dpop" in place of "issuer", tokens are bound to a key.
bool is_issuer(const std::string& auth);

// Gives the target a good token, with these scopes, and fills in the affordances auth.*: those that
// its description has none of, and those of which it says the `claims`. Replaces {port}, because
// tokens name the address of the server. A command that we start finds the address of the issuer in
// RPCSPEC_ISSUER; it is told on stderr too. A process of its own serves until this one ends.
Status issue(const std::string& auth, target::Target& target);

}  // namespace harness::cli
