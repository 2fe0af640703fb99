// SPDX-License-Identifier: Apache-2.0
// What Streamable HTTP asks of headers, as pure functions: origins, Accept, the headers of
// 2026-07-28 that mirror the body, and the status that goes with a reply.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "harness/json/value.h"
#include "harness/reference/session.h"

namespace harness::reference {

// The value of a request header, trimmed; nothing if it is absent.
using HeaderLookup = std::function<std::optional<std::string>(std::string_view name)>;

// http or https on this machine.
bool is_local_origin(std::string_view origin);

// A Host header that names this machine, with or without a port.
bool is_local_host(std::string_view host);

// Whether an Accept header (nothing: all) admits the media type.
bool accepts(const std::optional<std::string>& accept, std::string_view media_type);

// "=?base64?…?=" decoded, anything else unchanged; nothing if the Base64 is broken.
std::optional<std::string> decoded_header(std::string_view value);

// What is wrong with the headers that mirror a 2026-07-28 request, or nothing.
std::optional<std::string> mirror_problem(const json::Value& message, const HeaderLookup& header,
                                          const Faults& faults);

// The HTTP status for a reply of MCP.
int status_of(const Outgoing& reply, bool stateless);

}  // namespace harness::reference
