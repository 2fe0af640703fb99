// SPDX-License-Identifier: Apache-2.0
// `--auth login`: a token for the target from its authorization server, by OAuth.
//
//   target: 401 ─► its resource metadata ─► metadata of the authorization server
//     ─► client credentials, or: register, the browser, a redirect to us, the code ─► the token
#pragma once

#include <string>

#include "harness/base/result.h"
#include "harness/target/target.h"

namespace harness::cli {

// Whether `--auth` asks for it: "login", "login:ID", "login:ID:NAME".
bool is_login(const std::string& auth);

// Gives the target a bearer token. With a secret (NAME: an environment variable, or @FILE) it asks
// by client credentials; without, it opens a browser ($RPCSPEC_BROWSER, or xdg-open) and waits for
// the redirect to 127.0.0.1; without an ID, it registers first. The token stays in memory, or in
// the file that $RPCSPEC_TOKENS names, which only its owner can read, and is used until it expires.
Status log_in(const std::string& auth, target::Target& target);

}  // namespace harness::cli
