// SPDX-License-Identifier: Apache-2.0
#include "harness/jose/proof.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include "harness/base/base64.h"
#include "harness/base/random.h"
#include "harness/jose/key.h"
#include "harness/json/read.h"
#include "harness/json/write.h"

namespace harness::jose {
namespace {

using json::Value;

std::string word(const Value& changes, const char* name) {
  const Value* found = changes.find(name);
  return found != nullptr && found->is_string() ? found->text : "";
}

void change(Value& object, const Value* members) {
  if (members == nullptr) return;
  for (const json::Member& member : members->members) {
    if (!member.value.is_null())
      object.set(member.name, member.value);
    else
      std::erase_if(object.members,
                    [&](const json::Member& one) { return one.name == member.name; });
  }
}

// The secret is what anybody can read in the header.
std::string symmetric_signature(std::string_view text, const Value& header) {
  const Value* jwk = header.find("jwk");
  const std::string secret = jwk != nullptr ? json::write(*jwk) : "";
  std::string out(32, '\0');
  unsigned int size = 32;
  HMAC(EVP_sha256(), secret.data(), static_cast<int>(secret.size()),
       reinterpret_cast<const unsigned char*>(text.data()), text.size(),
       reinterpret_cast<unsigned char*>(out.data()), &size);
  return out;
}

}  // namespace

Result<std::string> proof(const Proven& request, const Value& key, const Value& changes,
                          std::time_t now) {
  const auto read = json::read(key.text);
  const auto* document = std::get_if<json::Reading>(&read);
  const Value& jwk = key.is_string() && document != nullptr ? document->value : key;
  const std::optional<Key> bound = Key::from_jwk(jwk);
  if (!bound || jwk.find("d") == nullptr)
    return Error{"", "the key of auth.dpop is no private JWK of the curve P-256",
                 "write {kty: EC, crv: P-256, x: …, y: …, d: …}"};
  const std::string how = word(changes, "signed");
  const Key signer =
      how == "other-key" || word(changes, "key") == "other" ? Key::make(Algorithm::kEs256) : *bound;
  Value header = json::object({{"typ", json::string("dpop+jwt")},
                               {"alg", json::string("ES256")},
                               {"jwk", (how == "other-key" ? *bound : signer).jwk()}});
  if (how == "none") header.set("alg", json::string("none"));
  if (how == "symmetric") header.set("alg", json::string("HS256"));
  const Value* age = changes.find("age");
  const std::int64_t made = now - (age != nullptr ? json::as_integer(*age).value_or(0) : 0);
  Value claims = json::object({{"jti", json::string(std::to_string(random_number()))},
                               {"htm", json::string(request.method)},
                               {"htu", json::string(request.url)},
                               {"iat", json::number(made)},
                               {"ath", json::string(to_base64url(sha256(request.token)))}});
  if (const std::string nonce = word(changes, "nonce"); !nonce.empty())
    claims.set("nonce", json::string(nonce));
  change(header, changes.find("header"));
  change(claims, changes.find("claims"));
  std::string out = unsigned_token(header, claims);
  const std::string_view text = std::string_view(out).substr(0, out.size() - 1);
  std::string signature = how == "none"        ? ""
                          : how == "symmetric" ? symmetric_signature(text, header)
                                               : signer.signature(text);
  if (how == "altered") signature[signature.size() / 2] ^= 1;
  return out + to_base64url(signature);
}

}  // namespace harness::jose
