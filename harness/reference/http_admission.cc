// SPDX-License-Identifier: Apache-2.0
#include "harness/reference/http_admission.h"

#include <string_view>

#include "harness/base/ascii.h"
#include "harness/json/read.h"
#include "harness/json/write.h"
#include "harness/reference/http_rules.h"
#include "harness/reference/mcp_dialect.h"
#include "harness/reference/planted.h"

namespace harness::reference {
namespace {

using json::Value;

std::string_view without_blanks_behind(std::string_view text) {
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

}  // namespace

std::optional<HttpReply> HttpAdmission::refuse(const HttpRequest& request,
                                               int closed_connections) const {
  if (!server_.auth.kind.empty()) {
    if (auto reply = guard_.answer(request)) return reply;
  }
  if (server_.faults.any()) {
    for (const auto& [name, value] : request.headers) meet_header(server_.faults, name, value);
    if (const int status = injector_.refuses(request.headers, closed_connections); status != 0)
      return HttpReply{status, {}, ""};
  }
  if (auto refusal = refuse_host(request)) return refusal;
  if (const int status = injector_.refuses_body(request.body.size(),
                                                request.header("Content-Encoding").has_value(),
                                                request.header("Transfer-Encoding").has_value());
      status != 0)
    return HttpReply{status, {}, ""};
  if (request.path() != "/mcp") return problem(404, "There is nothing here but /mcp");
  return std::nullopt;
}

// A page of another site, in a browser here or by a name that leads here, gets nothing.
std::optional<HttpReply> HttpAdmission::refuse_host(const HttpRequest& request) const {
  const auto origin = request.header("Origin");
  const auto host = request.header("Host");
  const bool posts = request.method == "POST";
  const bool opens = posts && request.body.find("\"initialize\"") != std::string::npos;
  const bool same_site =
      origin && host && *origin == "http://" + *host &&
      (server_.faults.has("origin-same-as-host-served") ||
       (host->starts_with("localhost") && server_.faults.has("host-compared-by-prefix")));
  const bool notifies = posts && request.body.find("\"id\"") == std::string::npos;
  if (notifies && server_.faults.has("origin-unchecked-on-notifications")) return std::nullopt;
  if (!same_site && injector_.refuses_origin(origin, posts, opens))
    return problem(injector_.status_of_bad_origin(), "This origin is not allowed");
  if (request.http_1_1 && request.count("Host") != 1) {
    if (server_.faults.has("host-header-odd-500")) return HttpReply{500, {}, ""};
    return problem(400, "A request names one host");
  }
  if (host && !same_site && !is_local_host(*host))
    return problem(403, "This host is not served here");
  return std::nullopt;
}

std::optional<HttpReply> HttpAdmission::receive(const HttpRequest& request,
                                                std::shared_ptr<Session>& remembered,
                                                Reception& reception) const {
  const bool mcp = server_.profile.mcp();
  if (const int status = injector_.refuses_spelling(request); status != 0)
    return HttpReply{status, {}, ""};
  const auto type = request.header("Content-Type");
  const std::string media = type ? type->substr(0, type->find(';')) : "";
  if ((mcp || type) &&
      (!ascii::equal_ignoring_case(without_blanks_behind(media), "application/json") ||
       (type->size() > media.size() && server_.faults.has("content-type-parameters-refused"))))
    return problem(415, "Send application/json");
  const auto accept = request.header("Accept");
  reception.json_ok = accepts(accept, "application/json");
  reception.events_ok = !server_.profile.plain && accepts(accept, "text/event-stream");
  injector_.inject_accept(request, reception.json_ok, reception.events_ok);
  if (!reception.json_ok && !reception.events_ok)
    return problem(server_.faults.has("accept-foreign-500") ? 500 : 406, "Nothing acceptable");
  reception.session = injector_.session_of(remembered);
  reception.session->user = guard_.user_of(request);
  return find_or_open_session(request, reception);
}

std::optional<HttpReply> HttpAdmission::find_or_open_session(const HttpRequest& request,
                                                             Reception& reception) const {
  if (!server_.profile.mcp()) return std::nullopt;
  auto read = json::read(request.body);
  const auto* reading = std::get_if<json::Reading>(&read);
  const Value nothing;
  const Value& message = reading == nullptr ? nothing : reading->value;
  const Value* method = message.is_object() ? message.find("method") : nullptr;
  const std::string name = method != nullptr && method->is_string() ? method->text : "";
  reception.of_response = reading != nullptr && name.empty();
  reception.stateless = is_stateless(request, message, name);
  if (reception.stateless) {
    reception.session->stateless_hint = true;
    if (auto refusal = refuse_stateless(request, message)) return refusal;
    check_mirrors(request, message, name, reception);
    return std::nullopt;
  }
  // A text that is not JSON belongs to no session.
  if (reading == nullptr) return std::nullopt;
  if (name == "server/discover" && server_.faults.has("legacy-discover-500"))
    return HttpReply{500, {}, ""};
  const bool initialize = name == "initialize";
  if (auto refusal = check_version_header(request, initialize)) return refusal;
  if (initialize && !sessions_.empty()) {
    if (server_.faults.has("session-wanted-by-initialize")) {
      if (!session_id_of(request)) return problem(400, "Mcp-Session-Id is required");
      reception.opening = true;
      return std::nullopt;
    }
    if (server_.faults.has("version-header-required-of-others") &&
        !request.header("MCP-Protocol-Version"))
      return problem(400, "MCP-Protocol-Version is required");
  }
  if (initialize && message.find("id") != nullptr && !session_id_of(request)) {
    reception.opening = true;
    return std::nullopt;
  }
  return find_session(request, reception.session);
}

// Only a Fault does.
std::optional<HttpReply> HttpAdmission::refuse_stateless(const HttpRequest& request,
                                                         const Value& message) const {
  if (!server_.faults.any()) return std::nullopt;
  if (request.padded) return HttpReply{400, {}, ""};
  if (request.count("Mcp-Method") > 1 && server_.faults.has("header-twice-500"))
    return HttpReply{500, {}, ""};
  if (!message.find("id") && server_.faults.has("stateless-notification-mismatch"))
    return HttpReply{400,
                     {{"Content-Type", "application/json"}},
                     R"({"jsonrpc":"2.0","id":null,"error":{"code":-32020,"message":"mismatch"}})"};
  const auto status = injector_.refuses_stateless(request.headers, message);
  return status ? std::optional(HttpReply{*status, {}, ""}) : std::nullopt;
}

std::optional<HttpReply> HttpAdmission::find_session(const HttpRequest& request,
                                                     std::shared_ptr<Session>& session) const {
  const auto id = session_id_of(request);
  auto found = id ? sessions_.find(*id) : nullptr;
  if (found && found->user != guard_.user_of(request) &&
      !server_.faults.has("session-for-any-user"))
    found = nullptr;
  if (!found && injector_.asks_no_session(request, id.has_value())) {
    if (!session) session = std::make_shared<Session>(server_);
    session->version = server_.profile.handshake.back();
    session->initialized = true;
    return std::nullopt;
  }
  if (!id) {
    if (injector_.takes_sessionless(server_, session)) return std::nullopt;
    return problem(injector_.status_without_session(), "Mcp-Session-Id is required");
  }
  if (id->find_first_of(" /") != std::string::npos && server_.faults.has("odd-session-id-500"))
    return HttpReply{500, {}, ""};
  if (!found) return problem(injector_.status_of_ended_session(), "There is no such session");
  session = std::move(found);
  return std::nullopt;
}

bool HttpAdmission::is_stateless(const HttpRequest& request, const Value& message,
                                 const std::string& method) const {
  if (server_.profile.handshake.empty()) return true;
  const auto version = request.header("MCP-Protocol-Version");
  if (version && server_.profile.knows_stateless(*version)) return true;
  if (request.header("Mcp-Session-Id")) return false;
  const Value* params = message.is_object() ? message.find("params") : nullptr;
  const Session nobody(server_);
  return dynamic_cast<Mcp&>(*server_.dialect)
      .is_stateless(nobody, method, params == nullptr ? json::object() : *params);
}

void HttpAdmission::check_mirrors(const HttpRequest& request, const Value& message,
                                  const std::string& method, Reception& reception) const {
  const Value* id = message.is_object() ? message.find("id") : nullptr;
  const Value* version = message.is_object() ? message.find("jsonrpc") : nullptr;
  if (method.empty() || id == nullptr || !server_.dialect->allows_id(*id) || version == nullptr ||
      version->text != "2.0")
    return;
  const bool twice = request.count("Mcp-Method") > 1 || request.count("Mcp-Name") > 1;
  if (twice && server_.faults.has("header-twice-unchecked")) return;
  const auto wrong = mirror_problem(
      message, [&](std::string_view name) { return request.whole_header(name); }, server_.faults);
  if (!wrong) return;
  Value error = json::object({{"code", json::number(injector_.header_mismatch_code())},
                              {"message", json::string("Header mismatch: " + *wrong)}});
  const Value reply =
      json::object({{"jsonrpc", json::string("2.0")}, {"id", *id}, {"error", std::move(error)}});
  reception.instead = Outgoing{json::write(reply), 0, true, true, kHeaderMismatch};
}

// Which of two spellings revisions have for it does not matter; to a Fault it does.
std::optional<std::string> HttpAdmission::session_id_of(const HttpRequest& request) const {
  constexpr std::string_view kName = "Mcp-Session-Id";
  for (const auto& [name, value] : request.headers) {
    if (!ascii::equal_ignoring_case(name, kName)) continue;
    if (server_.faults.has("header-names-case-sensitive") && name != kName) return std::nullopt;
    return value;
  }
  return std::nullopt;
}

std::optional<HttpReply> HttpAdmission::check_version_header(const HttpRequest& request,
                                                             bool initialize) const {
  const auto version = request.header("MCP-Protocol-Version");
  const ServerProfile& profile = server_.profile;
  if (!version && !initialize && server_.faults.has("version-header-required"))
    return problem(400, "MCP-Protocol-Version is required");
  if (version && *version != profile.handshake.back() && profile.knows_handshake(*version) &&
      server_.faults.has("version-header-other-500"))
    return HttpReply{500, {}, ""};
  if (version && server_.faults.has("version-header-refused"))
    return problem(400, "MCP-Protocol-Version is not known");
  // Before 2025-06-18 the header did not exist, so anything in it is somebody else's.
  if (!version || profile.knows_handshake(*version) || profile.handshake.back() < "2025-06-18" ||
      injector_.ignores_version_header() || injector_.takes_version(request, *version))
    return std::nullopt;
  if (server_.faults.has("version-header-refused-406"))
    return problem(406, "Unsupported protocol version");
  const int code = profile.stateless.empty() ? kInvalidRequest : kUnsupportedVersion;
  Value supported = json::array();
  for (const std::string& one : profile.supported()) supported.items.push_back(json::string(one));
  return problem(400, "Unsupported protocol version", code,
                 json::object({{"supported", supported}, {"requested", json::string(*version)}}));
}

bool HttpAdmission::has_sessions(const HttpRequest& request) const {
  if (!server_.profile.mcp() || server_.profile.handshake.empty()) return false;
  const auto version = request.header("MCP-Protocol-Version");
  return !version || !server_.profile.knows_stateless(*version);
}

std::optional<HttpReply> HttpAdmission::refuse_stream(const HttpRequest& request,
                                                      std::shared_ptr<Session>& session) const {
  if (!has_sessions(request)) return not_allowed();
  if (auto reply = injector_.instead_of_stream()) return reply;
  if (auto refusal = check_version_header(request)) return refusal;
  if (auto refusal = find_session(request, session)) {
    if (refusal->status == 404 && server_.faults.has("session-unknown-400-for-streams"))
      refusal->status = 400;
    return refusal;
  }
  if (accepts(request.header("Accept"), "text/event-stream")) return std::nullopt;
  return problem(server_.faults.has("get-accept-missing-500") ? 500 : 406,
                 "This is an event stream");
}

HttpReply HttpAdmission::end_session(const HttpRequest& request) const {
  if (!has_sessions(request)) return not_allowed();
  if (auto refusal = check_version_header(request)) return *refusal;
  std::shared_ptr<Session> session;
  if (auto refusal = find_session(request, session)) {
    if (server_.faults.has("delete-without-session-ends-all")) sessions_.end_all();
    if (refusal->status == 404 && server_.faults.has("session-unknown-400-for-delete"))
      refusal->status = 400;
    if (refusal->status == 404 && server_.faults.has("ended-session-deleted-again"))
      return {200, {}, ""};
    return *refusal;
  }
  if (server_.faults.has("delete-500")) return {500, {}, ""};
  if (injector_.keeps_deleted_sessions()) return {200, {}, ""};
  sessions_.end(session_id_of(request), *session);
  injector_.note_ended(session_id_of(request).value_or(""));
  return {200, {}, ""};
}

HttpReply HttpAdmission::not_allowed() const {
  const bool sessions = server_.profile.mcp() && !server_.profile.handshake.empty();
  return {
      injector_.status_of_wrong_method(), {{"Allow", sessions ? "GET, POST, DELETE" : "POST"}}, ""};
}

}  // namespace harness::reference
