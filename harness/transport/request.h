// SPDX-License-Identifier: Apache-2.0
// The bytes of an HTTP/1.1 request. They are put together here and not by an HTTP library, because
// a case may want a head no library would write.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/transport/url.h"
#include "harness/wire/frame.h"

namespace harness::transport {

// The url's credentials go with it. `session` replaces them and the transport's own headers of the
// same name, `wanted` replaces both; a value of one NUL leaves the header out. Names compare
// without case and are sent as they are written.
std::string request_bytes(const Url& url, const std::vector<wire::Header>& session,
                          const wire::HttpHead& wanted, std::string_view body);

bool same_name(std::string_view a, std::string_view b);

}  // namespace harness::transport
