// SPDX-License-Identifier: Apache-2.0
// Questions several oracles ask about the traffic: was this a proper request, what may have been
// read into that garbage, which request does a reply belong to. All answers lean to the side of
// the server: where a lenient or a strict reading is lawful, both are.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "harness/oracle/oracle.h"

namespace harness::oracle {

inline bool is_null(const json::Value* value) { return value != nullptr && value->is_null(); }
inline bool is_text(const json::Value* value, std::string_view text) {
  return value != nullptr && value->is_string() && value->text == text;
}

// "…" around printable text, short enough for one line of a report.
std::string shown(std::string_view bytes, std::size_t limit = 120);
std::string shown(const json::Value& value, std::size_t limit = 120);

// The same without losing the difference between 1 and "1".
std::string shown_id(const json::Value* id);

// An object with a reply's members; one with a method as well counts when its id was asked.
bool is_reply(const Item& item);

// A request or notification nobody can object to: all members as JSON-RPC and the profile have
// them, and nothing that strains a parser. Anything else may be answered by an error without id.
bool is_proper(const Evidence& evidence, const Item& item);

// Whether a reply without an id may be a late one, to what was sent before the slice.
bool may_be_earlier(const Evidence& evidence);

// Bytes of ours that keep to no framing, where messages are not lines and replies come on one
// stream: what the server reads in them, and from there on, is not known.
bool breaks_framing(const Evidence& evidence, const wire::Frame& frame);
// HTTP: the body of our request is not what its headers say, so what the server read is not known.
bool belies_body(const wire::Frame& frame);

// A JSON number, string or structure beyond what every parser takes.
bool is_hard_to_read(const Item& item);

// Whether a lenient parser could have taken `id` out of an item of `evidence` that is not JSON.
bool may_have_read_id(const Evidence& evidence, const Item& item, const json::Value& id);

// Adds the keys of all members called id (in any letter case), at any depth.
void collect_ids(const json::Value& value, std::vector<const json::Value*>& ids);

// Collected when they are asked for the first time.
const Requests& sent_requests(const Evidence& evidence);

// The latest request with the id of `reply` that was sent before it, or null; null also where it
// cannot be told.
const Item* request_of(const Requests& requests, const Item& reply);

// The method of a request, "" when it is not a string.
std::string_view method_of(const Item& item);

// True when a request carries the protocol version of this stateless revision in its _meta, so that
// the rules of the revision and not those of a legacy session hold for the answer.
bool is_stateless_request(const Evidence& evidence, const Item& request);

// True when we sent a request with this method.
bool has_sent(const Evidence& evidence, std::string_view method);

// True when the stream of this frame was opened to replay earlier events (Last-Event-ID).
bool is_replay(const Evidence& evidence, const wire::Frame& frame);

// The frame that began the HTTP exchange of `frame`, or null.
const wire::Frame* http_request_of(const Evidence& evidence, const wire::Frame& frame);

// Official MCP revision at or after `revision`.
inline bool from_revision(const Evidence& evidence, std::string_view revision) {
  return evidence.profile.mcp && evidence.profile.revision >= revision;
}

}  // namespace harness::oracle
