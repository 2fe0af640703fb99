// SPDX-License-Identifier: Apache-2.0
// How HTTP servers go wrong outside their messages.
#include "harness/reference/inject_http.h"

#include <algorithm>
#include <cstdio>

#include "harness/json/write.h"
#include "harness/reference/http_rules.h"
#include "harness/reference/mcp_dialect.h"
#include "harness/wire/message.h"

namespace harness::reference {

namespace {

std::string as_chunk(const std::string& text) {
  char size[20];
  std::snprintf(size, sizeof size, "%zx\r\n", text.size());
  return size + text + "\r\n";
}

bool says(const Outgoing& message, std::string_view text) {
  return message.bytes.find(text) != std::string::npos;
}

}  // namespace

int HttpFaultInjector::header_mismatch_code() const {
  if (faults_.has("header-mismatch-draft-code")) return -32001;
  return faults_.has("header-mismatch-as-bad-params") ? kInvalidParams : kHeaderMismatch;
}
bool HttpFaultInjector::works_on_refused() const { return faults_.has("header-mismatch-executed"); }
bool HttpFaultInjector::counts_blanks() const { return faults_.has("header-blanks-counted"); }
bool HttpFaultInjector::ignores_departure() const {
  return faults_.has("departure-ignored") || faults_.has("departed-progress-on-others");
}

std::optional<int> HttpFaultInjector::refuses_stateless(const HttpHeaders& headers,
                                                        const json::Value& message) const {
  const bool notification = message.is_object() && message.find("id") == nullptr;
  if (notification && faults_.has("stateless-notification-http-500")) return 500;
  for (const auto& [name, value] : headers) {
    const bool mirror = name.size() > 4 && (name[0] == 'M' || name[0] == 'm') && name[3] == '-';
    const bool usual = name == "MCP-Protocol-Version" || name == "Mcp-Method" ||
                       name == "Mcp-Name" || name.substr(0, 10) == "Mcp-Param-" ||
                       name == "Mcp-Session-Id";
    if (mirror && !usual && faults_.has("header-names-case-sensitive")) return 400;
    if (name == "Mcp-Session-Id" && faults_.has("stateless-session-header-refused")) return 404;
    if (name == "Last-Event-ID" && faults_.has("last-event-id-refused")) return 400;
    const json::Value* method = message.is_object() ? message.find("method") : nullptr;
    if (name == "Mcp-Name" && method != nullptr && method->text.ends_with("/list") &&
        faults_.has("name-header-superfluous-500"))
      return 500;
  }
  return std::nullopt;
}

std::string HttpFaultInjector::stateless_session_id() const {
  return faults_.has("stateless-session-minted") ? "1868a90c" : "";
}

bool HttpFaultInjector::copies_to_all(const Outgoing& message) const {
  const bool copies =
      faults_.has("progress-on-every-stream") || faults_.has("departed-progress-on-others");
  return copies && message.bytes.find("notifications/progress") != std::string::npos;
}

bool HttpFaultInjector::keeps_back(const Outgoing& reply) const {
  return faults_.has("invalid-request-never-answered") && says(reply, "\"code\":-32600");
}

bool HttpFaultInjector::hangs_up_on(const Outgoing& reply) const {
  return faults_.has("invalid-request-hung-up-on") && says(reply, "\"code\":-32600");
}

bool HttpFaultInjector::breaks_off(const Outgoing& message) const {
  return message.final && message.bytes.find("\"result\"") != std::string::npos &&
         faults_.has("stream-ends-unanswered");
}

bool HttpFaultInjector::lets_proxies_buffer() const {
  return faults_.has("stream-may-be-buffered");
}
std::string HttpFaultInjector::event_stream_type() const {
  return faults_.has("stream-typed-as-text") ? "text/plain" : "text/event-stream";
}

bool HttpFaultInjector::refuses_origin(const std::optional<std::string>& origin, bool posts,
                                       bool opens) const {
  if (!origin) return false;
  if (is_local_origin(*origin) || faults_.has("origin-unchecked")) return false;
  if (faults_.has("origin-checked-on-initialize-only")) return opens;
  if (faults_.has("origin-checked-on-post-only")) return posts;
  if (faults_.has("origin-compared-by-prefix"))
    return origin->rfind("http://localhost", 0) != 0 && origin->rfind("http://127.", 0) != 0;
  if (origin->ends_with("localhost") && faults_.has("origin-compared-by-suffix")) return false;
  return !origin->starts_with("http://localhost@") || !faults_.has("origin-user-taken-for-host");
}

int HttpFaultInjector::status_of_bad_origin() const {
  return faults_.has("origin-refused-400") ? 400 : 403;
}

int HttpFaultInjector::refuses_body(std::size_t size, bool encoded, bool chunked) const {
  if (size > (1u << 20) && faults_.has("large-body-500")) return 500;
  if (encoded && faults_.has("encoded-body-500")) return 500;
  if (chunked && faults_.has("chunked-body-501")) return 501;
  return 0;
}

void HttpFaultInjector::inject_accept(const HttpRequest& request, bool& json, bool& events) const {
  const auto accept = request.header("Accept");
  if (request.body.find("\"tasks/get\"") != std::string::npos && faults_.has("task-get-streamed"))
    json = false;
  if (accept && faults_.has("accept-compared-as-text")) {
    json = json && *accept == "application/json, text/event-stream";
    events = events && json;
  }
}

namespace {

bool notifies(const HttpRequest& request) {
  return request.method == "POST" && request.body.find("\"id\"") == std::string::npos;
}

}  // namespace

bool HttpFaultInjector::asks_no_session(const HttpRequest& request, bool named) const {
  if (notifies(request))
    return faults_.has(named ? FaultName("session-unknown-taken-by-notifications")
                             : FaultName("session-not-required-by-notifications"));
  return request.method == "GET" && named && faults_.has("session-unknown-taken-by-streams");
}

bool HttpFaultInjector::takes_version(const HttpRequest& request,
                                      const std::string& version) const {
  return (notifies(request) && faults_.has("version-header-unchecked-on-notifications")) ||
         (request.method == "GET" && faults_.has("version-header-unchecked-on-streams")) ||
         (version > "2025-11-25" && version < "3" && faults_.has("version-header-of-any-future")) ||
         (version.size() > 10 && faults_.has("version-header-compared-by-prefix"));
}

int HttpFaultInjector::refuses_spelling(const HttpRequest& request) const {
  const std::string type = request.header("Content-Type").value_or("");
  const std::string session = request.header("Mcp-Session-Id").value_or("");
  const bool quoted = session.find('"') != std::string::npos;
  if (type.find("JSON") != std::string::npos && faults_.has("content-type-in-capitals-refused"))
    return 415;
  if (type.find(";charset") != std::string::npos && faults_.has("content-type-blank-demanded"))
    return 415;
  if (quoted && faults_.has("session-id-quoted-500")) return 500;
  const std::string accept = request.header("Accept").value_or("text/event-stream");
  if (request.method == "POST" && accept.find("event-stream") == std::string::npos &&
      faults_.has("accept-incomplete-500"))
    return 500;
  for (const auto& [name, value] : request.headers)
    if (name == "content-length" && faults_.has("header-names-case-sensitive")) return 411;
  if (request.body == "null" && faults_.has("null-http-500")) return 500;
  if (request.body == "[]" && faults_.has("empty-batch-http-500")) return 500;
  return request.body.find('\xff') != std::string::npos && faults_.has("bad-utf8-http-500") ? 500
                                                                                            : 0;
}

bool HttpFaultInjector::ignores_version_header() const {
  return faults_.has("version-header-unchecked");
}
bool HttpFaultInjector::keeps_deleted_sessions() const {
  return faults_.has("session-survives-delete");
}
bool HttpFaultInjector::takes_sessionless(Server& server, std::shared_ptr<Session>& session) {
  if (!faults_.has("session-not-required")) return false;
  session->version = server.profile.handshake.back();
  session->initialized = true;
  return true;
}
int HttpFaultInjector::status_without_session() const {
  return faults_.has("session-missing-500") ? 500 : 400;
}
int HttpFaultInjector::status_of_ended_session() const {
  return faults_.has("session-unknown-400") ? 400 : 404;
}
int HttpFaultInjector::status_of_wrong_method() const {
  if (faults_.has("wrong-method-500")) return 500;
  return server_.profile.handshake.empty() && faults_.has("stateless-get-404") ? 404 : 405;
}
std::string HttpFaultInjector::session_id(std::string fresh) {
  if (faults_.has("session-id-constant")) return "0123456789abcdef0123456789abcdef";
  if (faults_.has("session-ids-counted")) return "s" + std::to_string(++sessions_);
  if (faults_.has("session-ids-counted-in-words"))
    return "client-session-" + std::to_string(1000 + ++sessions_);
  if (faults_.has("session-id-with-space")) return "session " + fresh;
  if (faults_.has("session-id-beyond-ascii")) return "s\xC3\xA9ssion-" + fresh;
  if (faults_.has("session-id-with-tab")) return "session\t" + fresh;
  if (!ended_.empty() && faults_.has("session-ids-given-again")) return ended_;
  return fresh;
}

std::string HttpFaultInjector::event(const std::string& message, const std::string& id) {
  const std::string mark = id.empty() ? "" : "id: " + id + "\n";
  if (!message.empty() && faults_.has("event-without-field-name"))
    return as_chunk(mark + message + "\n\n");
  std::string text = mark + "data: " + message + "\n\n";
  if (!message.empty() && faults_.has("event-data-wrapped"))
    text = mark + R"(data: {"message":)" + message + "}\n\n";
  if (faults_.has("sse-events-named")) text = "event: response\n" + text;
  if (faults_.has("sse-data-not-message")) text = "data: still working\n\n" + text;
  if (message.find("\"id\"") != std::string::npos && faults_.has("last-event-unterminated"))
    text.pop_back();
  return as_chunk(text);
}

std::string HttpFaultInjector::retry() const {
  if (faults_.has("retry-missing")) return "";
  return as_chunk(faults_.has("retry-not-a-number") ? "retry: soon\n\n" : "retry: 100\n\n");
}

std::string HttpFaultInjector::end_of_stream() const { return "0\r\n\r\n"; }

std::optional<HttpReply> HttpFaultInjector::instead_of_stream() const {
  if (faults_.has("get-404")) return HttpReply{404, {}, ""};
  if (!faults_.has("get-answered-with-json")) return std::nullopt;
  return HttpReply{200, {{"Content-Type", "application/json"}}, "{}"};
}

bool HttpFaultInjector::seems_unrelated(const Outgoing& message) const {
  return !message.final && says(message, "notifications/progress") &&
         faults_.has("progress-on-get-stream");
}

bool HttpFaultInjector::copies_to_listeners(const Outgoing& message) const {
  if (message.final) return faults_.has("responses-on-get-stream");
  return faults_.has("message-broadcast");
}

void HttpFaultInjector::inject_accepted(HttpReply& reply, bool of_response) const {
  if (!server_.profile.mcp()) return;
  if (of_response) {
    if (faults_.has("response-http-204")) reply.status = 204;
    return;
  }
  if (faults_.has("notification-http-200")) reply.status = 200;
  if (faults_.has("notification-202-with-body")) {
    reply.headers.emplace_back("Content-Type", "text/plain");
    reply.body = "accepted";
  }
}

int HttpFaultInjector::refuses(const HttpHeaders& headers, int closed_connections) const {
  if (closed_connections >= 10 && faults_.has("dropped-connections-exhaust")) return 503;
  for (const auto& header : headers)
    if (header.first.rfind("X-Client-", 0) == 0 && faults_.has("unknown-headers-refused"))
      return 400;
  return 0;
}

std::string HttpFaultInjector::routing_key(const std::string& body) const {
  if (!faults_.has("replies-keyed-by-bare-id")) return "";
  return wire::read_message(body).key;
}

void HttpFaultInjector::note_departure(const std::shared_ptr<Session>& session,
                                       const std::string& body) {
  if (!faults_.has("planted-race-cut-session")) return;
  const wire::Message message = wire::read_message(body);
  if (message.kind != wire::MessageKind::kRequest || cancelled_.contains(message.key)) return;
  departed_ = session;
  left_ = R"({"jsonrpc":"2.0","id":)" + json::write(*message.id()) +
          R"(,"error":{"code":-32603,"message":"The client went away"}})";
}

std::string HttpFaultInjector::left_by_another(const Session& session, const std::string& body) {
  if (!faults_.has("planted-race-cut-session")) return "";
  const wire::Message message = wire::read_message(body);
  if (const json::Value* cancelled = json::at(message.value, "/params/requestId"))
    cancelled_.insert(wire::id_key(*cancelled));
  if (message.kind != wire::MessageKind::kRequest) return "";
  if (left_.empty() || departed_.get() == &session || session.version.empty()) return "";
  return std::exchange(left_, "");
}

std::shared_ptr<Session> HttpFaultInjector::session_of(std::shared_ptr<Session>& connection) const {
  const bool tied = faults_.has("input-state-of-one-connection") ||
                    (server_.profile.tutorial && faults_.has("request-before-initialize-silent"));
  if (!tied) return std::make_shared<Session>(server_);
  if (connection == nullptr) connection = std::make_shared<Session>(server_);
  return connection;
}

bool HttpFaultInjector::dies_of_undeliverable(const Outgoing& message) const {
  return message.final && !message.bytes.empty() && faults_.has("undeliverable-reply-kills");
}

std::size_t HttpFaultInjector::length_of(const std::string& body) const {
  if (!faults_.has("content-length-counts-characters")) return body.size();
  return static_cast<std::size_t>(std::count_if(body.begin(), body.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  }));
}

