// SPDX-License-Identifier: Apache-2.0
// TokenCheck: what a resource server checks of a token that an issuer signed (RFC 9068), and of the
// proof of possession beside it (RFC 9449). Each Fault leaves one check out.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "harness/base/result.h"
#include "harness/jose/key.h"
#include "harness/reference/faults.h"
#include "harness/reference/http_message.h"

namespace harness::reference {

class TokenCheck {
 public:
  // With the keys that the issuer serves now.
  static Result<TokenCheck> of_issuer(const std::string& issuer, const Faults& faults,
                                      bool wants_nonce);

  struct Holder {
    std::string user, scope;
    std::string key;  // the thumbprint of the key that the token is bound to; "" for none
  };
  // Nothing if the token is not valid for this audience.
  std::optional<Holder> holder(std::string_view token, const std::string& audience,
                               bool with_proof) const;

  enum class Proof { kGood, kBad, kWithoutNonce, kBreaksUs };
  Proof proof(const HttpRequest& request, const std::string& url, std::string_view token,
              const Holder& holder) const;
  const std::string& nonce() const { return nonce_; }  // "" if none is wanted

 private:
  TokenCheck(std::string issuer, jose::Key key, const Faults& faults)
      : issuer_(std::move(issuer)), key_(std::move(key)), faults_(&faults) {}

  std::string issuer_, nonce_;
  jose::Key key_;
  const Faults* faults_;
};

}  // namespace harness::reference
