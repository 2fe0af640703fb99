// SPDX-License-Identifier: Apache-2.0
#include "harness/reference/token_check.h"

#include <algorithm>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/streambuf.hpp>
#include <boost/asio/write.hpp>
#include <ctime>

#include "harness/base/ascii.h"
#include "harness/base/base64.h"
#include "harness/base/random.h"
#include "harness/json/read.h"
#include "harness/reference/members.h"

namespace harness::reference {
namespace {

using boost::asio::ip::tcp;
using json::Value;

constexpr std::int64_t kWindow = 300;  // seconds that a proof may be old, or early

std::optional<std::int64_t> time_in(const Value& object, std::string_view name) {
  const Value* found = object.find(name);
  return found != nullptr && found->is_number() ? json::as_integer(*found) : std::nullopt;
}

// Of http://127.0.0.1:PORT alone.
std::string fetched(const std::string& issuer, const std::string& path) {
  boost::asio::io_context io;
  tcp::socket socket(io);
  boost::system::error_code failed;
  const int port = std::atoi(issuer.substr(issuer.rfind(':') + 1).c_str());
  socket.connect({boost::asio::ip::address_v4::loopback(), static_cast<std::uint16_t>(port)},
                 failed);
  boost::asio::write(socket, boost::asio::buffer("GET " + path + " HTTP/1.0\r\n\r\n"), failed);
  std::string text;
  boost::asio::read(socket, boost::asio::dynamic_buffer(text), failed);
  const std::size_t head = text.find("\r\n\r\n");
  return head == std::string::npos ? "" : text.substr(head + 4);
}

// Scheme and host in any letter case, and the port of the scheme or none.
std::string normalized(std::string url) {
  const std::size_t path = std::min(url.find('/', url.find("://") + 3), url.size());
  std::string origin = ascii::lower(url.substr(0, path));
  if (origin.starts_with("http:") && origin.ends_with(":80")) origin.resize(origin.size() - 3);
  return origin + url.substr(path);
}

}  // namespace

Result<TokenCheck> TokenCheck::of_issuer(const std::string& issuer, const Faults& faults,
                                         bool wants_nonce) {
  const auto read = json::read(fetched(issuer, "/jwks"));
  const auto* document = std::get_if<json::Reading>(&read);
  const Value* jwk = document != nullptr ? json::at(document->value, "/keys/0") : nullptr;
  const auto key = jwk != nullptr ? jose::Key::from_jwk(*jwk) : std::nullopt;
  if (!key) return Error{"", "the issuer " + issuer + " serves no key that can be read", ""};
  TokenCheck check(issuer, *key, faults);
  if (wants_nonce) check.nonce_ = "nonce-" + std::to_string(random_number());
  return check;
}

std::optional<TokenCheck::Holder> TokenCheck::holder(std::string_view token,
                                                     const std::string& audience,
                                                     bool with_proof) const {
  const auto read = jose::read_signed(token);
  if (!read) return std::nullopt;
  const Value& claims = read->claims;
  const std::int64_t now = std::time(nullptr);
  const bool known = text_in(claims, "iss") == issuer_;
  const bool is_signed = key_.verifies(read->text, read->signature);
  const auto skips = [&](FaultName always, FaultName with_proofs) {
    return faults_->has(always) || (with_proof && faults_->has(with_proofs));
  };
  const bool any_issuer = faults_->has("auth-token-of-other-issuer");
  if (!is_signed && !(any_issuer && !known) && !skips("auth-forged-token", "dpop-forged-token"))
    return std::nullopt;
  if (!known && !any_issuer) return std::nullopt;
  if (text_in(claims, "aud") != audience &&
      !skips("auth-token-for-other-server", "dpop-token-for-other-server"))
    return std::nullopt;
  if (now >= time_in(claims, "exp").value_or(0) &&
      !skips("auth-expired-token", "dpop-expired-token"))
    return std::nullopt;
  if (now < time_in(claims, "nbf").value_or(0) && !faults_->has("auth-early-token"))
    return std::nullopt;
  const Value* bound_to = json::at(claims, "/cnf/jkt");
  return Holder{text_in(claims, "sub"), " " + text_in(claims, "scope") + " ",
                bound_to != nullptr ? bound_to->text : ""};
}

TokenCheck::Proof TokenCheck::proof(const HttpRequest& request, const std::string& url,
                                    std::string_view token, const Holder& holder) const {
  const auto skips = [&](FaultName fault) { return faults_->has(fault); };
  std::vector<std::string> shown;
  for (const auto& [name, value] : request.headers)
    if (ascii::equal_ignoring_case(name, "DPoP")) shown.push_back(value);
  const bool first = request.body.find("\"initialize\"") != std::string::npos ||
                     request.body.find("\"server/discover\"") != std::string::npos;
  if (shown.empty())
    return skips("dpop-proof-optional") || (!first && skips("dpop-first-request-only"))
               ? Proof::kGood
               : Proof::kBad;
  if (shown.size() > 1 && !skips("dpop-several-proofs")) return Proof::kBad;
  const auto read = jose::read_signed(shown.front());
  if (!read) return skips("dpop-malformed-proof") ? Proof::kGood : Proof::kBad;
  const Value none = json::object();
  const Value& claims = read->claims;
  const Value* named = read->header.find("jwk");
  const Value& jwk = named != nullptr ? *named : none;
  const std::string alg = text_in(read->header, "alg");
  const auto key = jose::Key::from_jwk(jwk);
  const auto made = time_in(claims, "iat");
  const std::int64_t age = std::time(nullptr) - made.value_or(0);
  std::string place = text_in(claims, "htu");
  if (!skips("dpop-htu-with-query"))
    place.resize(std::min(place.find_first_of("?#"), place.size()));
  if (!skips("dpop-htu-exact")) place = normalized(place);
  const auto* iat = claims.find("iat");
  if (iat != nullptr && !iat->is_number() && skips("dpop-claim-types")) return Proof::kBreaksUs;
  if ((alg == "none" && skips("dpop-alg-none")) || (alg == "HS256" && skips("dpop-alg-symmetric")))
    return Proof::kGood;
  const bool unkeyed = named == nullptr && skips("dpop-jwk-optional");
  const auto says = [&](const char* name) { return claims.find(name) != nullptr; };
  // A claim that is missing is one matter, one that says something else another.
  const struct {
    bool holds;
    FaultName skipped;
  } kChecks[] = {
      {text_in(read->header, "typ") == "dpop+jwt", "dpop-typ"},
      {jwk.find("d") == nullptr, "dpop-jwk-private"},
      {unkeyed || (alg == "ES256" && key && key->verifies(read->text, read->signature)),
       "dpop-signature"},
      {!text_in(claims, "jti").empty(), "dpop-jti-optional"},
      {says("htm"), "dpop-htm-optional"},
      {!says("htm") || text_in(claims, "htm") == request.method ||
           (request.method == "GET" && skips("dpop-get-as-post")),
       "dpop-htm"},
      {says("htu"), "dpop-htu-optional"},
      {!says("htu") || place == normalized(url), "dpop-htu"},
      {says("iat"), "dpop-iat-optional"},
      {!says("iat") || (made && age <= kWindow), "dpop-stale-proof"},
      {!says("iat") || (made && age >= -kWindow), "dpop-future-proof"},
      {says("ath"), "dpop-ath-optional"},
      {!says("ath") || text_in(claims, "ath") == to_base64url(jose::sha256(token)), "dpop-ath"},
      {unkeyed ||
           (holder.key.empty() ? skips("dpop-unbound-token") : jose::thumbprint(jwk) == holder.key),
       "dpop-any-key"},
  };
  for (const auto& check : kChecks)
    if (!check.holds && !skips(check.skipped)) return Proof::kBad;
  if (age > 3 && skips("dpop-narrow-window")) return Proof::kBad;
  if (claims.members.size() > (says("nonce") ? 6U : 5U) && skips("dpop-extra-claims-refused"))
    return Proof::kBad;
  if (nonce_.empty()) return skips("dpop-refused-always") ? Proof::kBad : Proof::kGood;
  if (!says("nonce") || skips("dpop-nonce-never-accepted")) return Proof::kWithoutNonce;
  return text_in(claims, "nonce") == nonce_ || skips("dpop-any-nonce") ? Proof::kGood : Proof::kBad;
}

}  // namespace harness::reference
