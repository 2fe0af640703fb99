// SPDX-License-Identifier: Apache-2.0
// Names of results about the first contact, used in place of a case id.
#pragma once

namespace harness::run {

inline constexpr const char* kOddFraming = "contact/framing";
inline constexpr const char* kOddVersion = "contact/version";
inline constexpr const char* kCutOff = "contact/http";
inline constexpr const char* kOneEach = "contact/connection";
inline constexpr const char* kNoHandshake = "contact/handshake";

}  // namespace harness::run
