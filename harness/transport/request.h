// SPDX-License-Identifier: Apache-2.0
// The bytes of an HTTP/1.1 request. They are made here and not by an HTTP library, because a case
// may need a head that no library would write.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/base/ascii.h"
#include "harness/transport/url.h"
#include "harness/wire/frame.h"

namespace harness::transport {

// The URL's headers replace the transport's own with the same name, `session` those, `wanted` all;
// a value of one NUL removes the header. A request of the scheme DPoP that has no header DPoP in
// `wanted`, not even a removed one, gets a proof of the URL's possession. Names compare without
// case and are sent as written.
std::string request_bytes(const Url& url, const std::vector<wire::Header>& session,
                          const wire::HttpHead& wanted, std::string_view body);

// The headers of such a request that are the same for every method and body.
std::vector<wire::Header> usual_headers(const Url& url, const std::vector<wire::Header>& session);

// Whether two header names are equal, ignoring case.
inline bool same_name(std::string_view a, std::string_view b) {
  return ascii::equal_ignoring_case(a, b);
}

}  // namespace harness::transport
