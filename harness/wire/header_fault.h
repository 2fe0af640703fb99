// SPDX-License-Identifier: Apache-2.0
// What may be odd about the Content-Length header of a message that is whole all the same: the
// `reason` of its Frame.
#pragma once

namespace harness::wire {

inline constexpr const char* kLineFeedAlone = "a header line that ends with a line feed alone";
inline constexpr const char* kBeyondAscii = "a byte beyond ASCII in a header";
inline constexpr const char* kOtherCharset = "another charset than UTF-8";

}  // namespace harness::wire
