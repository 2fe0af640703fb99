// SPDX-License-Identifier: Apache-2.0
#include "harness/reference/auth_guard.h"

#include <algorithm>
#include <cstdio>

#include "harness/base/ascii.h"
#include "harness/base/base64.h"
#include "harness/json/read.h"
#include "harness/json/write.h"
#include "harness/reference/edits.h"

namespace harness::reference {
namespace {

using json::Value;

constexpr std::string_view kEndpoint = "/mcp";
constexpr std::string_view kWellKnown = "/.well-known/oauth-protected-resource";
constexpr std::string_view kScope = "mcp:use";
constexpr std::string_view kAdminScope = "mcp:admin";
constexpr std::string_view kClient = "reference-client";  // X-Client-ID of --auth custom

std::string query_parameter(std::string_view target, std::string_view name) {
  const std::size_t query = target.find('?');
  if (query == std::string_view::npos) return "";
  std::string_view rest = target.substr(query + 1);
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('&'), rest.size());
    const std::string_view pair = rest.substr(0, end);
    if (pair.substr(0, name.size() + 1) == std::string(name) + "=")
      return std::string(pair.substr(name.size() + 1));
    rest.remove_prefix(std::min(rest.size(), end + 1));
  }
  return "";
}

std::string url_of(const HttpRequest& request) {
  return "http://" + request.header("Host").value_or("") + std::string(kEndpoint);
}

std::string metadata_url(const HttpRequest& request) {
  return "http://" + request.header("Host").value_or("") + std::string(kWellKnown) +
         std::string(kEndpoint);
}

// A call that takes more than the token of this server allows.
bool needs_admin(const HttpRequest& request) {
  return request.body.find("\"admin_reset\"") != std::string::npos;
}

Value texts(std::initializer_list<std::string_view> all) {
  Value list = json::array();
  for (const std::string_view text : all) list.items.push_back(json::string(text));
  return list;
}

std::string percent_encoded(std::string_view text) {
  std::string out;
  for (const unsigned char c : text) {
    char code[4];
    std::snprintf(code, sizeof code, "%%%02X", c);
    out += code;
  }
  return out;
}

void insert_behind(std::string& body, std::string_view mark, const std::string& text) {
  const std::size_t at = body.find(mark);
  if (at != std::string::npos) body.insert(at + mark.size(), text);
}

}  // namespace

std::string AuthGuard::user_of(const HttpRequest& request) const {
  if (rules_.kind.empty()) return "";
  if (rules_.tokens != nullptr) {
    const auto holder = holder_of(request);
    return holder ? holder->user : "";
  }
  const std::string shown = request.header("Authorization").value_or("");
  return !rules_.other.empty() && shown.ends_with(" " + rules_.other) ? "other" : "tester";
}

// Of the token that the request shows; nothing if it is not valid.
std::optional<TokenCheck::Holder> AuthGuard::holder_of(const HttpRequest& request) const {
  const std::string value = request.header("Authorization").value_or("");
  const std::size_t space = std::min(value.find(' '), value.size());
  return rules_.tokens->holder(value.substr(std::min(space + 1, value.size())), url_of(request),
                               ascii::lower(value.substr(0, space)) == "dpop");
}

AuthGuard::Shown AuthGuard::shown_token(const HttpRequest& request, const std::string& token,
                                        bool with_proof) const {
  const auto holder = rules_.tokens->holder(token, url_of(request), with_proof);
  const bool mixed = holder && holder->key.empty() == with_proof;
  if (!holder || (mixed && !faults_.has(with_proof ? FaultName("dpop-unbound-token")
                                                   : FaultName("dpop-token-as-bearer"))))
    return Shown::kWrong;
  if (!with_proof) let_in_ = token;
  if (!with_proof) return Shown::kRight;
  constexpr Shown kByProof[] = {Shown::kRight, Shown::kUnproven, Shown::kWithoutNonce,
                                Shown::kBreaksUs};
  const TokenCheck::Proof proof = rules_.tokens->proof(request, url_of(request), token, *holder);
  return kByProof[static_cast<int>(proof)];
}

bool AuthGuard::is_right(std::string_view token) const {
  const std::string& secret = rules_.tokens != nullptr ? let_in_ : rules_.secret;
  if (faults_.has("auth-any-token")) return !token.empty();
  if (faults_.has("auth-token-prefix"))
    return token.size() > 3 && secret.substr(0, token.size()) == token;
  // {"alg":"none"
  if (faults_.has("auth-unsigned-token") && token.substr(0, 18) == "eyJhbGciOiJub25lIi")
    return true;
  if (faults_.has("auth-token-any-case") && ascii::equal_ignoring_case(token, secret)) return true;
  if (faults_.has("auth-token-with-more") && !secret.empty() && token.starts_with(secret))
    return true;
  if (rules_.tokens != nullptr) return false;
  return token == rules_.secret || (!rules_.other.empty() && token == rules_.other);
}

