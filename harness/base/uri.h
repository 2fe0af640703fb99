// SPDX-License-Identifier: Apache-2.0
// Addresses and identifiers as RFC 3986 has them, taken apart by Boost.URL, which only uri.cc sees.
//
// Three things that RFC 3986 forbids are let through everywhere, because sound programs write them:
// characters beyond ASCII (RFC 3987), brackets behind the authority and a further # in the fragment
// (both stay as they are in the URLs of browsers).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace harness {

// Whether it is an absolute URI: a scheme, a colon, and the characters that the syntax allows after
// it.
bool is_uri(std::string_view text);

// The parts of an address, which point into its text.
struct UriParts {
  std::string_view scheme;
  std::string_view user;       // with its @; "" when there is none
  std::string_view authority;  // host and port
  std::string_view host;       // with the brackets of an IPv6 address
  std::string_view port;       // digits, any number of them
  std::string_view target;     // path and query, without the fragment
};

// Nothing when it is not an absolute URI. An address is somebody's choice and is used as written:
// bytes that no URI may hold are accepted, except blanks and control characters.
std::optional<UriParts> split_uri(std::string_view text);

// The URI that a reference means at `base` (RFC 3986 section 5.2); bytes that no URI may hold are
// percent-encoded. Nothing when one of them is not a URI, or holds blanks or control characters.
std::optional<std::string> resolve_uri(std::string_view base, std::string_view reference);

// Each %XX is replaced by its byte; other text is unchanged.
std::string percent_decoded(std::string_view text);

}  // namespace harness
