// SPDX-License-Identifier: Apache-2.0
// Key: signs and checks what JSON Web Signatures carry (RFC 7515, RFC 7518): RS256 for tokens,
// ES256 for proofs of possession. Keys travel as JSON Web Keys (RFC 7517).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "harness/json/value.h"

struct evp_pkey_st;  // of OpenSSL

namespace harness::jose {

enum class Algorithm { kRs256, kEs256 };

class Key {
 public:
  // To find the numbers of a longer key of RSA takes a second on a busy machine.
  static Key make(Algorithm algorithm, unsigned rsa_bits = 2048);
  // A public or private key; nothing if it is of another kind, or no key.
  static std::optional<Key> from_jwk(const json::Value& jwk);

  const char* name() const { return algorithm_ == Algorithm::kRs256 ? "RS256" : "ES256"; }
  // The members of a public key. The private one is of ES256 alone.
  json::Value jwk() const;
  json::Value private_jwk() const;
  std::string signature(std::string_view text) const;  // needs the private key
  bool verifies(std::string_view text, std::string_view signature) const;

 private:
  Key(Algorithm algorithm, std::shared_ptr<evp_pkey_st> key)
      : algorithm_(algorithm), key_(std::move(key)) {}

  Algorithm algorithm_;
  std::shared_ptr<evp_pkey_st> key_;
};

std::string sha256(std::string_view text);  // 32 bytes
// RFC 7638, in Base64 for URLs; "" if members are missing.
std::string thumbprint(const json::Value& jwk);

// A compact signature in its parts; nothing if the text is not one.
struct Signed {
  json::Value header, claims;
  std::string signature;
  std::string_view text;  // what is signed; a part of the text that was read
};
std::optional<Signed> read_signed(std::string_view token);
// `header.claims.`, to be signed without its last dot.
std::string unsigned_token(const json::Value& header, const json::Value& claims);
// The header gets `alg`.
std::string signed_token(json::Value header, const json::Value& claims, const Key& key);

}  // namespace harness::jose