AuthGuard::Shown AuthGuard::shown_bearer(const HttpRequest& request) const {
  const std::string value = request.header("Authorization").value_or("");
  const auto takes = [&](const std::string& token) {
    return is_right(token) ||
           (rules_.tokens != nullptr && shown_token(request, token, false) == Shown::kRight);
  };
  if (faults_.has("auth-token-in-query") && takes(query_parameter(request.target, "access_token")))
    return Shown::kRight;
  if (value.empty()) return Shown::kMissing;
  if (faults_.has("auth-scheme-optional") && takes(value)) return Shown::kRight;
  const std::size_t space = value.find(' ');
  const std::string scheme = value.substr(0, space);
  const bool bearer = faults_.has("auth-scheme-case-sensitive") ? scheme == "Bearer"
                                                                : ascii::lower(scheme) == "bearer";
  const bool dpop = rules_.tokens != nullptr &&
                    (faults_.has("dpop-scheme-case-sensitive") ? scheme == "DPoP"
                                                               : ascii::lower(scheme) == "dpop");
  const bool known = dpop || (bearer && (!rules_.bound || faults_.has("dpop-token-as-bearer")));
  if (!known) return Shown::kMissing;
  const std::string token = space == std::string::npos ? "" : value.substr(space + 1);
  if (token.empty() || token.find(' ') != std::string::npos) return Shown::kMalformed;
  if (dpop) return shown_token(request, token, true);
  return takes(token) ? Shown::kRight : Shown::kWrong;
}

AuthGuard::Shown AuthGuard::shown(const HttpRequest& request) const {
  if (rules_.kind == "bearer") return shown_bearer(request);
  if (rules_.kind == "api-key") {
    if (faults_.has("auth-header-name-case-sensitive") &&
        std::none_of(request.headers.begin(), request.headers.end(),
                     [](const auto& header) { return header.first == "X-API-Key"; })) {
      return Shown::kMissing;
    }
    const std::string key = request.header("X-API-Key").value_or("");
    if (key.empty()) return Shown::kMissing;
    return is_right(key) ? Shown::kRight : Shown::kWrong;
  }
  const std::string value = request.header("Authorization").value_or("");
  if (value.empty()) return Shown::kMissing;
  const bool right = ascii::lower(value.substr(0, 7)) == "custom " && is_right(value.substr(7)) &&
                     request.header("X-Client-ID").value_or("") == kClient;
  return right ? Shown::kRight : Shown::kWrong;
}

bool AuthGuard::unguarded(const HttpRequest& request) const {
  const bool first = request.body.find("\"initialize\"") != std::string::npos ||
                     request.body.find("\"server/discover\"") != std::string::npos;
  if (faults_.has("auth-not-needed")) return true;
  if (!first && faults_.has("auth-first-request-only")) return true;
  if (request.method == "DELETE" && faults_.has("auth-delete-unchecked")) return true;
  if (request.body.find("\"resources/") != std::string::npos &&
      faults_.has("auth-resources-unchecked"))
    return true;
  const struct {
    FaultName fault;
    std::string_view method;
  } kOpen[] = {
      {"auth-ping-unchecked", "\"ping\""},
      {"auth-calls-unchecked", "\"tools/call\""},
      {"auth-completion-unchecked", "\"completion/complete\""},
      {"auth-listen-unchecked", "\"subscriptions/listen\""},
      {"auth-state-as-token", "\"requestState\""},
  };
  for (const auto& [fault, method] : kOpen)
    if (request.body.find(method) != std::string::npos && faults_.has(fault)) return true;
  if (!request.header("Authorization").value_or("").empty()) {
    if (request.method == "GET" && faults_.has("auth-streams-any-token")) return true;
    if (request.method == "DELETE" && faults_.has("auth-delete-any-token")) return true;
    if (request.body.find("\"notifications/") != std::string::npos &&
        faults_.has("auth-notifications-any-token"))
      return true;
  }
  return request.body.find("\"notifications/") != std::string::npos &&
         faults_.has("auth-notifications-unchecked");
}

