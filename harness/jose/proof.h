// SPDX-License-Identifier: Apache-2.0
// Proofs of possession (DPoP, RFC 9449): what shows that the sender of a request has the key that a
// token is bound to; and such that show nothing, in the ways in which a server must notice.
#pragma once

#include <ctime>
#include <string>

#include "harness/base/result.h"
#include "harness/json/value.h"

namespace harness::jose {

// The request that a proof is made for.
struct Proven {
  std::string method;
  std::string url;    // without query
  std::string token;  // the access token
};

// `key`: the private JWK (ES256), or its text. `changes`, all of them optional, in the order they take effect:
//   header, claims: members to set; null removes one
//   age: seconds ago that the proof was made; negative: in the future
//   nonce: what the server handed out; "" for none
//   key: other (the proof has a fresh key of its own)
//   signed: other-key (the key in the header is not the one that signed), altered, none, symmetric
//     (HS256 with what the header has of the key)
Result<std::string> proof(const Proven& request, const json::Value& key, const json::Value& changes,
                          std::time_t now);

}  // namespace harness::jose