void HttpFaultInjector::inject(HttpReply& reply, const Outgoing& item, bool stateless, bool) {
  if (item.bytes.empty()) {
    if (reply.body.empty() && server_.memory.garbage.empty() && faults_.has("empty-body-silent") &&
        server_.profile.plain)
      reply.status = 200;
    return;
  }
  if (stateless && item.code == kInvalidParams && faults_.has("required-meta-http-200"))
    reply.status = 200;
  if (stateless && item.code) {
    if (item.code == kHeaderMismatch || item.code == header_mismatch_code()) {
      if (faults_.has("header-mismatch-http-200")) reply.status = 200;
      if (faults_.has("header-mismatch-without-body")) reply = {400, {}, ""};
    }
    if (item.code == kUnsupportedVersion && faults_.has("unsupported-version-http-200"))
      reply.status = 200;
    if (item.code == kMethodNotFound && faults_.has("unknown-method-http-200")) reply.status = 200;
    if (item.code == kMethodNotFound && faults_.has("unknown-method-404-without-body"))
      reply = {404, {}, ""};
    if (item.code == kInvalidParams && !item.refused && faults_.has("unknown-tool-http-404"))
      reply.status = 404;
  }
  if (stateless && item.code == kMissingCapability && faults_.has("missing-capability-http-200"))
    reply.status = 200;
  if (item.refused && item.code == kParseError && faults_.has("parse-error-http-202")) {
    reply = {202, {}, ""};
    return;
  }
  if (item.refused && item.code == kParseError && faults_.has("parse-error-page")) {
    reply = {200, {{"Content-Type", "text/html"}}, "<html><title>500: OK</title></html>"};
    return;
  }
  if (item.refused && faults_.has("refusals-http-500")) reply.status = 500;
  if (faults_.has("http-wrong-content-type")) reply.headers[0].second = "text/plain";
  if (item.code && reply.status == 200 && faults_.has("http-error-content-type"))
    reply.headers[0].second = "text/html";
  if (says(item, R"("tools":[)") && faults_.has("http-list-wrapped"))
    reply.body = R"({"status":"ok","data":)" + item.bytes + "}";
  if (item.code == kMethodNotFound && faults_.has("http-error-in-words"))
    reply.body = R"({"error":"Method not found"})";
  if (item.code == kInvalidParams && faults_.has("http-bad-params-in-words"))
    reply = {400, {{"Content-Type", "text/plain"}}, "Invalid params"};
  if (item.code && faults_.has("http-error-without-body")) reply = {500, {}, ""};
  if (reply.status == 200 && item.bytes.find("\"result\"") != std::string::npos &&
      item.bytes.find("protocolVersion") == std::string::npos && faults_.has("http-body-not-json"))
    reply.body = "OK";
}

}  // namespace harness::reference
