// SPDX-License-Identifier: Apache-2.0
// Facts about a case before it is played. They decide which session a case can get, and what it
// leaves for others. Pure.
#pragma once

#include <cstddef>
#include <string_view>

#include "harness/suite/case.h"

namespace harness::suite {

// Whether the step can make the case fail. Canaries between rows are always sent.
bool judges(const Step& step);

// Whether the case sends something that can end its connection.
bool disconnects(const Case& scenario);

// What may have happened on a session before: anything that leaves it usable; the same, but without
// capabilities that let the server wait for a response; nothing.
enum class SessionHistory { kAny, kQuiet, kNone };
// What may have happened before on the connection that a case gets. At the end of its input a
// server may still wait for responses it was promised; it obeys a signal at once.
SessionHistory bearable(const Case& scenario);

// What a case leaves of a connection without a handshake: everything; perhaps nothing, if it sends
// initialize and the server accepts it; nothing, if it performs the handshake.
enum class SessionImpact { kNone, kPerhaps, kWhole };
SessionImpact impact(const Case& scenario);

// Whether it may reconnect.
bool may_reconnect(const Case& scenario);

// How much the case has open at a time, as far as known: sessions that a server keeps, and
// connections to an address.
struct Demand {
  int sessions = 1;
  int connections = 1;
  bool operator==(const Demand&) const = default;
};
Demand demand(const Case& scenario);
// Whether two sessions are open at once, or two connections of one (`http`).
bool opens_beside(const Case& scenario, bool http);

// Whether a step sends the method: as the method of a call, anywhere in a message, quoted in a
// text, or by a column of the table. Ignores what a target sent earlier.
bool sends_method(const Case& scenario, const Step& step, std::string_view method);
bool calls_tools(const Case& scenario);
// Whether the case itself defines the responses to requests of the server, in its head or in a
// step.
bool answers_server(const Case& scenario);
// Whether a server may send requests to a client of these capabilities.
bool may_be_asked(const json::Value& client_capabilities);
// Whether the case waits on a stream, over HTTP, for requests of the server: it declares a
// capability for them, and opens no stream itself, because a server may reject a second one.
bool listens(const Case& scenario);
// Whether the client sends one response to each request of the server: a result or an error,
// nothing late, doubled or left out.
bool answers_once(const Case& scenario);

}  // namespace harness::suite
