// SPDX-License-Identifier: Apache-2.0
// AuthGuard: stands before the HTTP and WebSocket hosts and lets in who shows the credentials the
// server was started with. As a resource server of OAuth it says where its metadata lies (RFC 9728)
// and which scope is missing; it issues no tokens. Faults break each rule.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "harness/reference/inject_http.h"

namespace harness::reference {

struct AuthRules {
  std::string kind;    // "bearer", "api-key", "custom"; "": everybody is let in
  std::string secret;  // from the environment
};

// What of a request is looked at. Names of headers as they came.
struct Visit {
  std::string method;
  std::string target;
  HttpHeaders headers;
  std::string body;

  std::string header(std::string_view name) const;  // "" when there is none
};

class AuthGuard {
 public:
  AuthGuard(AuthRules rules, const Faults& faults) : rules_(std::move(rules)), faults_(faults) {}

  // The answer to who is not let in, and the metadata document for who asks for that.
  std::optional<HttpReply> answer(const Visit& visit) const;
  // Puts the credentials of the visit where a careless server would.
  void echo(const Visit& visit, std::string& body, HttpHeaders& headers) const;

 private:
  enum class Shown { kMissing, kMalformed, kWrong, kRight };
  Shown shown(const Visit& visit) const;
  Shown shown_bearer(const Visit& visit) const;
  bool is_right(std::string_view token) const;
  bool unguarded(const Visit& visit) const;
  HttpReply metadata(const Visit& visit) const;
  std::string challenge(const Visit& visit, std::string_view error, std::string_view scope) const;
  HttpReply refusal(const Visit& visit, int status, std::string_view error) const;

  AuthRules rules_;
  const Faults& faults_;
};

}  // namespace harness::reference
