// SPDX-License-Identifier: Apache-2.0
// What stands in a compressed body.
#pragma once

#include <optional>
#include <string>

#include "harness/wire/frame.h"

namespace harness::wire {

// The text behind the Content-Encoding of an HTTP frame: gzip, x-gzip or deflate (RFC 9110, 8.4.1).
// None where there is no such header, it names another coding or several, the body is not in it, or
// it holds more than a few mebibytes. Checksums are not looked at.
std::optional<std::string> decoded_body(const Frame& frame);

}  // namespace harness::wire
