// SPDX-License-Identifier: Apache-2.0
// AuthGuard: stands before the HTTP and WebSocket hosts and lets in who shows the credentials the
// server was started with. As a resource server of OAuth it says where its metadata is (RFC 9728)
// and which scope is missing; it issues no tokens. Faults break each rule.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "harness/reference/auth_rules.h"
#include "harness/reference/faults.h"
#include "harness/reference/http_message.h"
#include "harness/reference/token_check.h"

namespace harness::reference {

class AuthGuard {
 public:
  AuthGuard(AuthRules rules, const Faults& faults) : rules_(std::move(rules)), faults_(faults) {}

  // The response to a client without valid credentials, and the metadata document for a client that
  // requests it.
  std::optional<HttpReply> answer(const HttpRequest& request) const;
  // The user whose credentials the request shows; "" without authentication.
  std::string user_of(const HttpRequest& request) const;
  // Puts the credentials of the request where a careless server would.
  void echo(const HttpRequest& request, std::string& body, HttpHeaders& headers) const;

 private:
  enum class Shown { kMissing, kMalformed, kWrong, kRight, kUnproven, kWithoutNonce, kBreaksUs };
  Shown shown(const HttpRequest& request) const;
  Shown shown_bearer(const HttpRequest& request) const;
  Shown shown_token(const HttpRequest& request, const std::string& token, bool with_proof) const;
  std::optional<TokenCheck::Holder> holder_of(const HttpRequest& request) const;
  bool is_right(std::string_view token) const;
  bool unguarded(const HttpRequest& request) const;
  HttpReply metadata(const HttpRequest& request) const;
  HttpReply server_metadata() const;
  std::string challenge(const HttpRequest& request, std::string_view error,
                        std::string_view scope) const;
  HttpReply refusal(const HttpRequest& request, int status, std::string_view error) const;
  HttpReply dpop_refusal(const HttpRequest& request, std::string_view error) const;

  AuthRules rules_;
  const Faults& faults_;
  mutable int refusals_ = 0;    // for a Fault
  mutable std::string let_in_;  // the last token of an issuer that was right; for Faults
};

}  // namespace harness::reference
