// SPDX-License-Identifier: Apache-2.0
// Url: the parts of a target's address that a Transport needs.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/result.h"
#include "harness/wire/frame.h"

namespace harness::jose {
struct Possession;
}

namespace harness::transport {

struct Url {
  std::string scheme;  // lower case
  std::string host;    // without the brackets of an IPv6 address
  std::uint16_t port = 0;
  std::string authority;  // host and port as written: the Host header
  std::string target;     // path and query, "/" if there is none
  // Headers of every request there, unless the request replaces them; parse_url() leaves them
  // empty.
  std::vector<wire::Header> credentials;
  // Requests with the scheme DPoP get a proof of their own by it; null: none do.
  std::shared_ptr<jose::Possession> possession;
};

// `scheme://host[:port][/path][?query]`. The fragment is dropped; a user name is rejected.
Result<Url> parse_url(std::string_view text);

// Whether a host is this machine: localhost, 127.0.0.0/8, ::1. Names are not resolved.
bool is_loopback(const std::string& host);
// Whether a target's address is on this machine: a loopback host, a Unix socket, or no address at
// all.
bool is_local(const std::string& address);

// The URL that a reference, absolute or relative, means on a page at `base`.
Result<Url> resolve_url(const Url& base, std::string_view reference);

}  // namespace harness::transport
