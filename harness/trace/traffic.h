// SPDX-License-Identifier: Apache-2.0
// Questions about a Trace: was this a proper request, what may have been read into that garbage,
// which request was this. All answers lean to the side of the server: where a lenient or a strict
// reading is lawful, both are.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "harness/trace/trace.h"

namespace harness::trace {

inline bool is_null(const json::Value* value) { return value != nullptr && value->is_null(); }
inline bool is_text(const json::Value* value, std::string_view text) {
  return value != nullptr && value->is_string() && value->text == text;
}

// An object with a reply's members; one with a method as well counts when its id was asked.
bool is_reply(const Item& item);

// A request or notification nobody can object to: all members as JSON-RPC and the profile have
// them, and nothing that strains a parser. Anything else may be answered by an error without id.
bool is_proper(const Trace& trace, const Item& item);

// Whether a reply without an id may be a late one, to what was sent before the slice.
bool may_be_earlier(const Trace& trace);

// Bytes of ours that keep to no framing, where messages are not lines and replies come on one
// stream: what the server reads in them, and from there on, is not known.
bool breaks_framing(const Trace& trace, const wire::Frame& frame);
// HTTP: the body of our request is not what its headers say, so what the server read is not known.
bool contradicts_body(const wire::Frame& frame);

// A JSON number, string or structure beyond what every parser takes.
bool is_hard_to_read(const Item& item);

// Whether a lenient parser could have taken `id` out of an item of `trace` that is not JSON.
bool may_have_read_id(const Trace& trace, const Item& item, const json::Value& id);

// Adds the keys of all members called id (in any letter case), at any depth.
void collect_ids(const json::Value& value, std::vector<const json::Value*>& ids);

// For who only asks which request a reply belongs to.
using Requests = Attribution;
const Requests& sent_requests(const Trace& trace);

// The request a reply belongs to by its id; null where there is none, or it cannot be told.
const Item* request_of(const Requests& requests, const Item& reply);

// The method of a request, "" when it is not a string.
std::string_view method_of(const Item& item);

// True when a request carries the protocol version of this stateless revision in its _meta, so that
// the rules of the revision and not those of a legacy session hold for the answer.
bool is_stateless_request(const Trace& trace, const Item& request);

// True when we sent a request with this method.
bool has_sent(const Trace& trace, std::string_view method);

// True when the stream of this frame was opened to replay earlier events (Last-Event-ID).
bool is_replay(const Trace& trace, const wire::Frame& frame);

// The frame that began the HTTP exchange of `frame`, or null.
const wire::Frame* http_request_of(const Trace& trace, const wire::Frame& frame);

// Official MCP revision at or after `revision`.
inline bool from_revision(const Trace& trace, std::string_view revision) {
  return trace.profile.mcp && trace.profile.revision >= revision;
}

}  // namespace harness::trace