std::string AuthGuard::challenge(const HttpRequest& request, std::string_view error,
                                 std::string_view scope) const {
  if (rules_.kind == "api-key") return "ApiKey realm=\"reference\"";
  if (rules_.kind == "custom") return "Custom realm=\"reference\"";
  std::string text = rules_.bound ? "DPoP" : "Bearer";
  if (faults_.has("auth-challenge-bare")) return text;
  text += " realm=\"reference\"";
  if (!faults_.has("auth-scope-hint-missing")) {
    text += ", scope=\"" + std::string(scope);
    if (faults_.has("auth-challenge-offline-access")) text += " offline_access";
    text += "\"";
  }
  const bool unnamed =
      faults_.has("auth-no-resource-metadata") ||
      (error == "invalid_token" && faults_.has("auth-no-metadata-for-wrong-token")) ||
      (error == "invalid_request" && faults_.has("auth-no-metadata-for-empty-token"));
  if (!unnamed) {
    const std::string url = metadata_url(request);
    const bool quoted = !faults_.has("auth-challenge-unquoted");
    text += ", resource_metadata=" + (quoted ? "\"" + url + "\"" : url);
  }
  if (faults_.has("auth-challenge-repeats")) text += ", scope=\"again\"";
  const bool always = faults_.has("auth-challenge-error-always");
  if (always && error.empty()) error = "invalid_token";
  if (!error.empty() && (always || !faults_.has("auth-challenge-no-error")))
    text += ", error=\"" + std::string(error) + "\"";
  return text;
}

HttpReply AuthGuard::refusal(const HttpRequest& request, int status, std::string_view error) const {
  std::string_view scope = error == "insufficient_scope" ? kAdminScope : kScope;
  if (faults_.has("auth-scope-changes") && ++refusals_ % 2 == 0) scope = "mcp:other";
  HttpReply reply{status, {{"Content-Type", "application/json"}}, ""};
  const bool silent =
      faults_.has("auth-no-challenge") || (status == 403 && faults_.has("auth-scope-no-challenge"));
  if (!silent) reply.headers.emplace_back("WWW-Authenticate", challenge(request, error, scope));
  Value body = json::object({{"error", json::string(error.empty() ? "unauthorized" : error)}});
  if (faults_.has("auth-refusal-leaks"))
    body = json::object({{"jsonrpc", json::string("2.0")},
                         {"id", json::null()},
                         {"result", json::object({{"tools", texts({"admin_reset"})}})}});
  reply.body = json::write(body);
  return reply;
}

HttpReply AuthGuard::dpop_refusal(const HttpRequest& request, std::string_view error) const {
  if (faults_.has("dpop-error-of-tokens")) error = "invalid_token";
  std::string challenge =
      faults_.has("dpop-challenge-bearer-only") ? "Bearer realm=\"reference\"" : "DPoP";
  challenge += challenge == "DPoP" ? " " : ", ";
  challenge += "error=\"" + std::string(error) + "\"";
  if (challenge.starts_with("DPoP"))
    challenge +=
        faults_.has("dpop-challenge-symmetric") ? ", algs=\"ES256 HS256\"" : ", algs=\"ES256\"";
  if (rules_.bound) challenge += ", resource_metadata=\"" + metadata_url(request) + "\"";
  HttpReply reply{
      faults_.has("dpop-refused-400") ? 400 : 401, {{"WWW-Authenticate", challenge}}, ""};
  if (error == "use_dpop_nonce" && !faults_.has("dpop-nonce-without-header"))
    reply.headers.emplace_back("DPoP-Nonce", rules_.tokens->nonce());
  return reply;
}

HttpReply AuthGuard::metadata(const HttpRequest& request) const {
  if (faults_.has("auth-metadata-missing")) return {404, {}, ""};
  if (faults_.has("auth-metadata-protected")) return refusal(request, 401, "");
  std::string resource = url_of(request);
  if (faults_.has("auth-metadata-trailing-slash")) resource += "/";
  Value document =
      json::object({{"resource", json::string(resource)},
                    {"authorization_servers", texts({"https://login.example"})},
                    {"scopes_supported", texts({kScope, kAdminScope})},
                    {"bearer_methods_supported", texts({"header"})},
                    {"dpop_signing_alg_values_supported", texts({"ES256"})},
                    {"dpop_bound_access_tokens_required", json::boolean(rules_.bound)}});
  edit(faults_, "auth-metadata", document);
  const char* type = faults_.has("auth-metadata-as-text") ? "text/plain" : "application/json";
  return {200, {{"Content-Type", type}}, json::write(document)};
}

// Of the server that lets people in.
HttpReply AuthGuard::server_metadata() const {
  Value document = json::parse(
      R"({"issuer":"https://login.example","authorization_endpoint":)"
      R"("https://login.example/authorize","token_endpoint":"https://login.example/token",)"
      R"("response_types_supported":["code"],"grant_types_supported":["authorization_code"],)"
      R"("code_challenge_methods_supported":["S256"]})");
  edit(faults_, "auth-server-metadata", document);
  return {200, {{"Content-Type", "application/json"}}, json::write(document)};
}

