// SPDX-License-Identifier: Apache-2.0
// AuthRules: what the server was started with to know its clients by.
#pragma once

#include <memory>
#include <string>

namespace harness::reference {

class TokenCheck;

struct AuthRules {
  std::string kind;    // "bearer", "api-key", "custom"; "": no authentication
  std::string secret;  // from the environment
  std::string other;   // likewise, of a second user with more rights; "": there is none
  std::shared_ptr<const TokenCheck>
      tokens;          // of an issuer, instead of a secret; null: there is none
  bool bound = false;  // takes tokens only with a proof of possession (DPoP)
};

}  // namespace harness::reference
