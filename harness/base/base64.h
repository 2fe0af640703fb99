// SPDX-License-Identifier: Apache-2.0
// Base64 of RFC 4648 section 4: with padding, without line breaks.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace harness {

std::string to_base64(std::string_view bytes);
// The alphabet of URLs without padding, as in JSON Web Tokens: RFC 4648 section 5.
std::string to_base64url(std::string_view bytes);

// Strict: nullopt for a foreign character, missing padding, or bits that no encoder writes.
std::optional<std::string> from_base64(std::string_view text);

}  // namespace harness