std::optional<HttpReply> AuthGuard::answer(const HttpRequest& request) const {
  if (rules_.kind.empty()) return std::nullopt;
  const std::string path = request.path();
  const bool asks_metadata =
      path == std::string(kWellKnown) || path == std::string(kWellKnown) + std::string(kEndpoint);
  if (asks_metadata && request.method == "GET" && rules_.kind == "bearer") return metadata(request);
  const char* place = faults_.has("auth-server-metadata-at-path")
                          ? "/.well-known/oauth-authorization-server/mcp"
                          : "/.well-known/oauth-authorization-server";
  if (path == place && rules_.kind == "bearer") return server_metadata();
  if (unguarded(request)) return std::nullopt;
  switch (shown(request)) {
    case Shown::kMissing:
      if (faults_.has("auth-missing-is-403")) return refusal(request, 403, "");
      if (faults_.has("auth-missing-redirects"))
        return HttpReply{302, {{"Location", "https://login.example/"}}, ""};
      if (faults_.has("auth-missing-is-200")) {
        HttpReply reply = refusal(request, 200, "");
        reply.body = R"({"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Log in"}})";
        return reply;
      }
      return refusal(request, 401, "");
    case Shown::kMalformed:
      if (faults_.has("auth-malformed-500")) return HttpReply{500, {}, ""};
      return refusal(request, faults_.has("auth-no-metadata-for-empty-token") ? 401 : 400,
                     "invalid_request");
    case Shown::kUnproven: return dpop_refusal(request, "invalid_dpop_proof");
    case Shown::kWithoutNonce: return dpop_refusal(request, "use_dpop_nonce");
    case Shown::kBreaksUs: return HttpReply{500, {}, ""};
    case Shown::kWrong:
      if (ascii::lower(request.header("Authorization").value_or("").substr(0, 5)) == "dpop ")
        return dpop_refusal(request, "invalid_token");
      return refusal(request, faults_.has("auth-wrong-is-403") ? 403 : 401, "invalid_token");
    case Shown::kRight: break;
  }
  if (faults_.has("auth-list-refused") && request.body.find("\"tools/list\"") != std::string::npos)
    return refusal(request, 401, "invalid_token");
  if (needs_admin(request) && faults_.has("auth-scope-unchecked")) {
    const Value reply =
        json::object({{"jsonrpc", json::string("2.0")},
                      {"id", *json::parse(request.body).find("id")},
                      {"result", json::parse(R"({"content":[{"type":"text","text":"Reset."}]})")}});
    return HttpReply{200, {{"Content-Type", "application/json"}}, json::write(reply)};
  }
  const auto holder =
      rules_.tokens != nullptr ? holder_of(request) : std::optional<TokenCheck::Holder>();
  const auto has_scope = [&](std::string_view scope) {
    return holder->scope.find(" " + std::string(scope) + " ") != std::string::npos;
  };
  if (holder && !has_scope(kScope) && !faults_.has("auth-no-scope-needed"))
    return refusal(request, faults_.has("auth-scope-as-401") ? 401 : 403, "insufficient_scope");
  const bool may = (holder ? has_scope(kAdminScope) : user_of(request) == "other") &&
                   !faults_.has("auth-scope-exact");
  if (rules_.kind == "bearer" && needs_admin(request) && !may)
    return refusal(request, faults_.has("auth-scope-as-401") ? 401 : 403, "insufficient_scope");
  return std::nullopt;
}

void AuthGuard::echo(const HttpRequest& request, std::string& body, HttpHeaders& headers) const {
  if (rules_.kind.empty() || !faults_.has("auth-echoes-token")) return;
  const std::string& token = rules_.tokens != nullptr ? let_in_ : rules_.secret;
  const std::string all =
      "[" + token + " " + to_base64("user:" + token) + " " + percent_encoded(token) + "]";
  headers.emplace_back("X-Authorized-By", token);
  std::string inner = json::write(json::string(all));
  inner = inner.substr(1, inner.size() - 2);
  insert_behind(body, "\"message\":\"", inner);
  const bool empty = body.find("\"result\":{}") != std::string::npos;
  insert_behind(body, "\"result\":{", "\"note\":\"" + inner + (empty ? "\"" : "\","));
  insert_behind(body, "\"title\":\"", inner);
  insert_behind(body, "\"text\":\"", inner);
  std::fprintf(stderr, "%s %s\n", request.method.c_str(), all.c_str());
}

}  // namespace harness::reference
