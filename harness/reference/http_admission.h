// SPDX-License-Identifier: Apache-2.0
// What is decided about an HTTP request before a session sees its message: who may come in, which
// headers it needs, which session it belongs to. Each check returns the response that rejects the
// request, or nothing. No I/O.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "harness/reference/auth_guard.h"
#include "harness/reference/http_message.h"
#include "harness/reference/http_sessions.h"
#include "harness/reference/inject_http.h"

namespace harness::reference {

// Where a POST goes and how it may be answered.
struct Reception {
  std::shared_ptr<Session> session;
  bool opening = false;    // an initialize that makes a session
  bool stateless = false;  // 2026-07-28
  bool json_ok = true;
  bool events_ok = false;
  bool of_response = false;         // the client's id, or those of a batch
  std::optional<Outgoing> instead;  // answered by the HTTP layer on behalf of the message
};

class HttpAdmission {
 public:
  // All outlive it.
  HttpAdmission(Server& server, HttpFaultInjector& injector, const AuthGuard& guard,
                HttpSessions& sessions)
      : server_(server), injector_(injector), guard_(guard), sessions_(sessions) {}

  // Of any method. `closed_connections`: how many connections clients have closed.
  std::optional<HttpReply> refuse(const HttpRequest& request, int closed_connections) const;
  // Fills `reception` in. `remembered` is a session of the connection, for Faults that tie state to
  // it.
  std::optional<HttpReply> receive(const HttpRequest& request, std::shared_ptr<Session>& remembered,
                                   Reception& reception) const;
  // A GET that requests the streams of a session, which is then stored in `session`.
  std::optional<HttpReply> refuse_stream(const HttpRequest& request,
                                         std::shared_ptr<Session>& session) const;
  // Ends the session of a DELETE; returns the response.
  HttpReply end_session(const HttpRequest& request) const;
  HttpReply not_allowed() const;  // 405
  // Revisions with a handshake have sessions, and with them GET and DELETE.
  bool has_sessions(const HttpRequest& request) const;

 private:
  std::optional<HttpReply> refuse_host(const HttpRequest& request) const;
  std::optional<HttpReply> find_or_open_session(const HttpRequest& request,
                                                Reception& reception) const;
  std::optional<HttpReply> refuse_stateless(const HttpRequest& request,
                                            const json::Value& message) const;
  std::optional<HttpReply> find_session(const HttpRequest& request,
                                        std::shared_ptr<Session>& session) const;
  std::optional<HttpReply> check_version_header(const HttpRequest& request,
                                                bool initialize = false) const;
  std::optional<std::string> session_id_of(const HttpRequest& request) const;
  bool is_stateless(const HttpRequest& request, const json::Value& message,
                    const std::string& method) const;
  void check_mirrors(const HttpRequest& request, const json::Value& message,
                     const std::string& method, Reception& reception) const;

  Server& server_;
  HttpFaultInjector& injector_;
  const AuthGuard& guard_;
  HttpSessions& sessions_;
};

}  // namespace harness::reference
