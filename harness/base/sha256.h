// SPDX-License-Identifier: Apache-2.0
// SHA-256 of FIPS 180-4, for comparing digests; no secret passes through it.
#pragma once

#include <string>
#include <string_view>

namespace harness {

// 64 lower-case hexadecimal digits.
std::string sha256_hex(std::string_view bytes);

}  // namespace harness
