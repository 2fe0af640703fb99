// SPDX-License-Identifier: Apache-2.0
// The bytes of an HTTP/1.1 request. They are put together here and not by an HTTP library, because
// a case may want a head no library would write.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/base/ascii.h"
#include "harness/transport/url.h"
#include "harness/wire/frame.h"

namespace harness::transport {

// The url's headers replace the transport's own of the same name, `session` those, `wanted` all; a
// value of one NUL leaves the header out. Names compare without case and are sent as they are
// written.
std::string request_bytes(const Url& url, const std::vector<wire::Header>& session,
                          const wire::HttpHead& wanted, std::string_view body);

// The headers of such a request that are the same whatever it asks and carries.
std::vector<wire::Header> usual_headers(const Url& url, const std::vector<wire::Header>& session);

// Two names of headers are one, whatever their case.
inline bool same_name(std::string_view a, std::string_view b) {
  return ascii::equal_ignoring_case(a, b);
}

}  // namespace harness::transport
