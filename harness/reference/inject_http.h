// SPDX-License-Identifier: Apache-2.0
// Faults of the HTTP host: statuses, headers, sessions, event streams. Each function returns what a
// sound server does unless a Fault says otherwise.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>

#include "harness/reference/http_message.h"
#include "harness/reference/session.h"

namespace harness::reference {

class HttpFaultInjector {
 public:
  explicit HttpFaultInjector(Server& server) : server_(server), faults_(server.faults) {}

  // A status that rejects a request for its headers, or for the connections that clients have
  // closed; 0: none.
  int refuses(const HttpHeaders& headers, int closed_connections) const;
  // Requests with equal keys are confused with one another while they are in progress; empty:
  // never.
  std::string routing_key(const std::string& body) const;
  bool dies_of_undeliverable(const Outgoing& message) const;
  std::size_t length_of(const std::string& body) const;
  // `opens`: it is an initialize request.
  bool refuses_origin(const std::optional<std::string>& origin, bool posts, bool opens) const;
  int status_of_bad_origin() const;
  // The sender of this disconnected before the reply to it.
  void note_departure(const std::shared_ptr<Session>& session, const std::string& body);
  // What comes before the reply to this, and is meant for somebody else; empty: nothing.
  std::string left_by_another(const Session& session, const std::string& body);
  // A status that rejects a body; 0: none.
  int refuses_body(std::size_t size, bool encoded, bool chunked) const;
  // Which types the client accepts, from its Accept header.
  void inject_accept(const HttpRequest& request, bool& json, bool& events) const;
  // Whether a request is accepted without a session of its own, and whether an invalid version is
  // accepted.
  bool asks_no_session(const HttpRequest& request, bool named) const;
  bool takes_version(const HttpRequest& request, const std::string& version) const;
  // The status that rejects an odd but lawful spelling, or accepts an unlawful one; 0: not.
  int refuses_spelling(const HttpRequest& request) const;
  bool ignores_version_header() const;
  bool keeps_deleted_sessions() const;
  // The session of a message that belongs to none: one of its own, or that of its connection.
  std::shared_ptr<Session> session_of(std::shared_ptr<Session>& connection) const;
  // A session for a request that names none; a sound server has none.
  bool takes_sessionless(Server& server, std::shared_ptr<Session>& session);
  int status_without_session() const;
  int status_of_ended_session() const;
  int status_of_wrong_method() const;
  int header_mismatch_code() const;
  // About 2026-07-28.
  bool works_on_refused() const;   // a request rejected for its headers is executed anyway
  bool counts_blanks() const;      // around a header's value
  bool ignores_departure() const;  // a client's disconnect cancels nothing
  std::optional<int> refuses_stateless(const HttpHeaders& headers,
                                       const json::Value& message) const;
  std::string stateless_session_id() const;           // empty: none
  bool copies_to_all(const Outgoing& message) const;  // to every open exchange
  bool breaks_off(const Outgoing& message) const;     // a stream ends instead of sending this
                                                      // message
  bool keeps_back(const Outgoing& reply) const;       // its exchange stays open instead
  bool hangs_up_on(const Outgoing& reply) const;      // the connection is closed instead
  bool lets_proxies_buffer() const;
  std::string session_id(std::string fresh);
  void note_ended(const std::string& session) { ended_ = session; }
  std::string event_stream_type() const;
  // One server-sent event as an HTTP chunk; without an id if that is empty.
  std::string event(const std::string& message, const std::string& id = "");
  // The reconnection time, before a continuing stream is closed, as an HTTP chunk.
  std::string retry() const;
  std::string end_of_stream() const;
  // The response to GET instead of a stream.
  std::optional<HttpReply> instead_of_stream() const;
  // A message of a request that goes to the streams for messages of no request, or there as well.
  bool seems_unrelated(const Outgoing& message) const;
  bool copies_to_listeners(const Outgoing& message) const;
  // The response to a message that needs no reply.
  void inject_accepted(HttpReply& reply, bool of_response) const;
  // A response that is not an event stream, before it is sent.
  void inject(HttpReply& reply, const Outgoing& item, bool stateless, bool opening);

 private:
  Server& server_;
  const Faults& faults_;
  int sessions_ = 0;
  std::string ended_;                  // id of the session that ended last
  std::shared_ptr<Session> departed_;  // its last
  std::string left_;                   // the reply to that
  std::set<std::string> cancelled_;    // keys of ids that get no reply
};

}  // namespace harness::reference
