// SPDX-License-Identifier: Apache-2.0
// What stands in a compressed body.
#pragma once

#include <optional>
#include <string>

#include "harness/wire/frame.h"

namespace harness::wire {

// The decoded text of an HTTP frame with a Content-Encoding: gzip, x-gzip or deflate (RFC 9110,
// 8.4.1). None if there is no such header, it names another coding or several, the body is not in
// it, or it holds more than a few mebibytes. Checksums are not verified.
std::optional<std::string> decoded_body(const Frame& frame);

}  // namespace harness::wire
