// SPDX-License-Identifier: Apache-2.0
// What a client keeps to show tokens that are bound to a key (DPoP, RFC 9449): the key, and the
// last nonce of the server. All sessions of a run share one.
#pragma once

#include <string>
#include <string_view>

#include "harness/base/result.h"
#include "harness/json/value.h"

namespace harness::jose {

struct Possession {
  json::Value key;    // a private JWK (ES256)
  std::string nonce;  // "": the server gave none

  // The value of the header DPoP for one request. `authorization` is that of its header; "" if the
  // scheme there is not DPoP. `url`: a query is left out.
  Result<std::string> proof_for(std::string_view authorization, std::string method,
                                std::string_view url) const;
};

}  // namespace harness::jose
