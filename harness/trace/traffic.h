// SPDX-License-Identifier: Apache-2.0
// Questions about a Trace: was this a proper request, what may have been read into that garbage,
// which request was this. All results favour the server: where a lenient or a strict reading is
// lawful, both are.
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

// An object with a reply's members; one with a method as well counts if its id was used by a
// request.
bool is_reply(const Item& item);

// A valid request or notification: all members as JSON-RPC and the profile define them, and nothing
// that strains a parser. Anything else may be answered by an error without id.
bool is_proper(const Trace& trace, const Item& item);

// A message, not an element, that is not proper and no response; of a batch, where batches are
// served, one that is empty or has an element which is not proper.
bool is_bad_input(const Trace& trace, const Item& item);

// Whether a reply without an id may be a late one, to what was sent before the slice.
bool may_be_earlier(const Trace& trace);

// Bytes of ours with no framing, if messages are not lines and replies come on one stream: from
// there on it is unknown what the server reads.
bool breaks_framing(const Trace& trace, const wire::Frame& frame);
// HTTP: the body of our request is not what its headers say, so it is unknown what the server read.
bool contradicts_body(const wire::Frame& frame);

// A JSON number, string or structure that some parsers reject.
bool is_hard_to_read(const Item& item);

// Whether a lenient parser could have read `id` in an item of `trace` that is not JSON.
bool may_have_read_id(const Trace& trace, const Item& item, const json::Value& id);

// Adds the keys of all members called id (in any letter case), at any depth.
void collect_ids(const json::Value& value, std::vector<const json::Value*>& ids);

// For code that only needs to know which request a reply belongs to.
using Requests = Attribution;
const Requests& sent_requests(const Trace& trace);

// The request a reply belongs to by its id; null if there is none, or it is ambiguous.
const Item* request_of(const Requests& requests, const Item& reply);

// The method of a request, "" if it is not a string.
std::string_view method_of(const Item& item);

// True when a request carries the protocol version of this stateless revision in its _meta, so that
// the rules of the revision and not those of a legacy session hold for the answer.
bool is_stateless_request(const Trace& trace, const Item& request);

// True if we sent a request with this method.
bool has_sent(const Trace& trace, std::string_view method);

// True if the stream of this frame was opened to replay earlier events (Last-Event-ID).
bool is_replay(const Trace& trace, const wire::Frame& frame);

// The frame that began the HTTP exchange of `frame`, or null.
const wire::Frame* http_request_of(const Trace& trace, const wire::Frame& frame);

// Official MCP revision at or after `revision`.
inline bool from_revision(const Trace& trace, std::string_view revision) {
  return trace.profile.mcp && trace.profile.revision >= revision;
}
// The message of the error has the method of what was sent in it.
bool speaks_of(const Item& reply, const Item& sent);

}  // namespace harness::trace
