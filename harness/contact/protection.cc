// SPDX-License-Identifier: Apache-2.0
#include "harness/contact/protection.h"

#include <re2/re2.h>

#include <algorithm>
#include <cctype>
#include <vector>

#include "harness/base/ascii.h"
#include "harness/session/dialect.h"
#include "harness/transport/url.h"

namespace harness::run {
namespace {

using session::Clock;
using session::Exchange;
using session::Sent;
using session::Session;

constexpr const char* kWellKnown = "/.well-known/oauth-protected-resource";

wire::HttpHead without_credentials(const target::Auth& auth) {
  wire::HttpHead head;
  for (auto& [name, value] : target::headers_of(auth, target::Showing::kNone))
    head.headers.push_back({name, value});
  return head;
}

// What may stand for a server in its metadata: its address or the beginning of it, with or without
// a slash at the end, in either letter case up to the path. A machine's own names are one.
std::string identifiers(const transport::Url& url, std::string_view path) {
  const bool loopback =
      url.host == "localhost" || url.host == "::1" || url.host.starts_with("127.");
  const std::string port =
      url.authority.substr(std::min(url.authority.rfind(':'), url.authority.size()));
  const bool has_port = port.size() > 1 && port.find(']') == std::string::npos;
  std::string hosts = RE2::QuoteMeta(url.authority);
  if (loopback)
    hosts = "(?:localhost|127\\.[0-9.]+|\\[::1\\])" + (has_port ? RE2::QuoteMeta(port) : "");
  std::string paths;
  for (std::size_t at = 1; at < path.size();) {
    const std::size_t end = std::min(path.find('/', at), path.size());
    paths += "(?:/" + RE2::QuoteMeta(path.substr(at, end - at));
    at = end + 1;
  }
  std::string closed;
  for (std::size_t at = 0; (at = paths.find("(?:", at)) != std::string::npos; ++at) closed += ")?";
  return "^(?i:" + url.scheme + "://" + hosts + ")" + paths + closed + "/?$";
}

// Whether one of the challenges is of this scheme.
bool names_scheme(std::string_view challenges, std::string_view scheme) {
  for (std::size_t at = 0; at < challenges.size();) {
    at = std::min(challenges.find_first_not_of(" \t,", at), challenges.size());
    const std::string_view one = challenges.substr(at, challenges.find(',', at) - at);
    if (ascii::equal_ignoring_case(one.substr(0, one.find(' ')), scheme)) return true;
    at += one.size();
  }
  return false;
}

struct Got {
  int status = 0;
  bool object = false;  // a JSON object came
  bool scopes = false;  // and it lists scopes
  bool proofs = false;  // and algorithms of DPoP
};

session::awaitable<Got> get(Session& session, std::string path, const target::Auth& auth) {
  wire::HttpHead head = without_credentials(auth);
  head.method = "GET";
  head.target = std::move(path);
  head.headers.push_back({"Accept", "application/json"});
  std::vector<std::string> writes;
  const Sent sent = co_await session.send_text("", std::move(writes), true, head);
  const session::Deadline deadline = Clock::now() + session.pace().reply();
  for (bool more = true; more;) {
    const Exchange* exchange = session.exchange(sent.exchange);
    if (exchange && exchange->ended) break;
    more = co_await session.pump(deadline);
  }
  Got got;
  if (const Exchange* exchange = session.exchange(sent.exchange)) got.status = exchange->status;
  for (const session::Inbound& inbound : session.inbox()) {
    if (inbound.exchange != sent.exchange || !inbound.message->is_json) continue;
    const json::Value* scopes = json::at(inbound.message->value, "/scopes_supported");
    got.object = inbound.message->value.is_object();
    got.scopes = scopes != nullptr && !scopes->items.empty();
    got.proofs = inbound.message->value.find("dpop_signing_alg_values_supported") != nullptr;
  }
  co_return got;
}

}  // namespace

std::string percent_encoded(std::string_view text) {
  std::string out;
  for (const unsigned char c : text) {
    if (std::isalnum(c) != 0 ||
        std::string_view("-._~").find(static_cast<char>(c)) != std::string_view::npos) {
      out += static_cast<char>(c);
      continue;
    }
    out += '%';
    out += "0123456789ABCDEF"[c >> 4];
    out += "0123456789ABCDEF"[c & 15];
  }
  return out;
}

std::string challenge_parameter(std::string_view challenge, std::string_view name) {
  for (std::size_t at = challenge.find(name); at != std::string_view::npos;
       at = challenge.find(name, at + 1)) {
    const char before = at == 0 ? ' ' : challenge[at - 1];
    std::size_t i = at + name.size();
    if ((before != ' ' && before != ',' && before != '\t') || i >= challenge.size() ||
        challenge[i] != '=') {
      continue;
    }
    const bool quoted = ++i < challenge.size() && challenge[i] == '"';
    std::string value;
    for (i += quoted ? 1 : 0; i < challenge.size(); ++i) {
      const char c = challenge[i];
      if (quoted && c == '\\' && i + 1 < challenge.size()) {
        value += challenge[++i];
      } else if (quoted ? c == '"' : c == ',' || c == ' ' || c == '\t') {
        break;
      } else {
        value += c;
      }
    }
    return value;
  }
  return {};
}

std::string Protection::missing(const std::string& name) const {
  if (name == "none")
    return auth == nullptr ? "" : "the case sends requests that carry no credentials";
  if (auth == nullptr)
    return "the target answers without credentials, and the target description has none (auth: "
           "{type: bearer, token: $NAME})";
  if (name == "demanded" && !demanded)
    return "the target serves its first request without "
           "credentials";
  if (name == "signed" && !auth->signed_token()) return "the credentials are not a signed token";
  if ((name == "metadata" || name == "named-metadata") && metadata_elsewhere)
    return "the metadata is on another host, which rpcspec does not contact";
  if (name == "named-metadata" && facts.find("named_metadata") == nullptr)
    return "the target's challenge names no metadata";
  if (name == "dpop" && !takes_proofs)
    return "neither the challenge of the target nor its metadata speaks of DPoP";
  if (name == "scopes" && !has_scopes) return "the metadata of the target lists no scopes";
  // The rules of MCP are those of bearer tokens; other credentials are a matter of agreement.
  const bool type = name == "bearer" || name == "api_key" || name == "custom";
  if (type && auth->type != name)
    return "the credentials are of type " + auth->type + ", not " + name;
  return {};
}

session::awaitable<Protection> examine_protection(const target::Target& target,
                                                  const SessionOpener& open) {
  Protection found;
  auto url = transport::parse_url(target.url);
  if (!target.auth.given() || !target.has_exchanges() || !url) co_return found;
  found.auth = &target.auth;
  const std::string path = url->target.substr(0, url->target.find('?'));
  const std::string origin = url->scheme + "://" + url->authority;
  const target::Credential& first = target.auth.credentials.front();
  found.facts = json::object({{"type", json::string(target.auth.type)},
                              {"header", json::string(first.header)},
                              {"origin", json::string(origin)},
                              {"host", json::string(url->authority)},
                              {"path", json::string(path)},
                              {"url", json::string(origin + path)},
                              {"identifiers", json::string(identifiers(*url, path))}});
  if (target.auth.type == "bearer")
    found.facts.set("scheme", json::string(first.value.substr(0, first.value.find(' '))));
  if (target.auth.type == "bearer" && !first.secrets.empty())
    found.facts.set("token_in_url", json::string(percent_encoded(first.secrets.front())));
  auto opened = co_await open();
  if (!opened) co_return found;
  Session& session = **opened;

  // The first thing a client says.
  const json::Value id = json::number(session.next_id());
  const bool handshake = session.profile().era == spec::Era::kHandshake;
  const json::Value params = handshake ? session.opening_params() : session.canary().params;
  const json::Value request =
      session::message(&id, handshake ? "initialize" : session.canary().method, params);
  const wire::HttpHead nothing = without_credentials(target.auth);
  const Sent sent = co_await session.send(request, nothing);
  const session::Deadline deadline = Clock::now() + session.pace().timeout;
  const session::Inbound* reply = co_await session.reply_to(sent, deadline);
  const Exchange* exchange = session.exchange(sent.exchange);
  const bool served =
      reply && reply->message->value.find("result") && exchange && exchange->status / 100 == 2;
  found.demanded = !served;
  std::vector<std::string> candidates;
  if (exchange) {
    for (const wire::Header& header : exchange->headers)
      found.takes_proofs |= ascii::equal_ignoring_case(header.name, "WWW-Authenticate") &&
                            names_scheme(header.value, "dpop");
    wire::HttpHead head;
    head.headers = exchange->headers;
    if (const std::string* challenge = head.header("WWW-Authenticate")) {
      const std::string named = challenge_parameter(*challenge, "resource_metadata");
      if (named.starts_with(origin + "/")) {
        candidates.push_back(named.substr(origin.size()));
        found.facts.set("named_metadata", json::string(candidates.front()));
      } else {
        found.metadata_elsewhere = !named.empty();
      }
    }
  }
  const std::string below = kWellKnown + (path == "/" ? std::string() : path);
  candidates.push_back(below);
  if (below != kWellKnown) candidates.push_back(kWellKnown);
  std::string document;
  for (const std::string& candidate : candidates) {
    const Got got = co_await get(session, candidate, target.auth);
    const bool there = got.status / 100 == 2 || got.status == 401 || got.status == 403;
    if (there && document.empty()) document = candidate;
    if (got.status != 200 || !got.object) continue;
    document = candidate;
    found.has_scopes = got.scopes;
    found.takes_proofs |= got.proofs;
    break;
  }
  found.facts.set("metadata", json::string(document.empty() ? candidates.front() : document));
  co_return found;
}

}  // namespace harness::run
