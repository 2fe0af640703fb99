// SPDX-License-Identifier: Apache-2.0
// Facts about a case before it is played. A run is planned by them: which session a case can get,
// and what it leaves for others. Pure.
#pragma once

#include <cstddef>
#include <string_view>

#include "harness/suite/case.h"

namespace harness::suite {

// Whether the step can make the case fail. Canaries between rows are always sent.
bool judges(const Step& step);

// Whether the case asks for something that can end its connection.
bool disconnects(const Case& scenario);

// What may have happened on a session before: anything that leaves it usable; the same, but without
// capabilities that let the server wait for an answer; nothing.
enum class SessionHistory { kAny, kQuiet, kNone };
// What may have happened before on a connection that the case is given. At the end of its input a
// server may still wait for answers it was promised; a signal it obeys all the same.
SessionHistory bearable(const Case& scenario);

// What a case leaves of a connection without a handshake: everything; perhaps nothing, if it sends
// initialize and the server accepts it; nothing, if it performs the handshake.
enum class SessionImpact { kNone, kPerhaps, kWhole };
SessionImpact impact(const Case& scenario);

// Whether it may reconnect.
bool may_reconnect(const Case& scenario);

// The most that the case has open at a time, as far as known: sessions that a server keeps, and
// connections to an address.
struct Demand {
  int sessions = 1;
  int connections = 1;
  bool operator==(const Demand&) const = default;
};
Demand demand(const Case& scenario);

// Whether a step sends the method: as the method of a call, anywhere in a message, quoted in a
// text, or by a column of the table. What a target said earlier is not looked at.
bool sends_method(const Case& scenario, const Step& step, std::string_view method);
bool calls_tools(const Case& scenario);
// Whether it says itself what requests of the server are answered, in its head or in a step.
bool answers_server(const Case& scenario);
// Whether a server may send requests to a client of these capabilities.
bool may_be_asked(const json::Value& client_capabilities);
// Whether the case waits on a stream, over HTTP, for what a server may ask: it declares that, and
// opens no stream itself, of which a server may refuse a second.
bool listens(const Case& scenario);
// Whether whoever asks has one answer to each of its requests: a result or an error, nothing late,
// doubled or left out.
bool answers_once(const Case& scenario);

}  // namespace harness::suite
