// SPDX-License-Identifier: Apache-2.0
// prepare(): makes the bytes of one step. The content of a step (a call, a message, text, pieces)
// becomes the text that the Transcript keeps and the writes of the Transport. Nothing is sent here.
//
//   step ─► references filled in ─► text ─► framed, cut into writes
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/json/value.h"
#include "harness/play/scope.h"
#include "harness/spec/profile.h"
#include "harness/suite/step.h"
#include "harness/target/auth.h"
#include "harness/transport/transport.h"
#include "harness/wire/frame.h"

namespace harness::run {

// A frame ready to be sent.
struct Prepared {
  std::string text;                 // what the Transcript keeps
  std::vector<std::string> writes;  // framed
  bool unframed = false;
  bool valid_request = false;  // made by the harness: its id must come back
  bool notification = false;
  wire::HttpHead http;  // of a message on a stream, the header fields that the step writes
  transport::HttpManner manner;
};

// Defaults for what a step does not state.
struct Setting {
  const std::string& file;                 // of the case, for Bugs
  const spec::Profile& profile;            // decides what _meta a call carries
  const json::Value& client_capabilities;  // declared in that _meta
  const transport::Transport& wire;        // frames messages
  const target::Auth* auth = nullptr;      // what `auth:` of a step varies; null: none was given
};

// For a step whose action sends something, with its `headers`, `auth` and `write`. Throws Bug if a
// reference has no value: the loader should have rejected it, or an earlier capture found nothing.
Prepared prepare(const suite::Step& step, RowScope& scope, const Setting& setting);

// The message of a frame, for ${name.id} and the like; its text if it was not JSON.
json::Value request_of(const Prepared& prepared);

// `value` with its references filled in; a Bug if that fails.
json::Value expanded(const json::Value& value, const RowScope& scope, const std::string& file);

// The whole number in a field, perhaps given by a reference.
std::int64_t integer_of(const std::optional<json::Value>& value, std::int64_t otherwise,
                        const RowScope& scope, const std::string& file);

}  // namespace harness::run
