// SPDX-License-Identifier: Apache-2.0
#include "harness/jose/key.h"

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <openssl/rsa.h>

#include <algorithm>
#include <vector>

#include "harness/base/base64.h"
#include "harness/base/result.h"
#include "harness/json/read.h"
#include "harness/json/write.h"

namespace harness::jose {
namespace {

using json::Value;

constexpr std::size_t kHalf = 32;  // bytes of a number of P-256

template <class T, void (*kFree)(T*)>
struct Freed {
  void operator()(T* one) const { kFree(one); }
};
using Number = std::unique_ptr<BIGNUM, Freed<BIGNUM, BN_clear_free>>;
using Context = std::unique_ptr<EVP_MD_CTX, Freed<EVP_MD_CTX, EVP_MD_CTX_free>>;

const unsigned char* bytes_of(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

Number number_from(std::string_view bytes) {
  return Number(BN_bin2bn(bytes_of(bytes), static_cast<int>(bytes.size()), nullptr));
}

// Of at least `size` bytes.
std::string bytes_from(const BIGNUM* number, std::size_t size) {
  std::string out(std::max(size, static_cast<std::size_t>(BN_num_bytes(number))), '\0');
  BN_bn2binpad(number, reinterpret_cast<unsigned char*>(out.data()), static_cast<int>(out.size()));
  return out;
}

std::string number_of(EVP_PKEY* key, const char* name, std::size_t size) {
  BIGNUM* got = nullptr;
  check(EVP_PKEY_get_bn_param(key, name, &got) == 1, "a key lacks a number");
  const Number number(got);
  return bytes_from(number.get(), size);
}

std::optional<std::string> decoded(std::string_view text) {
  std::string plain(text);
  std::replace(plain.begin(), plain.end(), '-', '+');
  std::replace(plain.begin(), plain.end(), '_', '/');
  plain.resize((plain.size() + 3) / 4 * 4, '=');
  return from_base64(plain);
}

std::string member(const Value& jwk, const char* name) {
  const Value* found = jwk.find(name);
  return found != nullptr && found->is_string() ? found->text : "";
}

std::string decoded_member(const Value& jwk, const char* name) {
  return decoded(member(jwk, name)).value_or("");
}

// r and s side by side, as JSON Web Signatures have them; OpenSSL has them in DER.
std::string side_by_side(std::string_view der) {
  const unsigned char* at = bytes_of(der);
  const std::unique_ptr<ECDSA_SIG, Freed<ECDSA_SIG, ECDSA_SIG_free>> both(
      d2i_ECDSA_SIG(nullptr, &at, static_cast<long>(der.size())));
  check(both != nullptr, "a signature cannot be read");
  return bytes_from(ECDSA_SIG_get0_r(both.get()), kHalf) +
         bytes_from(ECDSA_SIG_get0_s(both.get()), kHalf);
}

std::string in_der(std::string_view raw) {
  const std::unique_ptr<ECDSA_SIG, Freed<ECDSA_SIG, ECDSA_SIG_free>> both(ECDSA_SIG_new());
  if (raw.size() != 2 * kHalf ||
      ECDSA_SIG_set0(both.get(), number_from(raw.substr(0, kHalf)).release(),
                     number_from(raw.substr(kHalf)).release()) != 1)
    return "";
  unsigned char* out = nullptr;
  const int size = i2d_ECDSA_SIG(both.get(), &out);
  const std::string der(reinterpret_cast<char*>(out), static_cast<std::size_t>(std::max(size, 0)));
  OPENSSL_free(out);
  return der;
}

std::optional<Value> object_in(std::string_view part) {
  const auto text = decoded(part);
  if (!text) return std::nullopt;
  const auto read = json::read(*text);
  const auto* got = std::get_if<json::Reading>(&read);
  if (got == nullptr || !got->value.is_object()) return std::nullopt;
  return got->value;
}

}  // namespace

Key Key::make(Algorithm algorithm, unsigned rsa_bits) {
  std::shared_ptr<EVP_PKEY> key(
      algorithm == Algorithm::kRs256 ? EVP_RSA_gen(rsa_bits) : EVP_EC_gen("P-256"), EVP_PKEY_free);
  check(key != nullptr, "a key cannot be made");
  return Key(algorithm, std::move(key));
}

std::optional<Key> Key::from_jwk(const Value& jwk) {
  const bool rsa = member(jwk, "kty") == "RSA";
  if (!rsa && (member(jwk, "kty") != "EC" || member(jwk, "crv") != "P-256")) return std::nullopt;
  const std::unique_ptr<OSSL_PARAM_BLD, Freed<OSSL_PARAM_BLD, OSSL_PARAM_BLD_free>> build(
      OSSL_PARAM_BLD_new());
  std::vector<Number> numbers;  // the builder refers to them
  const auto push = [&](const char* name, const std::string& bytes) {
    numbers.push_back(number_from(bytes));
    OSSL_PARAM_BLD_push_BN(build.get(), name, numbers.back().get());
  };
  const std::string point = "\x04" + decoded_member(jwk, "x") + decoded_member(jwk, "y"),
                    secret = decoded_member(jwk, "d");
  if (rsa) {
    push(OSSL_PKEY_PARAM_RSA_N, decoded_member(jwk, "n"));
    push(OSSL_PKEY_PARAM_RSA_E, decoded_member(jwk, "e"));
  } else {
    OSSL_PARAM_BLD_push_utf8_string(build.get(), OSSL_PKEY_PARAM_GROUP_NAME, "P-256", 0);
    OSSL_PARAM_BLD_push_octet_string(build.get(), OSSL_PKEY_PARAM_PUB_KEY, point.data(),
                                     point.size());
    if (!secret.empty()) push(OSSL_PKEY_PARAM_PRIV_KEY, secret);
  }
  const std::unique_ptr<OSSL_PARAM, Freed<OSSL_PARAM, OSSL_PARAM_free>> params(
      OSSL_PARAM_BLD_to_param(build.get()));
  const std::unique_ptr<EVP_PKEY_CTX, Freed<EVP_PKEY_CTX, EVP_PKEY_CTX_free>> context(
      EVP_PKEY_CTX_new_from_name(nullptr, rsa ? "RSA" : "EC", nullptr));
  EVP_PKEY* made = nullptr;
  if (EVP_PKEY_fromdata_init(context.get()) != 1 ||
      EVP_PKEY_fromdata(context.get(), &made,
                        rsa || secret.empty() ? EVP_PKEY_PUBLIC_KEY : EVP_PKEY_KEYPAIR,
                        params.get()) != 1)
    return std::nullopt;
  return Key(rsa ? Algorithm::kRs256 : Algorithm::kEs256,
             std::shared_ptr<EVP_PKEY>(made, EVP_PKEY_free));
}

Value Key::jwk() const {
  const auto text = [&](const char* name, std::size_t size) {
    return json::string(to_base64url(number_of(key_.get(), name, size)));
  };
  if (algorithm_ == Algorithm::kRs256)
    return json::object({{"kty", json::string("RSA")},
                         {"n", text(OSSL_PKEY_PARAM_RSA_N, 0)},
                         {"e", text(OSSL_PKEY_PARAM_RSA_E, 0)}});
  return json::object({{"kty", json::string("EC")},
                       {"crv", json::string("P-256")},
                       {"x", text(OSSL_PKEY_PARAM_EC_PUB_X, kHalf)},
                       {"y", text(OSSL_PKEY_PARAM_EC_PUB_Y, kHalf)}});
}

Value Key::private_jwk() const {
  check(algorithm_ == Algorithm::kEs256, "a private key of RSA does not travel");
  Value all = jwk();
  all.set("d", json::string(to_base64url(number_of(key_.get(), OSSL_PKEY_PARAM_PRIV_KEY, kHalf))));
  return all;
}

std::string Key::signature(std::string_view text) const {
  const Context context(EVP_MD_CTX_new());
  std::string out(static_cast<std::size_t>(EVP_PKEY_get_size(key_.get())), '\0');
  std::size_t size = out.size();
  check(EVP_DigestSignInit(context.get(), nullptr, EVP_sha256(), nullptr, key_.get()) == 1 &&
            EVP_DigestSign(context.get(), reinterpret_cast<unsigned char*>(out.data()), &size,
                           bytes_of(text), text.size()) == 1,
        "a token cannot be signed");
  out.resize(size);
  return algorithm_ == Algorithm::kRs256 ? out : side_by_side(out);
}

bool Key::verifies(std::string_view text, std::string_view signature) const {
  const Context context(EVP_MD_CTX_new());
  const std::string shown =
      algorithm_ == Algorithm::kRs256 ? std::string(signature) : in_der(signature);
  return EVP_DigestVerifyInit(context.get(), nullptr, EVP_sha256(), nullptr, key_.get()) == 1 &&
         EVP_DigestVerify(context.get(), bytes_of(shown), shown.size(), bytes_of(text),
                          text.size()) == 1;
}

std::string sha256(std::string_view text) {
  std::string out(32, '\0');
  EVP_Digest(text.data(), text.size(), reinterpret_cast<unsigned char*>(out.data()), nullptr,
             EVP_sha256(), nullptr);
  return out;
}

std::string thumbprint(const Value& jwk) {
  const bool rsa = member(jwk, "kty") == "RSA";
  Value needed = json::object();
  for (const char* name : rsa ? std::vector<const char*>{"e", "kty", "n"}
                              : std::vector<const char*>{"crv", "kty", "x", "y"}) {
    if (member(jwk, name).empty()) return "";
    needed.set(name, json::string(member(jwk, name)));
  }
  return to_base64url(sha256(json::write(needed)));
}

std::optional<Signed> read_signed(std::string_view token) {
  const std::size_t first = token.find('.'), last = token.rfind('.');
  if (first == std::string_view::npos || first == last || token.find('.', first + 1) != last)
    return std::nullopt;
  auto header = object_in(token.substr(0, first));
  auto claims = object_in(token.substr(first + 1, last - first - 1));
  const auto signature = decoded(token.substr(last + 1));
  if (!header || !claims || !signature) return std::nullopt;
  return Signed{std::move(*header), std::move(*claims), *signature, token.substr(0, last)};
}

std::string unsigned_token(const Value& header, const Value& claims) {
  return to_base64url(json::write(header)) + "." + to_base64url(json::write(claims)) + ".";
}

std::string signed_token(Value header, const Value& claims, const Key& key) {
  header.set("alg", json::string(key.name()));
  const std::string text = unsigned_token(header, claims);
  return text + to_base64url(key.signature(std::string_view(text).substr(0, text.size() - 1)));
}

}  // namespace harness::jose
