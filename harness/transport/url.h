// SPDX-License-Identifier: Apache-2.0
// Url: the parts of a target's address that a Transport needs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/result.h"
#include "harness/wire/frame.h"

namespace harness::transport {

struct Url {
  std::string scheme;  // lower case
  std::string host;    // without the brackets of an IPv6 address
  std::uint16_t port = 0;
  std::string authority;  // host and port as written: the Host header
  std::string target;     // path and query, "/" when there is none
  // Headers every request there carries unless it says otherwise; parse_url() leaves them empty.
  std::vector<wire::Header> credentials;
};

// `scheme://host[:port][/path][?query]`. The fragment is dropped; a user name is refused.
Result<Url> parse_url(std::string_view text);

// What a reference, absolute or relative, means on a page at `base`.
Result<Url> resolve_url(const Url& base, std::string_view reference);

}  // namespace harness::transport
